import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// Host time that advances only when a test says so.
package final class MovableClock: HostClock {
    private let time = Mutex(HostTime(nanoseconds: 1_000_000_000))

    package init() {}

    package var now: HostTime { time.withLock { $0 } }

    package func advance(by duration: Duration) {
        time.withLock { $0 = $0.advanced(by: duration) }
    }
}
