/// Counts attempts at a secret, and says when the next may come.
public protocol PairingAttemptCounting {
    /// Why an attempt may not be made now; `nil` when it may.
    ///
    /// - Parameter time: Since any fixed instant, on a clock that never goes back.
    func refusal(at time: Duration) -> PairingError?
    /// One more wrong attempt.
    mutating func fail(at time: Duration)
    /// A right attempt.
    mutating func succeed(at time: Duration)
}

/// Counts wrong attempts at a secret, over all connections that it is used for, and says when the next may come.
///
/// The first ``freeCount`` cost nothing. From then on each doubles the wait, from one second to
/// ``longestWait``; at ``mostCount`` there is none until ``quietTime`` has passed without one. A right
/// attempt forgets all. A few bytes, whoever tries and however often.
///
/// Source: HomeKit Accessory Protocol, which asks for an end at 100 attempts; the waits are ours, after those
/// *observed* with Apple's receivers.
public struct PairingAttempts: PairingAttemptCounting, Sendable, Equatable {
    /// Wrong attempts without a wait: a person with a list of passwords.
    public static let freeCount = 10
    /// Wrong attempts at which nobody may try any more.
    public static let mostCount = 100
    /// The longest wait between two attempts.
    public static let longestWait = Duration.seconds(64)
    /// How long to wait after the last of ``mostCount``: a guesser gets some 40 attempts an hour.
    public static let quietTime = Duration.seconds(3600)

    /// Wrong attempts since the last right one.
    public private(set) var count = 0
    private var notBefore = Duration.zero

    public init() {}

    /// Why an attempt may not be made now; `nil` when it may.
    ///
    /// - Parameter time: Since any fixed instant, on a clock that never goes back.
    public func refusal(at time: Duration) -> PairingError? {
        guard time < notBefore else { return nil }
        if count >= Self.mostCount { return .tooManyTries }
        let rest = (notBefore - time).components
        return .backOff(seconds: UInt64(max(0, rest.seconds)) + (rest.attoseconds > 0 ? 1 : 0))
    }

    /// One more wrong attempt.
    public mutating func fail(at time: Duration) {
        // Behind the end, the next one is like the eleventh again.
        count = count >= Self.mostCount ? Self.freeCount : count
        count += 1
        guard count > Self.freeCount else { return }
        notBefore = time + (count >= Self.mostCount ? Self.quietTime : Self.wait(after: count))
    }

    /// A right attempt.
    public mutating func succeed(at time: Duration) { self = PairingAttempts() }

    private static func wait(after count: Int) -> Duration {
        min(longestWait, .seconds(1 << min(count - freeCount - 1, 16)))
    }
}
