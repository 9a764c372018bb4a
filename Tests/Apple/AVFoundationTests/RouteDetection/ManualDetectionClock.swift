import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// A clock and a wake-up whose time only a test moves.
final class ManualDetectionClock: HostClock, WakeUp {
    private struct State {
        var now = HostTime(nanoseconds: 0)
        var pending: (time: HostTime, body: @Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var now: HostTime { state.withLock { $0.now } }

    /// The number of pending wake-ups.
    var waiting: Int { state.withLock { $0.pending == nil ? 0 : 1 } }

    func set(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.pending = ($0.now.advanced(by: delay), body) }
    }

    func cancel() { state.withLock { $0.pending = nil } }

    /// Moves on, and makes the call that is due.
    func advance(by duration: Duration) {
        let due = state.withLock { state -> (@Sendable () -> Void)? in
            state.now = state.now.advanced(by: duration)
            guard let pending = state.pending, pending.time <= state.now else { return nil }
            state.pending = nil
            return pending.body
        }
        due?()
    }
}
