import TuttiMediaTime

/// A rate limit of the answers to one peer: a token bucket.
///
/// *Observed*: receivers ask eight times a second at most.
struct AnswerBudget {
    static let burst = 32
    static let perSecond = 64

    private static let period = Duration.nanoseconds(1_000_000_000 / Int64(perSecond))
    /// The host time at which the bucket is full again.
    private var fullAt: HostTime

    init(at now: HostTime) { fullAt = now }

    /// Takes a token; returns `false` when the peer asks too fast.
    mutating func take(at now: HostTime) -> Bool {
        let start = max(fullAt, now)
        let next = start.advanced(by: Self.period)
        guard next.since(now) <= Self.period * Self.burst else { return false }
        fullAt = next
        return true
    }
}
