/// The buffer state that an item reports.
package struct BufferLevels: Equatable, Sendable {
    /// No sound at hand from the playhead on.
    package var isEmpty = true
    /// The wanted amount is at hand, or the rest of the item.
    package var isFull = false
    /// Playback is expected to continue without a stall.
    package var isLikelyToKeepUp = false

    /// Makes the levels of an item without sound.
    package init() {}

    /// Makes the given levels.
    package init(isEmpty: Bool, isFull: Bool, isLikelyToKeepUp: Bool) {
        (self.isEmpty, self.isFull, self.isLikelyToKeepUp) = (isEmpty, isFull, isLikelyToKeepUp)
    }
}

/// A gauge that computes buffer levels from the sound at hand and the fill rate.
package struct BufferGauge: Sendable {
    /// Seconds of sound at hand from the playhead on, including the outputs' part.
    package var secondsAhead = 0.0
    /// All sound to the item's end is at hand.
    package var isComplete = false
    /// The sound at hand has reached its limit.
    package var isAtLimit = false
    /// Seconds from the end of the sound at hand to the item's end; `nil` if unknown.
    package var secondsMissing: Double?
    /// Seconds of sound received per second; `nil` while unknown.
    package var fillRate: Double?
    /// Seconds of sound played per second.
    package var rate = 1.0
    /// Seconds ahead that suffice for a start, however slow the source, at rate 1.
    package var startLevel = 2.0

    /// Makes the gauge of an item without sound.
    package init() {}

    /// Returns the levels, with hysteresis against the levels `before`.
    package func levels(after before: BufferLevels) -> BufferLevels {
        let isEmpty = secondsAhead <= 0 && !isComplete
        return BufferLevels(
            isEmpty: isEmpty, isFull: isComplete || (isAtLimit && !isEmpty),
            isLikelyToKeepUp: !isEmpty && isLikelyToKeepUp(was: before.isLikelyToKeepUp))
    }

    private func isLikelyToKeepUp(was: Bool) -> Bool {
        if isComplete || secondsAhead >= startLevel * rate { return true }
        // Hysteresis: a level once reached holds until half of it is gone, or a pause in the data would be
        // reported twice.
        if was, secondsAhead >= startLevel * rate / 2 { return true }
        return comesInTime
    }

    /// Whether the missing sound arrives before its deadline, with a margin for an uneven source.
    private var comesInTime: Bool {
        guard let fillRate, let secondsMissing, fillRate > 0, secondsAhead >= Self.leastAhead * rate else {
            return false
        }
        return secondsMissing / fillRate <= (secondsAhead + secondsMissing) / max(rate, 0.01) * Self.caution
    }

    /// Seconds ahead below which playback is no longer expected to keep up while no sound comes.
    var keepUpMark: Double {
        let half = startLevel * rate / 2
        guard let fillRate, let secondsMissing, fillRate > 0 else { return half }
        let least = secondsMissing * max(rate, 0.01) / (fillRate * Self.caution) - secondsMissing
        return min(half, max(Self.leastAhead * rate, least))
    }

    private static let leastAhead = 0.5
    private static let caution = 0.8
}

/// The fill rate: sound received per second, over about the last five seconds of reading or 64 pieces.
package struct FillRate: Sendable {
    /// Seconds of reading that count.
    private static let memory = 5.0
    /// Seconds of reading before a rate is known.
    private static let leastTime = 0.2

    private var pieces: [(spent: Double, sound: Double)] = []

    /// Makes a rate that is not known yet.
    package init() {}

    /// - Parameters:
    ///   - sound: seconds of sound received.
    ///   - spent: seconds spent waiting for the sound.
    package mutating func note(sound: Double, spent: Double) {
        pieces.append((max(0, spent), sound))
        var spentInAll = pieces.reduce(0) { $0 + $1.spent }
        while pieces.count > 1, spentInAll - pieces[0].spent > Self.memory || pieces.count > 64 {
            spentInAll -= pieces.removeFirst().spent
        }
    }

    /// Seconds of sound per second; `nil` while unknown, infinite if 1 s came in under 0.2 s of reading.
    package var value: Double? {
        let spent = pieces.reduce(0) { $0 + $1.spent }
        let sound = pieces.reduce(0) { $0 + $1.sound }
        if spent < Self.leastTime { return sound >= 1 ? .infinity : nil }
        return sound / spent
    }
}
