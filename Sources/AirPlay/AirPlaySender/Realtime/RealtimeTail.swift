import TuttiMediaTime

/// The last packets before a stream's end, which are repeated: a receiver asks for a lost packet only when a later one comes.
struct RealtimeTail: Sendable {
    /// The number of packets that are repeated.
    static let length: UInt16 = 24
    /// The packets that follow each other at once.
    private static let partLength: UInt16 = 4
    /// The pauses before the two rounds of the repetition, far enough apart that one disturbance of the network does not hit both.
    private static let pauses = [Duration.milliseconds(40), .milliseconds(80)]
    private static let partPause = Duration.milliseconds(4)

    /// The number after the last packet.
    let end: UInt16
    private var part = 0
    /// The time of the next part; `nil` after the last.
    private(set) var next: HostTime?

    /// - Parameter now: The time at which the last packet was sent.
    init(end: UInt16, at now: HostTime) {
        self.end = end
        next = now.advanced(by: Self.pauses[0])
    }

    /// Takes the part that is due; returns the numbers of its packets in order.
    mutating func take(at now: HostTime) -> [UInt16] {
        guard let due = next, now >= due else { return [] }
        let parts = Int(Self.length / Self.partLength)
        let first = end &- Self.length &+ UInt16(part % parts) * Self.partLength
        part += 1
        if part % parts != 0 {
            next = now.advanced(by: Self.partPause)
        } else {
            let round = part / parts
            next = round < Self.pauses.count ? now.advanced(by: Self.pauses[round]) : nil
        }
        return (0..<Self.partLength).map { first &+ $0 }
    }
}
