import TuttiClockService
import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO

/// Interprets the bytes as operations on a follower: senders come and go, time passes, datagrams
/// arrive, among them valid Syncs and answers, with times chosen by the bytes.
public func fuzzClockFollower(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var input = FuzzInput(bytes)
    var run = ClockFollowerRun()
    for _ in 0..<128 where !input.isAtEnd { try run.step(&input) }
}

private struct ClockFollowerRun {
    private static let senders = (1...4).map { IPAddress(192, 0, 2, $0) }
    private static let own = ClockIdentity(rawValue: 0x0200_0000_4c41_4201)

    private var follower = ClockFollower(identity: own)
    private var now = HostTime(nanoseconds: 1_000_000_000)
    private var datagram = ClockDatagram()
    private var sequence: UInt16 = 0
    private var lastQuestion: PTPHeader?

    mutating func step(_ input: inout FuzzInput) throws(BrokenInvariant) {
        let operation = input.byte()
        let sender = Int(operation >> 6)
        let address = Self.senders[sender]
        switch operation & 0x07 {
        case 0: follower.follow(address, isOwn: operation & 0x38 == 0x38, at: now)
        case 1: follower.unfollow(address, at: now)
        case 2, 3:
            let port = operation & 0x20 == 0 ? ClockPort.event : .general
            follower.receive(input.block()[...], from: address, on: port, at: now)
        case 4: sync(sender, time: time(&input))
        case 5: answer(sender, time: time(&input))
        case 6: now = follower.nextDeadline.map { max($0, now) } ?? now
        default: now = now.advanced(by: .milliseconds(Int(input.word())))
        }
        try drain()
        try look()
    }

    /// Returns mostly a time near host time, in microseconds; now and then any time.
    private func time(_ input: inout FuzzInput) -> NetworkTime {
        let shift = Int64(input.word())
        guard shift < 0xFF00 else {
            return NetworkTime(
                nanoseconds: Int64(bitPattern: UInt64(shift & 0xFF) << 56 | UInt64(input.word()) << 20))
        }
        return NetworkTime(nanoseconds: now.nanoseconds + shift * 1000)
    }

    private func identity(_ sender: Int) -> PTPPortIdentity {
        PTPPortIdentity(clock: ClockIdentity(rawValue: UInt64(0xA0 + sender)), port: 1)
    }

    private mutating func sync(_ sender: Int, time: NetworkTime) {
        sequence &+= 1
        let source = identity(sender)
        for message in [
            PTPMessage.sync(PTPSync(source: source, sequence: sequence)),
            .followUp(
                PTPFollowUp(source: source, sequence: sequence, preciseOriginTimestamp: PTPTimestamp(time))),
        ] {
            follower.receive(message.encoded[...], from: Self.senders[sender], on: .event, at: now)
        }
    }

    private mutating func answer(_ sender: Int, time: NetworkTime) {
        guard let lastQuestion else { return }
        let response = PTPDelayResponse(
            to: lastQuestion, source: identity(sender), receiveTimestamp: PTPTimestamp(time))
        let bytes = PTPMessage.delayResponse(response).encoded
        follower.receive(bytes[...], from: Self.senders[sender], on: .general, at: now)
    }

    private mutating func drain() throws(BrokenInvariant) {
        var count = 0
        while follower.nextDatagram(into: &datagram, at: now) {
            count += 1
            try require(
                count <= 2 * Self.senders.count, "a datagram has at most two answers, a sender one question")
            try require(Self.senders.contains(datagram.destination), "only who is followed is asked")
            if datagram.carriesDeparture || datagram.keepsDeparture {
                datagram.stamp(at: NetworkTime(nanoseconds: now.nanoseconds))
            }
            if datagram.isQuestion { follower.questionLeft(datagram, at: now) }
            guard let message = try? PTPMessage(datagram: datagram.bytes) else {
                throw BrokenInvariant(description: "what is sent is a message")
            }
            try require(
                message.header.type.isEvent == (datagram.port == .event), "a message leaves from its own port"
            )
            if case .delayRequest(let request) = message { lastQuestion = request.header }
        }
        if let deadline = follower.nextDeadline { try require(deadline > now, "a timer does not spin") }
    }

    private func look() throws(BrokenInvariant) {
        let statuses = follower.statuses(at: now)
        try require(statuses.count <= Self.senders.count, "nobody is followed twice")
        for status in statuses {
            try require(abs(status.drift) <= 501, "a drift is one that a clock can have")
            guard let identity = status.grandmaster, status.isUsable,
                let mapping = follower.mapping(of: identity, at: now)
            else { continue }
            try require(abs(mapping.rateRatio - 1) < 0.002, "a rate is near 1")
            let time = mapping.networkTime(at: now)
            try require(time == mapping.network, "a line begins at its reference")
        }
    }
}
