/// The buffer state that an item reports.
package struct BufferLevels: Equatable, Sendable {
    /// No sound at hand from the playhead on.
    package var isEmpty = true
    /// The wanted amount is at hand, or the rest of the item.
    package var isFull = false
    /// Playback is expected to continue without a stall.
    package var isLikelyToKeepUp = false

    /// Whether the sound at hand suffices for a start.
    var isEnough: Bool { isLikelyToKeepUp || isFull }

    /// Makes the levels of an item without sound.
    package init() {}

    /// Makes the given levels.
    package init(isEmpty: Bool, isFull: Bool, isLikelyToKeepUp: Bool) {
        (self.isEmpty, self.isFull, self.isLikelyToKeepUp) = (isEmpty, isFull, isLikelyToKeepUp)
    }
}

/// A gauge that computes buffer levels from the sound at hand and the fill rate.
///
/// Playback is likely to keep up with all of the item at hand, with as much as is read ahead, or if the missing sound
/// arrives before its time. Otherwise some seconds suffice: the start level, and from a source slower than playback enough
/// for ``steadySeconds`` without a stall. Less suffices while the source rests, and the longer the wait lasts: no wait for
/// more than the start level is longer than ``patience`` and ``relief`` together.
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
    /// Seconds for which the source has sent nothing, though more is wanted; `nil` if nothing is.
    package var secondsSilent: Double?
    /// Seconds of the longest wait for a piece of sound in the fill rate.
    package var longestWait = 0.0
    /// Seconds for which there has been some sound, but not enough.
    package var secondsShort = 0.0
    /// Seconds of sound played per second; 1 for a lower rate, whose start needs no less.
    package var rate = 1.0
    /// Seconds of sound played per second, also below 1.
    package var speed = 1.0
    /// Seconds ahead that a start at rate 1 needs unless the rest comes in time; they suffice if the source is not known
    /// to be slower than playback.
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
        // The source is read no further: a wait would not end.
        if isComplete || isAtLimit || secondsAhead >= wantedAhead { return true }
        // Hysteresis: a level once reached holds until half of it is gone, or a pause in the data would be
        // reported twice.
        if was, secondsAhead >= usualAhead / 2 { return true }
        return comesInTime
    }

    /// Seconds ahead for a start if the source is not known to be slower than playback.
    private var usualAhead: Double { startLevel * rate }

    /// Seconds ahead for a start from a source that is slower than playback: as many as play for ``steadySeconds``
    /// without a stall, or nearly as many as are read ahead; `nil` for other sources.
    private var steadyAhead: Double? {
        guard let fillRate, secondsMissing != nil, fillRate < speed else { return nil }
        let seconds = min(Self.steadySeconds * (speed - fillRate), Self.mostWanted)
        return seconds > usualAhead ? seconds : nil
    }

    /// Seconds ahead for a start now.
    private var wantedAhead: Double {
        guard let steadyAhead, !isResting else { return usualAhead }
        let over = max(0, secondsShort - Self.patience) / Self.relief
        return max(usualAhead, steadyAhead - (steadyAhead - usualAhead) * over)
    }

    /// Whether the source sends nothing for longer than it usually does between two pieces: no more sound would come by
    /// waiting.
    private var isResting: Bool { secondsSilent.map { $0 >= restTime } ?? false }

    private var restTime: Double { min(max(Self.leastRest, longestWait * 1.5), FillRate.outage) }

    /// Seconds until the sound at hand suffices although no more arrives; `nil` if it never does, or suffices already.
    var secondsUntilLikely: Double? {
        guard let steadyAhead, secondsAhead >= usualAhead, secondsAhead < wantedAhead else { return nil }
        let over = (steadyAhead - secondsAhead) / (steadyAhead - usualAhead)
        let fall = Self.patience + Self.relief * over - secondsShort
        return max(0, min(fall, secondsSilent.map { restTime - $0 } ?? fall))
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
        let half = usualAhead / 2
        guard let fillRate, let secondsMissing, fillRate > 0 else { return half }
        let least = secondsMissing * max(rate, 0.01) / (fillRate * Self.caution) - secondsMissing
        return min(half, max(Self.leastAhead * rate, least))
    }

    private static let leastAhead = 0.5
    private static let caution = 0.8
    /// The time for which playback from a slow source should continue without a stall.
    static let steadySeconds = 18.0
    /// Less than the read-ahead of an item, in seconds.
    static let mostWanted = 10.0
    /// Seconds of a wait after which less suffices from one moment to the next.
    static let patience = 20.0
    /// Seconds in which the wanted sound falls to the start level.
    static let relief = 10.0
    /// Seconds without a byte after which a source of short waits rests.
    private static let leastRest = 1.5
}
