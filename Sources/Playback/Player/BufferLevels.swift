/// What an item tells of its buffer.
package struct BufferLevels: Equatable, Sendable {
    /// Nothing at hand from the playhead on.
    package var isEmpty = true
    /// As much as is wanted, or all there is.
    package var isFull = false
    /// Enough to play on without a stall, as far as can be known.
    package var isLikelyToKeepUp = false

    package init() {}

    package init(isEmpty: Bool, isFull: Bool, isLikelyToKeepUp: Bool) {
        (self.isEmpty, self.isFull, self.isLikelyToKeepUp) = (isEmpty, isFull, isLikelyToKeepUp)
    }
}

/// Seconds of sound and what they mean: the levels of a buffer from what is at hand and how fast it comes.
package struct BufferGauge: Sendable {
    /// From the playhead to the end of what is at hand, the outputs' part included.
    package var secondsAhead = 0.0
    /// Everything to the item's end is at hand.
    package var isComplete = false
    /// As much is at hand as may be.
    package var isAtLimit = false
    /// From the end of what is at hand to the item's end; `nil` when nobody knows.
    package var secondsMissing: Double?
    /// Seconds of sound that come in a second; `nil` while that is not known.
    package var fillRate: Double?
    /// Seconds of sound that are played in a second.
    package var rate = 1.0
    /// With so many seconds ahead a start is made, however slow the source.
    package var startLevel = 2.0

    package init() {}

    package func levels(after before: BufferLevels) -> BufferLevels {
        let isEmpty = secondsAhead <= 0 && !isComplete
        return BufferLevels(
            isEmpty: isEmpty, isFull: isComplete || (isAtLimit && !isEmpty),
            isLikelyToKeepUp: !isEmpty && isLikelyToKeepUp(was: before.isLikelyToKeepUp))
    }

    private func isLikelyToKeepUp(was: Bool) -> Bool {
        if isComplete || secondsAhead >= startLevel * rate { return true }
        // What was likely stays so until half of it is gone, or a pause in the data would be seen twice.
        if was, secondsAhead >= startLevel * rate / 2 { return true }
        return comesInTime
    }

    /// What is missing comes before it is due, with some to spare for a source that is not even.
    private var comesInTime: Bool {
        guard let fillRate, let secondsMissing, fillRate > 0, secondsAhead >= Self.leastAhead * rate else {
            return false
        }
        return secondsMissing / fillRate <= (secondsAhead + secondsMissing) / max(rate, 0.01) * Self.caution
    }

    private static let leastAhead = 0.5
    private static let caution = 0.8
}

/// How fast sound comes in: seconds of sound a second, over the last while.
package struct FillRate: Sendable {
    /// Older pieces count no more.
    private static let memory = 5.0
    /// Before so much time was spent there is no rate.
    private static let leastTime = 0.2

    private var pieces: [(spent: Double, sound: Double)] = []

    package init() {}

    /// - Parameters:
    ///   - sound: seconds of sound that came.
    ///   - spent: seconds that were spent waiting for them.
    package mutating func note(sound: Double, spent: Double) {
        pieces.append((max(0, spent), sound))
        var spentInAll = pieces.reduce(0) { $0 + $1.spent }
        while pieces.count > 1, spentInAll - pieces[0].spent > Self.memory || pieces.count > 64 {
            spentInAll -= pieces.removeFirst().spent
        }
    }

    package var value: Double? {
        let spent = pieces.reduce(0) { $0 + $1.spent }
        let sound = pieces.reduce(0) { $0 + $1.sound }
        if spent < Self.leastTime { return sound >= 1 ? .infinity : nil }
        return sound / spent
    }
}
