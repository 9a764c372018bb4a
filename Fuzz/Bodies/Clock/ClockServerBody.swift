import TuttiClockService
import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO

/// Interprets the bytes as operations on a clock server: peers come and go, time passes,
/// datagrams arrive.
public func fuzzClockServer(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var input = FuzzInput(bytes)
    var run = ClockServerRun()
    // Each operation may send to every peer, so the run has its own limit.
    for _ in 0..<96 where !input.isAtEnd { try run.step(&input) }
}

private struct ClockServerRun {
    private static let peers = (1...4).map { IPAddress(192, 0, 2, $0) }
    private static let behaviours: [ClockPeerBehaviour] = [.unknown, .tutti, .apple, .shairportSync]

    private var server = ClockServer(
        configuration: .init(identity: ClockIdentity(rawValue: 0x0200_0000_4c41_4201)))
    private var now = HostTime(nanoseconds: 1_000_000_000)
    private var datagram = ClockDatagram()

    mutating func step(_ input: inout FuzzInput) throws(BrokenInvariant) {
        let operation = input.byte()
        let peer = Self.peers[Int(operation >> 6)]
        var answerLimit = 0
        switch operation & 0x07 {
        case 0:
            let behaviour = Self.behaviours[Int(operation >> 3 & 0x03)]
            _ = server.addPeer(
                peer, behaviour: behaviour, pathDelay: .microseconds(Int(input.word())), at: now)
        case 1: server.removePeer(peer, at: now)
        case 2: server.restartServing(peer, at: now)
        case 3: server.setPathDelay(.microseconds(Int(input.word())), of: peer, at: now)
        case 4, 5:
            let port = operation & 0x20 == 0 ? ClockPort.event : .general
            // A quick follower's first request is answered with a Sync, too.
            answerLimit = 4
            server.receive(input.block()[...], from: peer, on: port, at: now)
        case 6: now = server.nextDeadline.map { max($0, now) } ?? now
        default: now = now.advanced(by: .milliseconds(Int(input.word())))
        }
        if answerLimit > 0 {
            try require(try drain() <= answerLimit, "a datagram has few answers")
        } else {
            try turn()
        }
        for peer in Self.peers { _ = server.status(of: peer, at: now) }
    }

    /// Does a driver's work for one time. The announces of a start that a late driver missed follow
    /// one by one.
    private mutating func turn() throws(BrokenInvariant) {
        for _ in 0..<8 {
            server.handleTimeout(at: now)
            try require(try drain() <= 64, "a turn sends a few messages to each peer")
            guard let deadline = server.nextDeadline, deadline <= now else { return }
        }
        throw BrokenInvariant(description: "a timer does not spin")
    }

    private mutating func drain() throws(BrokenInvariant) -> Int {
        var count = 0
        while server.nextDatagram(into: &datagram, at: now) {
            count += 1
            if datagram.carriesDeparture || datagram.keepsDeparture {
                datagram.stamp(at: server.timescale.networkTime(at: now))
            }
            try require(Self.peers.contains(datagram.destination), "only peers are sent to")
            guard let message = try? PTPMessage(datagram: datagram.bytes) else {
                throw BrokenInvariant(description: "what is sent is a message")
            }
            try require(
                (try? PTPMessage(datagram: datagram.bytes.dropLast())) == nil,
                "what is sent is exactly a message")
            let isEvent = message.header.type.isEvent
            try require(isEvent == (datagram.port == .event), "a message leaves from its own port")
        }
        while server.nextEvent() != nil {}
        return count
    }
}
