import TuttiMediaTime

/// A clock that runs by itself, such as the host clock.
public final class CMClock: CMSyncProtocol {
    private let reading: (@Sendable () -> HostTime)?

    private init() { reading = nil }

    /// Creates a clock from a function that reads it, for outputs with their own clock and for tests.
    package init(reading: @escaping @Sendable () -> HostTime) { self.reading = reading }

    /// This machine's monotonic clock, in nanoseconds; the same as `DispatchTime.uptimeNanoseconds`.
    public static var hostTimeClock: CMClock { host }

    private static let host = CMClock()

    /// The clock's current reading, on a timescale of nanoseconds.
    public var time: CMTime { CMTime(value: nanoseconds, timescale: nanosecondScale) }

    var nanoseconds: Int64 { reading?().nanoseconds ?? hostNanoseconds() }

    /// Whether this is the host clock.
    var isHost: Bool { reading == nil }

    /// Converts a host time to the units of ``mach_absolute_time()``, which are nanoseconds; 0 if the time is
    /// not a number, is negative or does not fit.
    public static func convertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
        guard let nanoseconds = hostTime.nanoseconds else { return 0 }
        return UInt64(max(0, nanoseconds))
    }

    /// Returns the host time of a ``mach_absolute_time()`` reading.
    public static func convertSystemUnitsToHostTime(_ units: UInt64) -> CMTime {
        CMTime(value: Int64(clamping: units), timescale: nanosecondScale)
    }

    /// Returns whether the two clocks may drift: `true` for any two different clocks.
    public func mightDrift(relativeTo other: CMClock) -> Bool { self !== other }

    /// Ends the clock's use of its device; has no effect here.
    public func invalidate() {}
}

/// Units per second of the times that clocks show.
let nanosecondScale: CMTimeScale = 1_000_000_000

/// Returns the host clock.
@discardableResult
public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }

/// Returns the clock's current reading.
@discardableResult
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }

/// Returns the host time of a ``mach_absolute_time()`` reading.
@discardableResult
public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
    CMClock.convertSystemUnitsToHostTime(hostTime)
}

/// Converts a host time to the units of ``mach_absolute_time()``, which are nanoseconds.
@discardableResult
public func CMClockConvertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
    CMClock.convertHostTimeToSystemUnits(hostTime)
}

/// Returns whether the two clocks may run at different rates.
@discardableResult
public func CMClockMightDrift(_ clock: CMClock, otherClock: CMClock) -> Bool {
    clock.mightDrift(relativeTo: otherClock)
}

/// Ends the clock's use of its device; has no effect here.
public func CMClockInvalidate(_ clock: CMClock) { clock.invalidate() }

/// Creates the clock of this machine's audio output.
///
/// Tutti schedules sound on the host clock and steers each output to the host clock. The result is the host
/// clock itself, and nothing drifts against it.
///
/// - Returns: `noErr`.
@discardableResult
public func CMAudioClockCreate(
    allocator: CFAllocator?, clockOut: UnsafeMutablePointer<CMClock?>
) -> OSStatus {
    clockOut.pointee = .hostTimeClock
    return noErr
}
