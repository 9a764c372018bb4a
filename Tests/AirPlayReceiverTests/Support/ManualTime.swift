import MediaTime
import Synchronization
import SystemIO

/// Host time as the test sets it; 0 at first.
final class ManualTime: HostClock {
    let nanoseconds = Atomic<Int64>(0)

    var now: HostTime { HostTime(nanoseconds: nanoseconds.load(ordering: .relaxed)) }
}
