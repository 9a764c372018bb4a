/// Returns the time nearest to `time` in the range, its end included; invalid if either argument is.
@discardableResult
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
    guard time.kind != .invalid, range.isValid else { return .invalid }
    return max(range.start, min(time, range.end))
}

/// Maps `time` linearly from one range to another.
///
/// Times outside the range map along the same line. Invalid if a range is empty or not numeric.
@discardableResult
public func CMTimeMapTimeFromRangeToRange(
    _ time: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange
) -> CMTime {
    let offset = time - fromRange.start
    return toRange.start + CMTimeMapDurationFromRangeToRange(offset, fromRange: fromRange, toRange: toRange)
}

/// Scales `duration` by the length of the second range over the length of the first.
///
/// Invalid if a range is empty or not numeric.
@discardableResult
public func CMTimeMapDurationFromRangeToRange(
    _ duration: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange
) -> CMTime {
    guard fromRange.isOfNumbers, toRange.isOfNumbers, !fromRange.isEmpty, !toRange.isEmpty else {
        return .invalid
    }
    return duration.scaled(by: toRange.duration, over: fromRange.duration)
}

/// Folds `time` into the range by adding or subtracting whole lengths of the range.
///
/// Invalid if the range is empty or not numeric, or if the time is not a number.
@discardableResult
public func CMTimeFoldIntoRange(_ time: CMTime, foldRange: CMTimeRange) -> CMTime {
    guard time.kind == .number, foldRange.isOfNumbers, !foldRange.isEmpty else { return .invalid }
    let offset = time - foldRange.start
    guard offset.kind == .number else { return .invalid }
    let rest = ExactSeconds(remainderOf: offset, dividedBy: foldRange.duration)
    return foldRange.start
        + rest.time(
            timescale: Int32(min(rest.denominator, Int128(kCMTimeMaxTimescale))), epoch: 0,
            wasRounded: offset.hasBeenRounded || foldRange.duration.hasBeenRounded)
}

extension CMTimeRange {
    fileprivate var isOfNumbers: Bool { isValid && start.kind == .number && duration.kind == .number }
}
