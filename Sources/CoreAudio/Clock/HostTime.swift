@_exported import CoreAudioTypes

// The host clock in Core Audio's spelling. Its unit is a nanosecond here.

/// The host clock's reading now; the same as `mach_absolute_time()`.
@discardableResult
public func AudioGetCurrentHostTime() -> UInt64 { mach_absolute_time() }

/// Units of the host clock in a second.
@discardableResult
public func AudioGetHostClockFrequency() -> Float64 { 1_000_000_000 }

/// The smallest step of the host clock, in its units.
@discardableResult
public func AudioGetHostClockMinimumTimeDelta() -> UInt32 { 1 }

/// A reading of the host clock in nanoseconds.
@discardableResult
public func AudioConvertHostTimeToNanos(_ inHostTime: UInt64) -> UInt64 { inHostTime }

/// Nanoseconds as a reading of the host clock.
@discardableResult
public func AudioConvertNanosToHostTime(_ inNanos: UInt64) -> UInt64 { inNanos }
