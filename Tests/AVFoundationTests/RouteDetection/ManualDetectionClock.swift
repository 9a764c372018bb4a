import MediaTime
import Synchronization

@testable import AVFoundation

/// Time that only a test moves.
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

    /// Wake-ups that are still to come.
    var waiting: Int { state.withLock { $0.wakes.count } }

    /// Moves on, and makes the calls that are due.
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
