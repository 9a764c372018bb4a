import MediaTime

/// The last packets before a stream's end, which are repeated: a receiver asks for a lost packet only when a later one comes.
struct RealtimeTail: Sendable {
    /// The number of packets that are repeated.
    static let length: UInt16 = 8
    /// The pauses before the parts of the repetitions, each of half the packets: two rounds, far enough apart that one disturbance of
    /// the network does not hit both.
    private static let pauses: [Duration] = [
        .milliseconds(40), .milliseconds(4), .milliseconds(80), .milliseconds(4),
    ]

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
        let half = Self.length / 2
        let first = end &- Self.length &+ (part % 2 == 0 ? 0 : half)
        part += 1
        next = part < Self.pauses.count ? now.advanced(by: Self.pauses[part]) : nil
        return (0..<half).map { first &+ $0 }
    }
}
