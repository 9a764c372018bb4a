import TuttiMediaTime

/// The back-off between attempts to make an output: 0.5 s at first, doubled up to 8 s.
struct RetryDelay {
    private static let first = Duration.milliseconds(500)
    private static let longest = Duration.seconds(8)

    private var next = first

    /// The number of attempts that failed since the last success.
    private(set) var failures = 0

    /// Returns the wait before the next attempt.
    mutating func afterFailure() -> Duration {
        defer { next = min(next * 2, Self.longest) }
        failures += 1
        return next
    }

    mutating func reset() { self = RetryDelay() }
}
