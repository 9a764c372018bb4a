import Glibc
import TuttiMediaTime

/// A source of host time: the machine's clock, or a test's.
package protocol HostClock: Sendable {
    /// The current host time. Thread-safe; never blocks.
    var now: HostTime { get }
}

/// The machine's own clock, `CLOCK_MONOTONIC`.
package struct SystemClock: HostClock {
    /// Creates a clock; all instances tell the same time.
    package init() {}

    package var now: HostTime { Self.now }

    /// The current host time; takes tens of nanoseconds, without a system call on common hardware.
    package static var now: HostTime { HostTime(nanoseconds: nanoseconds(of: CLOCK_MONOTONIC)) }

    /// Nanoseconds of the wall clock; only for converting kernel stamps.
    static var wallNanoseconds: Int64 { nanoseconds(of: CLOCK_REALTIME) }

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.inNanoseconds
    }
}

extension timespec {
    var inNanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
}
