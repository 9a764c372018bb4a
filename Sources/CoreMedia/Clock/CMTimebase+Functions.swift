import Foundation

// CMTimebase in its C spelling.

/// A parameter is missing.
public let kCMTimebaseError_MissingRequiredParameter: OSStatus = -12748
/// A parameter makes no sense.
public let kCMTimebaseError_InvalidParameter: OSStatus = -12749
/// No memory.
public let kCMTimebaseError_AllocationFailed: OSStatus = -12750
/// Only the timebase's maker may move it.
public let kCMTimebaseError_ReadOnly: OSStatus = -12757

/// Posted when the rate changed.
public let kCMTimebaseNotification_EffectiveRateChanged = CMTimebase.effectiveRateChanged
/// Posted when the time moved other than by running.
public let kCMTimebaseNotification_TimeJumped = CMTimebase.timeJumped

/// Makes a timebase that follows a clock.
@discardableResult
public func CMTimebaseCreateWithSourceClock(
    allocator: CFAllocator?, sourceClock: CMClock, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    timebaseOut.pointee = CMTimebase(sourceClock: sourceClock)
    return noErr
}

/// Makes a timebase that follows another.
@discardableResult
public func CMTimebaseCreateWithSourceTimebase(
    allocator: CFAllocator?, sourceTimebase: CMTimebase, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
    timebaseOut.pointee = CMTimebase(sourceTimebase: sourceTimebase)
    return noErr
}

/// The time now.
@discardableResult
public func CMTimebaseGetTime(_ timebase: CMTimebase) -> CMTime { timebase.time }

/// The time now on a timescale of the caller's.
@discardableResult
public func CMTimebaseGetTimeWithTimeScale(
    _ timebase: CMTimebase, timescale: CMTimeScale, method: CMTimeRoundingMethod
) -> CMTime {
    timebase.time(withTimescale: timescale, rounding: method)
}

/// The speed by the source's time.
@discardableResult
public func CMTimebaseGetRate(_ timebase: CMTimebase) -> Float64 { timebase.rate }

/// The speed by the clock at the end of the sources.
@discardableResult
public func CMTimebaseGetEffectiveRate(_ timebase: CMTimebase) -> Float64 { timebase.effectiveRate }

/// Time and rate of one moment.
@discardableResult
public func CMTimebaseGetTimeAndRate(
    _ timebase: CMTimebase, timeOut: UnsafeMutablePointer<CMTime>?, rateOut: UnsafeMutablePointer<Float64>?
) -> OSStatus {
    let (time, rate) = timebase.timeAndRate
    timeOut?.pointee = time
    rateOut?.pointee = rate
    return noErr
}

/// Moves the time.
@discardableResult
public func CMTimebaseSetTime(_ timebase: CMTimebase, time: CMTime) -> OSStatus {
    status { try timebase.setTime(time) }
}

/// Changes the speed.
@discardableResult
public func CMTimebaseSetRate(_ timebase: CMTimebase, rate: Float64) -> OSStatus {
    status { try timebase.setRate(rate) }
}

/// Says what the time is when the source shows `immediateSourceTime`.
@discardableResult
public func CMTimebaseSetAnchorTime(
    _ timebase: CMTimebase, timebaseTime: CMTime, immediateSourceTime: CMTime
) -> OSStatus {
    status { try timebase.setAnchorTime(timebaseTime, referenceTime: immediateSourceTime) }
}

/// Sets the speed, and the time when the source shows `immediateSourceTime`.
@discardableResult
public func CMTimebaseSetRateAndAnchorTime(
    _ timebase: CMTimebase, rate: Float64, anchorTime: CMTime, immediateSourceTime: CMTime
) -> OSStatus {
    status {
        try timebase.setRateAndAnchorTime(
            rate: rate, anchorTime: anchorTime, referenceTime: immediateSourceTime)
    }
}

/// The source, if it is a clock.
@discardableResult
public func CMTimebaseCopySourceClock(_ timebase: CMTimebase) -> CMClock? { timebase.sourceClock }

/// The source, if it is a timebase.
@discardableResult
public func CMTimebaseCopySourceTimebase(_ timebase: CMTimebase) -> CMTimebase? { timebase.sourceTimebase }

/// The clock at the end of the sources.
@discardableResult
public func CMTimebaseCopyUltimateSourceClock(_ timebase: CMTimebase) -> CMClock {
    timebase.ultimateSourceClock
}

/// The source: a clock or a timebase.
@discardableResult
public func CMTimebaseCopySource(_ timebase: CMTimebase) -> any CMSyncProtocol { timebase.source }

/// Makes the timebase follow a clock; its time does not jump.
@discardableResult
public func CMTimebaseSetSourceClock(_ timebase: CMTimebase, newSourceClock: CMClock) -> OSStatus {
    status { try timebase.follow(newSourceClock) }
}

/// Makes the timebase follow another, which must not follow it; its time does not jump.
@discardableResult
public func CMTimebaseSetSourceTimebase(_ timebase: CMTimebase, newSourceTimebase: CMTimebase) -> OSStatus {
    status { try timebase.follow(newSourceTimebase) }
}
