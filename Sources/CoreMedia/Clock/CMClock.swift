import MediaTime

/// A clock that runs by itself.
public final class CMClock: CMSyncProtocol {
    private let reading: (@Sendable () -> HostTime)?

    private init() { reading = nil }

    /// A clock that a function reads, for outputs with a clock of their own and for tests.
    package init(reading: @escaping @Sendable () -> HostTime) { self.reading = reading }

    /// This machine's monotonic clock, in nanoseconds; the same as `DispatchTime.uptimeNanoseconds`.
    public static var hostTimeClock: CMClock { host }

    private static let host = CMClock()

    /// The clock's reading now, on a timescale of a thousand million.
    public var time: CMTime { CMTime(value: nanoseconds, timescale: nanosecondScale) }

    var nanoseconds: Int64 { reading?().nanoseconds ?? hostNanoseconds() }

    /// Whether this is the host clock.
    var isHost: Bool { reading == nil }

    /// A host time in the units of ``mach_absolute_time()``, which are nanoseconds; 0 if it has none.
    public static func convertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
        guard let nanoseconds = hostTime.nanoseconds else { return 0 }
        return UInt64(max(0, nanoseconds))
    }

    /// The host time of a reading of ``mach_absolute_time()``.
    public static func convertSystemUnitsToHostTime(_ units: UInt64) -> CMTime {
        CMTime(value: Int64(clamping: units), timescale: nanosecondScale)
    }

    /// Whether the two clocks may run at different speeds: whether they are two.
    public func mightDrift(relativeTo other: CMClock) -> Bool { self !== other }

    /// Ends the clock's use of its device; the host clock has none.
    public func invalidate() {}
}

/// Units per second of the times that clocks give.
let nanosecondScale: CMTimeScale = 1_000_000_000

extension CMTime {
    /// The time in whole nanoseconds; `nil` if it is not a number or does not fit.
    package var nanoseconds: Int64? {
        guard kind == .number else { return nil }
        let converted = convertScale(nanosecondScale, method: .default)
        return converted.kind == .number ? converted.value : nil
    }

    /// The time of so many nanoseconds.
    package init(nanoseconds: Int64) { self.init(value: nanoseconds, timescale: nanosecondScale) }
}

/// The host clock.
@discardableResult
public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }

/// The clock's reading now.
@discardableResult
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }

/// The host time of a reading of ``mach_absolute_time()``.
@discardableResult
public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
    CMClock.convertSystemUnitsToHostTime(hostTime)
}

/// A host time in the units of ``mach_absolute_time()``.
@discardableResult
public func CMClockConvertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
    CMClock.convertHostTimeToSystemUnits(hostTime)
}

/// Whether the two may run at different speeds.
@discardableResult
public func CMClockMightDrift(_ clock: CMClock, otherClock: CMClock) -> Bool {
    clock.mightDrift(relativeTo: otherClock)
}

/// Ends the clock's use of its device.
public func CMClockInvalidate(_ clock: CMClock) { clock.invalidate() }

/// Makes the clock of the sound that this machine plays.
///
/// Sound is laid on the host clock here, and each output is steered to it; so this is the host clock itself, and
/// nothing drifts against it.
///
/// - Returns: `noErr`.
@discardableResult
public func CMAudioClockCreate(
    allocator: CFAllocator?, clockOut: UnsafeMutablePointer<CMClock?>
) -> OSStatus {
    clockOut.pointee = .hostTimeClock
    return noErr
}
