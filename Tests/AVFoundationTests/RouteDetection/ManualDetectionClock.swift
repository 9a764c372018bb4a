import MediaTime
import Synchronization

@testable import AVFoundation

/// A clock that only the test advances.
final class ManualDetectionClock: Sendable {
    private struct State {
        var now = HostTime(nanoseconds: 0)
        var wakes: [(time: HostTime, body: @Sendable () -> Void)] = []
    }

    private let state = Mutex(State())

    var clock: DetectionClock {
        DetectionClock(
            now: { [self] in state.withLock { $0.now } },
            wake: { [self] time, body in state.withLock { $0.wakes.append((time, body)) } })
    }

    /// Wake-ups that are still pending.
    var waiting: Int { state.withLock { $0.wakes.count } }

    /// Advances the time, and makes the calls that are due.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            defer { state.wakes.removeAll { $0.time <= now } }
            return state.wakes.filter { $0.time <= now }
        }
        for wake in due { wake.body() }
    }
}
