/// A span of time that includes its start and excludes its end.
///
/// A range is invalid if either part is, or if its duration is negative or has an epoch.
public struct CMTimeRange: Hashable, Sendable, BitwiseCopyable {
    /// The first instant.
    public var start: CMTime
    /// The length.
    public var duration: CMTime

    /// Creates an invalid range.
    public init() { self.init(start: .invalid, duration: .invalid) }

    /// Creates the range with this start and length.
    public init(start: CMTime, duration: CMTime) {
        self.start = start
        self.duration = duration
    }

    /// Creates the range from `start` up to `end`, which is excluded; invalid if the end is before the start.
    public init(start: CMTime, end: CMTime) { self.init(start: start, duration: end - start) }

    /// The empty range at zero.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    /// An invalid range.
    public static let invalid = CMTimeRange()
}

extension CMTimeRange {
    /// The end of the range, which is excluded.
    public var end: CMTime { start + duration }

    /// Whether both parts are valid, and the duration has no epoch and is not negative.
    public var isValid: Bool {
        start.kind != .invalid && duration.kind != .invalid && duration.epoch == 0 && duration >= .zero
    }

    /// Whether the range is valid and one of its parts is indefinite.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }

    /// Whether the range is valid and has no length.
    public var isEmpty: Bool { isValid && duration == .zero }

    /// Returns whether `time` is at or after the start and before the end.
    public func containsTime(_ time: CMTime) -> Bool {
        guard isValid, !isEmpty, time.kind != .invalid, !time.isIndefinite, !isIndefinite else {
            return false
        }
        return start <= time && time < end
    }

    /// Returns whether every instant of `other` is inside; an empty range is inside if its start is.
    public func containsTimeRange(_ other: CMTimeRange) -> Bool {
        guard isValid, !isEmpty, other.isValid, !isIndefinite, !other.isIndefinite else { return false }
        if other.isEmpty { return containsTime(other.start) }
        return start <= other.start && other.end <= end
    }

    /// Returns the overlap of both ranges; empty if they do not overlap, invalid if either range is.
    public func intersection(_ other: CMTimeRange) -> CMTimeRange {
        guard isValid, other.isValid else { return .invalid }
        let start = max(self.start, other.start)
        let end = min(self.end, other.end)
        return start < end ? CMTimeRange(start: start, end: end) : CMTimeRange(start: start, duration: .zero)
    }

    /// Returns the shortest range that contains both; the other range if one is empty, invalid if either is.
    public func union(_ other: CMTimeRange) -> CMTimeRange {
        guard isValid, other.isValid else { return .invalid }
        if isEmpty { return other }
        if other.isEmpty { return self }
        return CMTimeRange(start: min(start, other.start), end: max(end, other.end))
    }
}

/// A segment of an edited timeline: its range in the source and its range in the target.
public struct CMTimeMapping: Hashable, Sendable, BitwiseCopyable {
    /// The range in the source; invalid for an empty edit.
    public var source: CMTimeRange
    /// The range in the target.
    public var target: CMTimeRange

    /// Creates an invalid mapping.
    public init() { self.init(source: .invalid, target: .invalid) }

    /// Creates the mapping of `source` onto `target`.
    public init(source: CMTimeRange, target: CMTimeRange) {
        self.source = source
        self.target = target
    }

    /// An invalid mapping.
    public static let invalid = CMTimeMapping()
}
