import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// Host time that only a test advances. Begins an hour ahead of the machine's time, so that nothing that
/// waits for it happens by itself.
final class ManualClock: HostClock {
    private let time: Mutex<HostTime>

    init(_ start: HostTime = SystemClock.now.advanced(by: .seconds(3600))) { time = Mutex(start) }

    var now: HostTime { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}
