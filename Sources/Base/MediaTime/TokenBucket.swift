/// A token bucket for rate limits: a burst of `burst` requests, then `perSecond` requests a second on
/// average.
package struct TokenBucket: Hashable, Sendable {
    /// Capacity in tokens.
    package let burst: Double
    /// Tokens that return in a second.
    package let perSecond: Double
    /// The debt of refused requests, negative or 0; 0 if refused requests do not count.
    private let deepest: Double
    private var left: Double
    private var last: HostTime

    /// Creates a full bucket.
    ///
    /// - Parameter penalty: Maximum debt from refused requests. With a debt, a caller that keeps asking
    ///   faster than the bucket fills gets nothing until after a pause.
    package init(burst: Double, perSecond: Double, penalty: Double = 0, at now: HostTime) {
        (self.burst, self.perSecond, left, last) = (burst, perSecond, burst, now)
        deepest = -penalty
    }

    /// Takes one token; returns `false` if there is none.
    package mutating func take(at now: HostTime) -> Bool {
        left = min(burst, left + max(0, now.since(last).inSeconds) * perSecond)
        last = now
        guard left >= 1 else {
            left = max(deepest, left - (deepest < 0 ? 1 : 0))
            return false
        }
        left -= 1
        return true
    }

    /// Returns the time until a token is available, if no other request comes before.
    package func wait(at now: HostTime) -> Duration {
        let missing = 1 - (left + max(0, now.since(last).inSeconds) * perSecond)
        return missing > 0 ? .seconds(missing / perSecond) : .zero
    }
}
