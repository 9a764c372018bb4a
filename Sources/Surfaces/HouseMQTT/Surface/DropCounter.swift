/// The number of dropped messages, told at once and then only now and then.
struct DropCounter: Hashable, Sendable {
    private let interval: Duration
    private var count = 0
    private var told: ContinuousClock.Instant?

    init(interval: Duration) { self.interval = interval }

    /// Counts a dropped message.
    ///
    /// - Returns: The number to tell now; `nil` if it is too early.
    mutating func add(at now: ContinuousClock.Instant) -> Int? {
        count += 1
        if let told, now < told + interval { return nil }
        defer { (count, told) = (0, now) }
        return count
    }
}
