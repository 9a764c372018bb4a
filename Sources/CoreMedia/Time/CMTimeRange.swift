/// A stretch of time: its start is inside, its end is not.
///
/// A range is invalid if either part is, or if its duration is negative.
public struct CMTimeRange: Hashable, Sendable, BitwiseCopyable {
    /// The first instant.
    public var start: CMTime
    /// The length.
    public var duration: CMTime

    /// The invalid range.
    public init() { self.init(start: .invalid, duration: .invalid) }

    /// A range of this length.
    public init(start: CMTime, duration: CMTime) {
        self.start = start
        self.duration = duration
    }

    /// From `start` up to `end`, which is not inside. An end before the start makes it invalid.
    public init(start: CMTime, end: CMTime) { self.init(start: start, duration: end - start) }

    /// The empty range at zero.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    /// No range.
    public static let invalid = CMTimeRange()
}

extension CMTimeRange {
    /// The instant after the last one inside.
    public var end: CMTime { start + duration }

    /// Whether both parts are valid and the duration is not negative.
    public var isValid: Bool {
        start.kind != .invalid && duration.kind != .invalid && duration.epoch == 0 && duration >= .zero
    }

    /// Whether the range is valid and one of its parts is not known.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }

    /// Whether the range is valid and has no length.
    public var isEmpty: Bool { isValid && duration == .zero }

    /// Whether `time` is at or after the start and before the end.
    public func containsTime(_ time: CMTime) -> Bool {
        guard isValid, !isEmpty, time.kind != .invalid, !time.isIndefinite, !isIndefinite else {
            return false
        }
        return start <= time && time < end
    }

    /// Whether every instant of `other` is inside; an empty range lies inside where its start does.
    public func containsTimeRange(_ other: CMTimeRange) -> Bool {
        guard isValid, !isEmpty, other.isValid, !isIndefinite, !other.isIndefinite else { return false }
        if other.isEmpty { return containsTime(other.start) }
        return start <= other.start && other.end <= end
    }

    /// What both ranges have in common; an empty range if that is nothing, an invalid one if either is.
    public func intersection(_ other: CMTimeRange) -> CMTimeRange {
        guard isValid, other.isValid else { return .invalid }
        let start = max(self.start, other.start)
        let end = min(self.end, other.end)
        return start < end ? CMTimeRange(start: start, end: end) : CMTimeRange(start: start, duration: .zero)
    }

    /// The shortest range that contains both; the other one if one is empty, invalid if either is.
    public func union(_ other: CMTimeRange) -> CMTimeRange {
        guard isValid, other.isValid else { return .invalid }
        if isEmpty { return other }
        if other.isEmpty { return self }
        return CMTimeRange(start: min(start, other.start), end: max(end, other.end))
    }
}

/// A part of an edited timeline: where it comes from and where it goes.
public struct CMTimeMapping: Hashable, Sendable, BitwiseCopyable {
    /// The range in the source; invalid for an empty edit.
    public var source: CMTimeRange
    /// The range in the target.
    public var target: CMTimeRange

    /// The invalid mapping.
    public init() { self.init(source: .invalid, target: .invalid) }

    /// Maps `source` onto `target`.
    public init(source: CMTimeRange, target: CMTimeRange) {
        self.source = source
        self.target = target
    }

    /// No mapping.
    public static let invalid = CMTimeMapping()
}
