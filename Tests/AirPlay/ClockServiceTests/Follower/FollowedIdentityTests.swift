import Testing
import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiClockService

@Suite("Identity of a followed clock")
struct FollowedIdentityTests {
    static let peer = IPAddress(192, 0, 2, 10)
    static let own = ClockIdentity(rawValue: 0x0A)
    static let source = PTPPortIdentity(clock: ClockIdentity(rawValue: 0xB0B), port: 0x8005)

    private func follower(at now: HostTime, isOwn: Bool = false) -> ClockFollower {
        var follower = ClockFollower(identity: Self.own)
        follower.follow(Self.peer, isOwn: isOwn, at: now)
        return follower
    }

    private func send(
        _ messages: [PTPMessage], to follower: inout ClockFollower, at now: HostTime,
        from address: IPAddress = peer
    ) {
        for message in messages {
            follower.receive(
                message.encoded[...], from: address, on: message.header.type.isEvent ? .event : .general,
                at: now)
        }
    }

    /// Builds a two-step Sync whose clock is `ahead` of host time.
    private func twoStep(
        _ number: UInt16, at now: HostTime, ahead: Int64 = 1000, source: PTPPortIdentity = source,
        correction: Int64 = 0
    ) -> [PTPMessage] {
        var sync = PTPSync(source: source, sequence: number)
        sync.header.correction = PTPCorrection(nanoseconds: correction)
        var followUp = PTPFollowUp(
            source: source, sequence: number,
            preciseOriginTimestamp: PTPTimestamp(
                NetworkTime(nanoseconds: now.nanoseconds + ahead - 3 * correction)))
        followUp.header.correction = PTPCorrection(nanoseconds: 2 * correction)
        return [.sync(sync), .followUp(followUp)]
    }

    private func announce(_ grandmaster: ClockIdentity, source: PTPPortIdentity = source) -> PTPMessage {
        var announce = PTPAnnounce(source: source, sequence: 1)
        announce.grandmaster = grandmaster
        return .announce(announce)
    }

    /// Requests and answers without delay.
    private func exchange(
        _ follower: inout ClockFollower, at now: HostTime, ahead: Int64 = 1000,
        source: PTPPortIdentity = source
    ) {
        var datagram = ClockDatagram()
        while follower.nextDatagram(into: &datagram, at: now) {
            guard datagram.isQuestion, let message = try? PTPMessage(datagram: datagram.bytes) else {
                continue
            }
            follower.questionLeft(datagram, at: now)
            let response = PTPDelayResponse(
                to: message.header, source: source,
                receiveTimestamp: PTPTimestamp(NetworkTime(nanoseconds: now.nanoseconds + ahead)))
            send([.delayResponse(response)], to: &follower, at: now)
        }
    }

    private func offset(_ follower: ClockFollower, _ identity: ClockIdentity, at now: HostTime) -> Int64? {
        follower.mapping(of: identity, at: now).map { $0.networkTime(at: now).nanoseconds - now.nanoseconds }
    }

    static let start = HostTime(nanoseconds: 1_000_000_000_000)

    @Test("a request is a Delay_Req of this profile")
    func question() throws {
        var follower = follower(at: Self.start)
        var datagram = ClockDatagram()
        let isMore = follower.nextDatagram(into: &datagram, at: Self.start)
        #expect(isMore && datagram.isQuestion && !datagram.carriesDeparture && !datagram.keepsDeparture)
        #expect(datagram.port == .event && datagram.destination == Self.peer)
        #expect(datagram.bytes.count == 44 && datagram.bytes[0] == 0x11 && datagram.bytes[1] == 2)
        let message = try PTPMessage(datagram: datagram.bytes)
        #expect(message.header.source == PTPPortIdentity(clock: Self.own, port: 0x8005))
        let again = follower.nextDatagram(into: &datagram, at: Self.start)
        #expect(!again && follower.nextDeadline == Self.start.advanced(by: DelayRequestScheduler.secondAfter))
    }

    @Test(
        "without an Announce a source is its own grandmaster; corrections count; message halves match in any order"
    )
    func direct() throws {
        let now = Self.start
        for messages in [
            twoStep(1, at: now, correction: 700), twoStep(1, at: now, correction: 700).reversed(),
        ] {
            var follower = follower(at: now)
            exchange(&follower, at: now)
            send(messages, to: &follower, at: now)
            #expect(offset(follower, Self.source.clock, at: now) == 1000)
            #expect(offset(follower, ClockIdentity(rawValue: 0xFFFF), at: now) == nil)
        }
    }

