/// A point on this machine's monotonic clock, in nanoseconds.
///
/// The base is `CLOCK_MONOTONIC`, like that of `DispatchTime.uptimeNanoseconds`. Wall-clock steps do not move
/// host time.
public struct HostTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since the clock's base.
    public var nanoseconds: Int64

    /// Creates a host time.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The last host time, 292 years after the clock's base; as a deadline, never.
    public static let distantFuture = HostTime(nanoseconds: .max)

    /// Returns whether `left` is before `right`.
    public static func < (left: HostTime, right: HostTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Returns the time `duration` later; saturates at 64 bits.
    public func advanced(by duration: Duration) -> HostTime {
        advanced(byNanoseconds: duration.wholeNanoseconds)
    }

    /// Returns the time `distance` nanoseconds later; saturates at 64 bits.
    package func advanced(byNanoseconds distance: Int64) -> HostTime {
        HostTime(nanoseconds: nanoseconds.addingSaturated(distance))
    }

    /// Returns the first multiple of `interval` after this point; `interval` is positive.
    ///
    /// Timers that wait for multiples of one interval expire together, so one wake-up serves them all.
    public func next(multipleOf interval: Duration) -> HostTime {
        let step = max(1, interval.wholeNanoseconds)
        let rest = nanoseconds % step
        return advanced(byNanoseconds: rest < 0 ? -rest : step - rest)
    }

    /// Returns the time from `earlier` to this point; negative if this point is the earlier one. Saturates at
    /// 64 bits of nanoseconds.
    public func since(_ earlier: HostTime) -> Duration {
        .nanoseconds(nanoseconds(since: earlier))
    }

    /// Returns the nanoseconds from `earlier` to this point, saturated; negative if this point is the earlier
    /// one.
    package func nanoseconds(since earlier: HostTime) -> Int64 {
        nanoseconds.subtractingSaturated(earlier.nanoseconds)
    }
}

extension Duration {
    /// The duration in nanoseconds, rounded toward zero and clamped to ±292 years.
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        return scaled &+ attoseconds / 1_000_000_000
    }

    /// The duration in seconds.
    public var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
