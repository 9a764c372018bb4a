import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// A host clock that only the test advances.
final class ManualClock: HostClock {
    private let time: Mutex<HostTime>

    init(at time: HostTime = HostTime(nanoseconds: 1_000_000_000)) { self.time = Mutex(time) }

    var now: HostTime { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}
