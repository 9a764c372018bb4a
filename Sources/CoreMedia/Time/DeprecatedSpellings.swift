// Older spellings that apps still use.

/// Zero seconds.
@available(*, deprecated, renamed: "CMTime.zero")
public let kCMTimeZero = CMTime.zero

/// No time.
@available(*, deprecated, renamed: "CMTime.invalid")
public let kCMTimeInvalid = CMTime.invalid

/// A time that is not known.
@available(*, deprecated, renamed: "CMTime.indefinite")
public let kCMTimeIndefinite = CMTime.indefinite

/// Later than every number.
@available(*, deprecated, renamed: "CMTime.positiveInfinity")
public let kCMTimePositiveInfinity = CMTime.positiveInfinity

/// Earlier than every number.
@available(*, deprecated, renamed: "CMTime.negativeInfinity")
public let kCMTimeNegativeInfinity = CMTime.negativeInfinity

/// The empty range at zero.
@available(*, deprecated, renamed: "CMTimeRange.zero")
public let kCMTimeRangeZero = CMTimeRange.zero

/// No range.
@available(*, deprecated, renamed: "CMTimeRange.invalid")
public let kCMTimeRangeInvalid = CMTimeRange.invalid

/// `value / timescale` seconds.
@available(*, deprecated, renamed: "CMTimeMake(value:timescale:)")
@discardableResult
public func CMTimeMake(_ value: Int64, _ timescale: Int32) -> CMTime {
    CMTime(value: value, timescale: timescale)
}

/// See ``CMTime/init(seconds:preferredTimescale:)``.
@available(*, deprecated, renamed: "CMTimeMakeWithSeconds(_:preferredTimescale:)")
@discardableResult
public func CMTimeMakeWithSeconds(_ seconds: Float64, _ preferredTimescale: Int32) -> CMTime {
    CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// A range of this length.
@available(*, deprecated, renamed: "CMTimeRangeMake(start:duration:)")
@discardableResult
public func CMTimeRangeMake(_ start: CMTime, _ duration: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, duration: duration)
}

/// From `start` up to `end`, which is not inside.
@available(*, deprecated, renamed: "CMTimeRangeFromTimeToTime(start:end:)")
@discardableResult
public func CMTimeRangeFromTimeToTime(_ start: CMTime, _ end: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, end: end)
}

/// See ``CMTime/convertScale(_:method:)``.
@available(*, deprecated, renamed: "CMTimeConvertScale(_:timescale:method:)")
@discardableResult
public func CMTimeConvertScale(
    _ time: CMTime, _ newTimescale: Int32, _ method: CMTimeRoundingMethod
) -> CMTime {
    time.convertScale(newTimescale, method: method)
}
