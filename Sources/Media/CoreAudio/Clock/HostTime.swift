@_exported import CoreAudioTypes

// The host clock in Core Audio's spelling. Its unit is one nanosecond on Linux.

/// Returns the host clock's current time; same as `mach_absolute_time()`.
@discardableResult
public func AudioGetCurrentHostTime() -> UInt64 { mach_absolute_time() }

/// Returns the host clock's units per second.
@discardableResult
public func AudioGetHostClockFrequency() -> Float64 { 1_000_000_000 }

/// Returns the host clock's smallest step, in its units.
@discardableResult
public func AudioGetHostClockMinimumTimeDelta() -> UInt32 { 1 }

/// Converts a host time to nanoseconds.
@discardableResult
public func AudioConvertHostTimeToNanos(_ inHostTime: UInt64) -> UInt64 { inHostTime }

/// Converts nanoseconds to a host time.
@discardableResult
public func AudioConvertNanosToHostTime(_ inNanos: UInt64) -> UInt64 { inNanos }
