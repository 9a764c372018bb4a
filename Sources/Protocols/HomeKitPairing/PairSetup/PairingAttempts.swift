/// A counter of attempts at a secret, which decides when the next is allowed.
package protocol PairingAttemptCounting {
    /// Returns the error for an attempt that is not allowed now; `nil` when it is allowed.
    ///
    /// - Parameter time: The time since any fixed instant, on a monotonic clock.
    func refusal(at time: Duration) -> PairingError?
    /// Counts a wrong attempt.
    mutating func fail(at time: Duration)
    /// Counts a correct attempt.
    mutating func succeed(at time: Duration)
}

/// A rate limit of wrong attempts at a secret, over all connections that share it.
///
/// The first ``freeCount`` wrong attempts cause no wait. Each further one doubles the wait, from one second
/// to ``longestWait``; at ``mostCount`` no attempt is allowed until ``quietTime`` has passed without one. A
/// correct attempt resets everything. The size is constant, independent of the number of peers and attempts.
///
/// Source: HomeKit Accessory Protocol, which requires an end at 100 attempts; the waits are ours, modelled on
/// those *observed* with Apple's receivers.
package struct PairingAttempts: PairingAttemptCounting, Sendable, Equatable {
    /// The number of wrong attempts without a wait: enough for a person with a list of passwords.
    package static let freeCount = 10
    /// The number of wrong attempts after which no attempt is allowed for ``quietTime``.
    package static let mostCount = 100
    /// The longest wait between two attempts.
    package static let longestWait = Duration.seconds(64)
    /// The wait after ``mostCount`` wrong attempts: a guesser gets some 40 attempts an hour.
    package static let quietTime = Duration.seconds(3600)

    /// The number of wrong attempts since the last correct one.
    package private(set) var count = 0
    private var notBefore = Duration.zero

    /// Creates a counter without wrong attempts.
    package init() {}

    /// Returns the error for an attempt that is not allowed now; `nil` when it is allowed.
    ///
    /// - Parameter time: The time since any fixed instant, on a monotonic clock.
    package func refusal(at time: Duration) -> PairingError? {
        guard time < notBefore else { return nil }
        if count >= Self.mostCount { return .tooManyTries }
        let rest = (notBefore - time).components
        return .backOff(seconds: UInt64(max(0, rest.seconds)) + (rest.attoseconds > 0 ? 1 : 0))
    }

    /// Counts a wrong attempt.
    package mutating func fail(at time: Duration) {
        // After ``quietTime`` the next wrong attempt counts like the eleventh.
        count = count >= Self.mostCount ? Self.freeCount : count
        count += 1
        guard count > Self.freeCount else { return }
        notBefore = time + (count >= Self.mostCount ? Self.quietTime : Self.wait(after: count))
    }

    /// Resets the counter after a correct attempt.
    package mutating func succeed(at time: Duration) { self = PairingAttempts() }

    private static func wait(after count: Int) -> Duration {
        min(longestWait, .seconds(1 << min(count - freeCount - 1, 16)))
    }
}