    @Test("a one-step Sync is understood")
    func oneStep() {
        var follower = follower(at: Self.start)
        exchange(&follower, at: Self.start, ahead: 5000)
        var sync = PTPSync(source: Self.source, sequence: 9)
        sync.header.flags.remove(.twoStep)
        sync.originTimestamp = PTPTimestamp(NetworkTime(nanoseconds: Self.start.nanoseconds + 4000))
        sync.header.correction = PTPCorrection(nanoseconds: 1000)
        send([.sync(sync)], to: &follower, at: Self.start)
        #expect(offset(follower, Self.source.clock, at: Self.start) == 5000)
    }

    @Test("both dialects are understood")
    func dialects() {
        var follower = follower(at: Self.start)
        exchange(&follower, at: Self.start)
        for message in twoStep(1, at: Self.start) {
            var bytes = message.encoded
            bytes[0] &= 0x0F
            follower.receive(bytes[...], from: Self.peer, on: .event, at: Self.start)
        }
        #expect(offset(follower, Self.source.clock, at: Self.start) == 1000)
    }

    @Test("the Announce's grandmaster identifies the clock; another grandmaster is another clock")
    func grandmasters() {
        let (first, second) = (ClockIdentity(rawValue: 0x61), ClockIdentity(rawValue: 0x62))
        var now = Self.start
        var follower = follower(at: now)
        send([announce(first)], to: &follower, at: now)
        exchange(&follower, at: now)
        send(twoStep(1, at: now), to: &follower, at: now)
        #expect(offset(follower, first, at: now) == 1000)
        #expect(offset(follower, Self.source.clock, at: now) == nil)
        now = now.advanced(by: .milliseconds(100))
        send([announce(second)], to: &follower, at: now)
        #expect(offset(follower, first, at: now) == nil && offset(follower, second, at: now) == nil)
        now = now.advanced(by: .milliseconds(100))
        exchange(&follower, at: now, ahead: 77_000)
        send(twoStep(2, at: now, ahead: 77_000), to: &follower, at: now)
        #expect(offset(follower, second, at: now) == 77_000)
    }

    @Test(
        "a single message of another clock at the same address changes nothing; a new clock takes over after a silence"
    )
    func otherSource() {
        var now = Self.start
        var follower = follower(at: now)
        exchange(&follower, at: now)
        send(twoStep(1, at: now), to: &follower, at: now)
        let other = PTPPortIdentity(clock: ClockIdentity(rawValue: 0xEE), port: 1)
        send(
            [announce(other.clock, source: other)] + twoStep(7, at: now, source: other), to: &follower,
            at: now)
        #expect(offset(follower, Self.source.clock, at: now) == 1000)
        #expect(offset(follower, other.clock, at: now) == nil)
        now = now.advanced(by: .seconds(2))
        // The first answer only proves presence: the request had another clock's identity.
        exchange(&follower, at: now, ahead: 9000, source: other)
        now = now.advanced(by: DelayRequestScheduler.shortestInterval)
        exchange(&follower, at: now, ahead: 9000, source: other)
        send(twoStep(8, at: now, ahead: 9000, source: other), to: &follower, at: now)
        #expect(offset(follower, other.clock, at: now) == 9000)
        #expect(offset(follower, Self.source.clock, at: now) == nil)
    }

    @Test("strangers, answers to others and repeated answers are ignored")
    func ignored() {
        let now = Self.start
        var follower = follower(at: now)
        var datagram = ClockDatagram()
        _ = follower.nextDatagram(into: &datagram, at: now)
        follower.questionLeft(datagram, at: now)
        send(twoStep(1, at: now), to: &follower, at: now, from: IPAddress(192, 0, 2, 99))
        #expect(follower.status(of: Self.peer, at: now)?.sampleCount == 0)
        send(twoStep(1, at: now), to: &follower, at: now)
        let asked = PTPDelayRequest(
            source: PTPPortIdentity(clock: Self.own, port: 0x8005), sequence: datagram.sequence
        ).header
        var response = PTPDelayResponse(
            to: asked, source: Self.source, receiveTimestamp: PTPTimestamp(NetworkTime(nanoseconds: 1)))
        response.requester.port = 1
        send([.delayResponse(response)], to: &follower, at: now)
        response.requester.port = 0x8005
        response.header.sequence &+= 1
        send([.delayResponse(response)], to: &follower, at: now)
        #expect(follower.status(of: Self.peer, at: now)?.answerCount == 0)
        response.header.sequence &-= 1
        send([.delayResponse(response), .delayResponse(response)], to: &follower, at: now)
        #expect(follower.status(of: Self.peer, at: now)?.answerCount == 1)
    }

