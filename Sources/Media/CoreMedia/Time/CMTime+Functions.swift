// The C functions of CMTime.

/// Returns a time of `value / timescale` seconds.
@discardableResult
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
    CMTime(value: value, timescale: timescale)
}

/// Returns a time of `value / timescale` seconds on the timeline `epoch`.
@discardableResult
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
    CMTime(value: value, timescale: timescale, epoch: epoch)
}

/// See ``CMTime/init(seconds:preferredTimescale:)``.
@discardableResult
public func CMTimeMakeWithSeconds(_ seconds: Float64, preferredTimescale: Int32) -> CMTime {
    CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// See ``CMTime/seconds``.
@discardableResult
public func CMTimeGetSeconds(_ time: CMTime) -> Float64 { time.seconds }

/// See ``CMTime/convertScale(_:method:)``.
@discardableResult
public func CMTimeConvertScale(
    _ time: CMTime, timescale newTimescale: Int32, method: CMTimeRoundingMethod
) -> CMTime {
    time.convertScale(newTimescale, method: method)
}

/// Returns the sum.
@discardableResult
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }

/// Returns the difference.
@discardableResult
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }

/// Returns the time multiplied by an integer.
@discardableResult
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
    time.repeated(Int64(multiplier))
}

/// Returns the time multiplied by a floating-point number, on a scale of at least 65,536.
@discardableResult
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Float64) -> CMTime {
    time.multiplied(by: multiplier)
}

/// Returns the time multiplied by `multiplier / divisor`, exact if a timescale can express it.
@discardableResult
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
    time.multiplied(by: multiplier, over: divisor)
}

/// Returns −1, 0 or 1 if the first time is before, at or after the second.
@discardableResult
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 { CMTime.order(time1, time2) }

/// Returns the earlier time.
@discardableResult
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time2 < time1 ? time2 : time1 }

/// Returns the later time.
@discardableResult
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time1 < time2 ? time2 : time1 }

/// Returns the absolute value of the time.
@discardableResult
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
    switch time.kind {
    case .negativeInfinity: .positiveInfinity
    case .number where time.value < 0: time.repeated(-1)
    default: time
    }
}

/// Returns whether the time is valid.
@discardableResult
public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }
/// Returns whether the time is invalid.
@discardableResult
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }
/// Returns whether the time is a number.
@discardableResult
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }
/// Returns whether the time is indefinite, that is unknown.
@discardableResult
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }
/// Returns whether the time is later than every number.
@discardableResult
public func CMTIME_IS_POSITIVE_INFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }
/// Returns whether the time is earlier than every number.
@discardableResult
public func CMTIME_IS_NEGATIVE_INFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }
/// Returns whether the time was rounded.
@discardableResult
public func CMTIME_HAS_BEEN_ROUNDED(_ time: CMTime) -> Bool { time.hasBeenRounded }
