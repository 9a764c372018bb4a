/// A point on this machine's monotonic clock, in nanoseconds.
///
/// The base is `CLOCK_MONOTONIC`, the same as `DispatchTime.uptimeNanoseconds`. Wall-clock
/// steps do not move it.
public struct HostTime: Hashable, Comparable, Sendable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static func < (left: HostTime, right: HostTime) -> Bool { left.nanoseconds < right.nanoseconds }

    public func advanced(by duration: Duration) -> HostTime {
        HostTime(nanoseconds: nanoseconds &+ duration.wholeNanoseconds)
    }

    /// The time from `earlier` to this point; negative if this point is the earlier one.
    public func since(_ earlier: HostTime) -> Duration { .nanoseconds(nanoseconds &- earlier.nanoseconds) }
}

extension Duration {
    /// This length in nanoseconds, rounded toward zero, held inside ±292 years.
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        return scaled &+ attoseconds / 1_000_000_000
    }

    /// This length in seconds.
    public var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
