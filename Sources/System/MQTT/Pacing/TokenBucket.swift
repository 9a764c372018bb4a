/// A limit of events in time: so many at once, and so many a second in the long run.
package struct TokenBucket: Hashable, Sendable {
    private let rate: Double
    private let size: Double
    private var tokens: Double
    private var last: ContinuousClock.Instant?

    /// Makes a full bucket.
    ///
    /// - Parameters:
    ///   - rate: Events a second, above 0.
    ///   - burst: Events at once, at least 1.
    package init(rate: Double, burst: Double) {
        (self.rate, size, tokens) = (rate, burst, burst)
    }

    /// Returns whether an event is within the limit, and counts it then.
    package mutating func take(at now: ContinuousClock.Instant) -> Bool {
        refill(at: now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// Returns the time until an event is within the limit; zero if one is now.
    package mutating func wait(at now: ContinuousClock.Instant) -> Duration {
        refill(at: now)
        return tokens >= 1 ? .zero : .seconds((1 - tokens) / rate)
    }

    private mutating func refill(at now: ContinuousClock.Instant) {
        if let last, now > last {
            let (seconds, attoseconds) = last.duration(to: now).components
            tokens = min(size, tokens + rate * (Double(seconds) + Double(attoseconds) * 1e-18))
        }
        last = max(last ?? now, now)
    }
}
