import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// Host time that advances only when a test says so.
public final class MovableClock: HostClock {
    private let time = Mutex(HostTime(nanoseconds: 1_000_000_000))

    public init() {}

    public var now: HostTime { time.withLock { $0 } }

    public func advance(by duration: Duration) {
        time.withLock { $0 = $0.advanced(by: duration) }
    }
}
