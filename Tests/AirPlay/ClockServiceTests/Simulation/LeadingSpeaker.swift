import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiClockService

/// A speaker that insists on its clock, as single HomePods with OS 27 do: it leads while nobody offers it another clock,
/// and else announces its own every 20 s and is silent.
struct LeadingSpeaker {
    static let address = IPAddress(192, 0, 2, 27)
    /// The time without an offer after which the speaker leads.
    static let quietTime = Duration.seconds(3)

    var identity = ClockIdentity(rawValue: 0x27)
    var driftPPM = 0.0
    var epoch: Int64 = -400_000_000_000
    var isSilent = false
    private(set) var lastOffer: HostTime?
    private(set) var offerCount = 0
    private(set) var answerCount = 0
    private var nextSync: HostTime?
    private var nextAnnounce: HostTime?
    private var nextQuestion: HostTime?
    private var sequence: UInt16 = 0

    var port: PTPPortIdentity { PTPPortIdentity(clock: identity, port: 1) }

    /// Returns the speaker's own time.
    func time(at now: HostTime) -> NetworkTime {
        NetworkTime(
            nanoseconds: now.nanoseconds + epoch
                + Int64((Double(now.nanoseconds - 1_000_000_000_000) * driftPPM * 1e-6).rounded()))
    }

    /// Returns what the speaker sends by itself now.
    mutating func messages(at now: HostTime) -> [PTPMessage] {
        guard !isSilent else { return [] }
        let leads = lastOffer.map { now.since($0) >= Self.quietTime } ?? true
        var messages: [PTPMessage] = []
        sequence &+= 1
        if nextAnnounce.map({ now >= $0 }) ?? true {
            nextAnnounce = now.advanced(by: leads ? .milliseconds(250) : .seconds(20))
            var announce = PTPAnnounce(source: port, sequence: sequence)
            announce.priority1 = 248
            messages.append(.announce(announce))
        }
        if nextQuestion.map({ now >= $0 }) ?? true {
            nextQuestion = now.advanced(by: .seconds(1))
            messages.append(.delayRequest(PTPDelayRequest(source: port, sequence: sequence)))
        }
        if leads, nextSync.map({ now >= $0 }) ?? true {
            nextSync = now.advanced(by: .milliseconds(125))
            messages.append(.sync(PTPSync(source: port, sequence: sequence)))
            messages.append(
                .followUp(
                    PTPFollowUp(
                        source: port, sequence: sequence, preciseOriginTimestamp: PTPTimestamp(time(at: now)))
                ))
        }
        return messages
    }

    /// Takes a message of ours; returns the answer.
    mutating func receive(_ message: PTPMessage, at now: HostTime) -> PTPMessage? {
        switch message {
        case .announce, .sync, .followUp:
            lastOffer = now
            offerCount += 1
        case .delayResponse(let response) where response.requester == port: answerCount += 1
        case .delayRequest(let request) where !isSilent:
            return .delayResponse(
                PTPDelayResponse(
                    to: request.header, source: port, receiveTimestamp: PTPTimestamp(time(at: now))))
        default: break
        }
        return nil
    }
}

/// A clock of ours and a speaker that insists on its own, over a link with jitter, in virtual time.
struct LeadingSimulation {
    static let start = HostTime(nanoseconds: 1_000_000_000_000)
    static let follower = IPAddress(192, 0, 2, 10)

    var clock = SharedClock(identity: ClockIdentity(rawValue: 0x0A))
    var speaker = LeadingSpeaker()
    var now = start
    /// The least delay each way, and the mean of the rest.
    var delay = Duration.microseconds(150)
    var jitter = Duration.microseconds(20)
    /// The messages to ``follower``, by type.
    private(set) var toFollower: [PTPMessageType: Int] = [:]
    /// The largest change of the published line by one message after the first two seconds, nanoseconds.
    private(set) var worstStep: Int64 = 0
    private var generator = SeededGenerator(seed: 27)

    mutating func apply(_ command: ClockCommand) -> Bool {
        clock.apply(command, of: SharedClock.here, at: now)
    }

    mutating func yield() -> Bool {
        apply(.yield(LeadingSpeaker.address, localAddress: nil, isOwn: false))
    }

    mutating func addPeer(_ address: IPAddress) -> Bool {
        apply(.addPeer(address, .unknown, pathDelay: .zero, localAddress: nil))
    }

    var leader: LeaderClock? { clock.follower.clocks.leader(at: LeadingSpeaker.address, at: now) }

    /// The distance of the line from the truth; `nil` without a line.
    var error: Duration? {
        leader.map {
            let (line, truth) = ($0.mapping.networkTime(at: now), speaker.time(at: now))
            return .nanoseconds(Int64(clamping: (line.nanoseconds &- truth.nanoseconds).magnitude))
        }
    }

    mutating func run(for duration: Duration) {
        let end = now.advanced(by: duration)
        while now < end {
            now = now.advanced(by: .milliseconds(5))
            let departure = now
            for message in speaker.messages(at: departure) { deliver(message, departedAt: departure) }
            clock.server.handleTimeout(at: now)
            send()
        }
    }

    /// Gives our clock any bytes as the speaker's.
    mutating func inject(_ bytes: [UInt8], on port: ClockPort = .event) {
        clock.receive(bytes[...], from: LeadingSpeaker.address, on: port, at: now)
    }

    private mutating func way() -> Duration {
        delay + jitter * -_log(Double.random(in: 0.0001..<1, using: &generator))
    }

    private mutating func deliver(_ message: PTPMessage, departedAt departure: HostTime) {
        let arrival = departure.advanced(by: way())
        let before = leader?.mapping.networkTime(at: arrival)
        clock.receive(
            message.encoded[...], from: LeadingSpeaker.address,
            on: message.header.type.isEvent ? .event : .general, at: arrival)
        guard let before, let after = leader?.mapping.networkTime(at: arrival),
            departure.since(Self.start) > .seconds(2)
        else { return }
        worstStep = max(worstStep, abs(after.nanoseconds &- before.nanoseconds))
    }

    private mutating func send() {
        var datagram = ClockDatagram()
        while clock.nextDatagram(into: &datagram, at: now) {
            datagram.stamp(at: NetworkTime(nanoseconds: now.nanoseconds))
            if datagram.isQuestion { clock.follower.questionLeft(datagram, at: now) }
            guard let message = try? PTPMessage(datagram: datagram.bytes) else { continue }
            guard datagram.destination == LeadingSpeaker.address else {
                toFollower[message.header.type, default: 0] += 1
                continue
            }
            let arrival = now.advanced(by: way())
            if let answer = speaker.receive(message, at: arrival) { deliver(answer, departedAt: arrival) }
        }
    }
}
