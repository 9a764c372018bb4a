/// A budget that fills up again with time: `burst` at once, and so many a second in the long run.
public struct TokenBucket: Hashable, Sendable {
    public let burst: Double
    public let perSecond: Double
    /// How far refused requests count, too; 0 for not at all.
    private let deepest: Double
    private var left: Double
    private var last: HostTime

    /// - Parameter penalty: Refused requests count up to so many: who goes on asking faster than the bucket fills gets
    ///   nothing, until after a pause.
    public init(burst: Double, perSecond: Double, penalty: Double = 0, at now: HostTime) {
        (self.burst, self.perSecond, left, last) = (burst, perSecond, burst, now)
        deepest = -penalty
    }

    /// Takes one; `false` when there is none.
    public mutating func take(at now: HostTime) -> Bool {
        left = min(burst, left + max(0, now.since(last).inSeconds) * perSecond)
        last = now
        guard left >= 1 else {
            left = max(deepest, left - (deepest < 0 ? 1 : 0))
            return false
        }
        left -= 1
        return true
    }

    /// How long until there is one again, if nobody asks before.
    public func wait(at now: HostTime) -> Duration {
        let missing = 1 - (left + max(0, now.since(last).inSeconds) * perSecond)
        return missing > 0 ? .seconds(missing / perSecond) : .zero
    }
}
