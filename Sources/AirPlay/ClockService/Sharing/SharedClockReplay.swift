import TuttiMediaTime

/// A replay of program messages against a serving clock, without sockets; for the fuzz target.
package struct SharedClockReplay {
    private var clock = SharedClock(identity: ClockIdentity(rawValue: 0x61))
    private var now = HostTime(nanoseconds: 1_000_000_000)
    private var datagram = ClockDatagram()

    /// Creates a replay without peers.
    package init() {}

    /// Applies one message.
    ///
    /// - Parameter ends: Whether the program ends after the message.
    /// - Returns: The rule that does not hold; `nil` when all hold.
    package mutating func step(
        _ bytes: [UInt8], of program: Int, after milliseconds: Int, ends: Bool
    ) -> String? {
        now = now.advanced(by: .milliseconds(milliseconds))
        if let message = try? ClockMessage(bytes) {
            guard let again = try? ClockMessage(message.encoded), again == message else {
                return "what is read is written and read again"
            }
            perform(message, of: program)
        }
        if ends { clock.leave(program, at: now) }
        clock.server.handleTimeout(at: now)
        var count = 0
        while clock.nextDatagram(into: &datagram, at: now) { count += 1 }
        for command in clock.restoration(at: now) {
            guard case .command(command)? = try? ClockMessage(ClockMessage.command(command).encoded) else {
                return "what is restored can be read"
            }
        }
        return count <= 8 * (ClockLedger.mostPeers + 1) ? nil : "a turn sends a few messages to each peer"
    }

    private mutating func perform(_ message: ClockMessage, of program: Int) {
        switch message {
        case .command(let command): _ = clock.apply(command, of: program, at: now)
        case .received(let received):
            clock.receive(
                received.bytes[...], from: received.source, on: received.port, at: received.receivedAt)
        case .asked(let address, let sequence, let departure):
            clock.follower.questionLeft(to: address, sequence: sequence, at: departure)
        case .hello, .welcome, .refusal, .beat: break
        }
    }
}
