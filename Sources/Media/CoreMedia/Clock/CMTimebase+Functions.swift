import Foundation

// The C functions of CMTimebase.

/// A required parameter is missing.
public let kCMTimebaseError_MissingRequiredParameter: OSStatus = -12748
/// A parameter has an invalid value.
public let kCMTimebaseError_InvalidParameter: OSStatus = -12749
/// Memory allocation failed.
public let kCMTimebaseError_AllocationFailed: OSStatus = -12750
/// Only the timebase's creator may move the timebase.
public let kCMTimebaseError_ReadOnly: OSStatus = -12757

/// Posted when the rate changes.
public let kCMTimebaseNotification_EffectiveRateChanged = CMTimebase.effectiveRateChanged
/// Posted when the time jumps.
public let kCMTimebaseNotification_TimeJumped = CMTimebase.timeJumped

/// Creates a timebase that follows a clock.
@discardableResult
public func CMTimebaseCreateWithSourceClock(
    allocator: CFAllocator?, sourceClock: CMClock, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    timebaseOut.pointee = CMTimebase(sourceClock: sourceClock)
    return noErr
}

/// Creates a timebase that follows another timebase.
@discardableResult
public func CMTimebaseCreateWithSourceTimebase(
    allocator: CFAllocator?, sourceTimebase: CMTimebase, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    timebaseOut.pointee = CMTimebase(sourceTimebase: sourceTimebase)
    return noErr
}

/// Returns the current time.
@discardableResult
public func CMTimebaseGetTime(_ timebase: CMTimebase) -> CMTime { timebase.time }

/// Returns the current time on the caller's timescale.
@discardableResult
public func CMTimebaseGetTimeWithTimeScale(
    _ timebase: CMTimebase, timescale: CMTimeScale, method: CMTimeRoundingMethod
) -> CMTime {
    timebase.time(withTimescale: timescale, rounding: method)
}

/// Returns the rate relative to the source.
@discardableResult
public func CMTimebaseGetRate(_ timebase: CMTimebase) -> Float64 { timebase.rate }

/// Returns the rate relative to the clock at the end of the chain of sources.
@discardableResult
public func CMTimebaseGetEffectiveRate(_ timebase: CMTimebase) -> Float64 { timebase.effectiveRate }

/// Returns the time and the rate at one instant.
@discardableResult
public func CMTimebaseGetTimeAndRate(
    _ timebase: CMTimebase, timeOut: UnsafeMutablePointer<CMTime>?, rateOut: UnsafeMutablePointer<Float64>?
) -> OSStatus {
    let (time, rate) = timebase.timeAndRate
    timeOut?.pointee = time
    rateOut?.pointee = rate
    return noErr
}

/// Sets the current time; the rate stays.
@discardableResult
public func CMTimebaseSetTime(_ timebase: CMTimebase, time: CMTime) -> OSStatus {
    status { try timebase.setTime(time) }
}

/// Sets the rate; the time continues without a jump.
@discardableResult
public func CMTimebaseSetRate(_ timebase: CMTimebase, rate: Float64) -> OSStatus {
    status { try timebase.setRate(rate) }
}

/// Anchors `timebaseTime` to the source time `immediateSourceTime`; the rate stays.
@discardableResult
public func CMTimebaseSetAnchorTime(
    _ timebase: CMTimebase, timebaseTime: CMTime, immediateSourceTime: CMTime
) -> OSStatus {
    status { try timebase.setAnchorTime(timebaseTime, referenceTime: immediateSourceTime) }
}

/// Sets the rate and anchors `anchorTime` to the source time `immediateSourceTime`.
@discardableResult
public func CMTimebaseSetRateAndAnchorTime(
    _ timebase: CMTimebase, rate: Float64, anchorTime: CMTime, immediateSourceTime: CMTime
) -> OSStatus {
    status {
        try timebase.setRateAndAnchorTime(
            rate: rate, anchorTime: anchorTime, referenceTime: immediateSourceTime)
    }
}

/// Returns the source if it is a clock, else `nil`.
@discardableResult
public func CMTimebaseCopySourceClock(_ timebase: CMTimebase) -> CMClock? { timebase.sourceClock }

/// Returns the source if it is a timebase, else `nil`.
@discardableResult
public func CMTimebaseCopySourceTimebase(_ timebase: CMTimebase) -> CMTimebase? { timebase.sourceTimebase }

/// Returns the clock at the end of the chain of sources.
@discardableResult
public func CMTimebaseCopyUltimateSourceClock(_ timebase: CMTimebase) -> CMClock {
    timebase.ultimateSourceClock
}

/// Returns the source: a clock or a timebase.
@discardableResult
public func CMTimebaseCopySource(_ timebase: CMTimebase) -> any CMSyncProtocol { timebase.source }

/// Makes the timebase follow a clock; the time does not jump.
@discardableResult
public func CMTimebaseSetSourceClock(_ timebase: CMTimebase, newSourceClock: CMClock) -> OSStatus {
    status { try timebase.follow(newSourceClock) }
}

/// Makes the timebase follow another timebase, which must not follow this one; the time does not jump.
@discardableResult
public func CMTimebaseSetSourceTimebase(_ timebase: CMTimebase, newSourceTimebase: CMTimebase) -> OSStatus {
    status { try timebase.follow(newSourceTimebase) }
}
