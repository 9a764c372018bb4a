import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// Host time set by the test; 0 at first.
final class ManualTime: HostClock {
    let nanoseconds = Atomic<Int64>(0)

    var now: HostTime { HostTime(nanoseconds: nanoseconds.load(ordering: .relaxed)) }
}
