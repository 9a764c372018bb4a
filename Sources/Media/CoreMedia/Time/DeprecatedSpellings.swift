// Deprecated spellings that apps still use.

/// Zero seconds.
@available(*, deprecated, renamed: "CMTime.zero")
public let kCMTimeZero = CMTime.zero

/// An invalid time.
@available(*, deprecated, renamed: "CMTime.invalid")
public let kCMTimeInvalid = CMTime.invalid

/// An unknown time.
@available(*, deprecated, renamed: "CMTime.indefinite")
public let kCMTimeIndefinite = CMTime.indefinite

/// A time later than every number.
@available(*, deprecated, renamed: "CMTime.positiveInfinity")
public let kCMTimePositiveInfinity = CMTime.positiveInfinity

/// A time earlier than every number.
@available(*, deprecated, renamed: "CMTime.negativeInfinity")
public let kCMTimeNegativeInfinity = CMTime.negativeInfinity

/// The empty range at zero.
@available(*, deprecated, renamed: "CMTimeRange.zero")
public let kCMTimeRangeZero = CMTimeRange.zero

/// An invalid range.
@available(*, deprecated, renamed: "CMTimeRange.invalid")
public let kCMTimeRangeInvalid = CMTimeRange.invalid

/// Returns a time of `value / timescale` seconds.
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

/// Returns the range with this start and length.
@available(*, deprecated, renamed: "CMTimeRangeMake(start:duration:)")
@discardableResult
public func CMTimeRangeMake(_ start: CMTime, _ duration: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, duration: duration)
}

/// Returns the range from `start` up to `end`, which is excluded.
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
