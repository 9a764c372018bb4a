/// The generations of a route's flushes, as its callers and as the codec queue count them.
///
/// A flush begins a generation at once for callers. Until the codec queue reaches it, the queue's work concerns
/// sound that was dropped: it publishes nothing and packs nothing. This is the only place of that rule.
struct FlushGenerations: Sendable {
    private(set) var begun = 0
    private(set) var reached = 0

    /// Whether no flush is pending.
    var isReached: Bool { begun == reached }

    /// Returns whether no flush came after `generation`.
    func isCurrent(_ generation: Int) -> Bool { begun == generation }

    mutating func begin() -> Int {
        begun += 1
        return begun
    }

    mutating func reach(_ generation: Int) { reached = generation }
}