    @Test("our own identity means our own clock, unless a process elsewhere has the same")
    func ownIdentity() {
        let now = Self.start
        #expect(offset(ClockFollower(identity: Self.own), Self.own, at: now) == 0)
        #expect(offset(follower(at: now, isOwn: true), Self.own, at: now) == 0)
        var elsewhere = follower(at: now)
        #expect(offset(elsewhere, Self.own, at: now) == 0)
        let twin = PTPPortIdentity(clock: Self.own, port: 0x8005)
        send([announce(Self.own, source: twin)], to: &elsewhere, at: now)
        #expect(offset(elsewhere, Self.own, at: now) == nil)
        exchange(&elsewhere, at: now, ahead: 123_000, source: twin)
        send(twoStep(1, at: now, ahead: 123_000, source: twin), to: &elsewhere, at: now)
        #expect(offset(elsewhere, Self.own, at: now) == 123_000)
        var other = follower(at: now)
        exchange(&other, at: now)
        send(twoStep(1, at: now), to: &other, at: now)
        #expect(offset(other, Self.own, at: now) == 0)
    }

    @Test("a peer named by its address cannot claim another's clock")
    func impostor() {
        let (now, liar) = (Self.start, IPAddress(192, 0, 2, 66))
        var follower = ClockFollower(identity: Self.own)
        // The impostor was followed first: of two claimants the first one counts.
        for (address, ahead) in [(liar, Int64(3_600_000_000_000)), (Self.peer, 1000)] {
            follower.follow(address, at: now)
            var datagram = ClockDatagram()
            while follower.nextDatagram(into: &datagram, at: now) {
                guard datagram.isQuestion, let message = try? PTPMessage(datagram: datagram.bytes) else {
                    continue
                }
                follower.questionLeft(datagram, at: now)
                let response = PTPDelayResponse(
                    to: message.header, source: Self.source,
                    receiveTimestamp: PTPTimestamp(NetworkTime(nanoseconds: now.nanoseconds + ahead)))
                send([.delayResponse(response)], to: &follower, at: now, from: address)
            }
            send(twoStep(1, at: now, ahead: ahead), to: &follower, at: now, from: address)
        }
        func offset(_ addresses: Set<IPAddress>?) -> Int64? {
            follower.mapping(of: Self.source.clock, toldBy: addresses, at: now).map {
                $0.networkTime(at: now).nanoseconds - now.nanoseconds
            }
        }
        #expect(offset(nil) == 3_600_000_000_000)
        #expect(offset([Self.peer]) == 1000)
        #expect(offset([IPAddress(192, 0, 2, 77)]) == nil)
        // The impostor does not become our own clock either.
        #expect(
            follower.mapping(of: Self.own, toldBy: [liar], at: now)?.network.nanoseconds == now.nanoseconds)
    }

    @Test("link delay requests are answered, within a budget")
    func peerDelay() {
        var follower = follower(at: Self.start)
        let request = PTPPeerDelayRequest(source: Self.source, sequence: 3)
        for _ in 0..<1000 { send([.peerDelayRequest(request)], to: &follower, at: Self.start) }
        var datagram = ClockDatagram()
        var kinds: [PTPMessageType] = []
        while follower.nextDatagram(into: &datagram, at: Self.start) {
            datagram.stamp(at: NetworkTime(nanoseconds: Self.start.nanoseconds))
            guard let message = try? PTPMessage(datagram: datagram.bytes) else { continue }
            kinds.append(message.header.type)
        }
        #expect(kinds.count { $0 == .peerDelayResponse } == AnswerBudget.burst)
        #expect(kinds.count { $0 == .peerDelayResponseFollowUp } == AnswerBudget.burst)
        #expect(kinds.count { $0 == .delayRequest } == 1)
    }

    @Test("random bytes never trap")
    func noise() {
        var generator = SeededGenerator(seed: 5)
        var now = Self.start
        var follower = follower(at: now)
        for round in 0..<4000 {
            let messages =
                twoStep(UInt16(truncatingIfNeeded: round / 8), at: now) + [announce(Self.source.clock)]
            var bytes = messages[round % 3].encoded
            for _ in 0..<2 {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
                    in: 0...255, using: &generator)
            }
            follower.receive(bytes[...], from: Self.peer, on: round % 2 == 0 ? .event : .general, at: now)
            exchange(
                &follower, at: now, ahead: .random(in: -1_000_000_000...1_000_000_000, using: &generator))
            _ = follower.statuses(at: now)
            now = now.advanced(by: .milliseconds(20))
        }
        #expect(follower.malformedCount > 50)
    }
}
