import Synchronization
import TuttiMediaTime

/// A call at a later time, which can be replaced and cancelled: a timer on a serial queue, or a test's.
///
/// At most one call is pending. On the serial queue that makes the calls, an earlier call never begins after
/// ``set(after:_:)`` or ``cancel()`` returned; on another thread it may be running by then. Any thread.
public protocol WakeUp: Sendable {
    /// Calls `body` once, `delay` from now or as soon as possible; replaces the pending call.
    func set(after delay: Duration, _ body: @escaping @Sendable () -> Void)

    /// Drops the pending call; ``set(after:_:)`` may follow. Idempotent.
    func cancel()
}

/// A wake-up on a serial queue. Its release cancels the pending call.
public final class QueueWakeUp: WakeUp {
    private struct State {
        var timer: (any QueueTimer)?
        var pending: (time: HostTime, body: @Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let queue: SerialQueue
    private let leeway: Duration

    /// - Parameters:
    ///   - queue: Makes the calls.
    ///   - leeway: The time by which a call may be late, so that it may share a wake-up with others.
    public init(on queue: SerialQueue, leeway: Duration = .zero) {
        (self.queue, self.leeway) = (queue, leeway)
    }

    deinit { _ = state.withLock { $0.timer?.cancel() } }

    public func set(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        set(at: queue.now.advanced(by: max(.zero, delay)), body)
    }

    /// Calls `body` once, at host time `time` or as soon as possible; replaces the pending call.
    public func set(at time: HostTime, _ body: @escaping @Sendable () -> Void) {
        // The replaced closure is released outside the lock.
        let old = state.withLock { state in
            defer {
                state.pending = (time, body)
                let timer = state.timer ?? queue.makeTimer(leeway: leeway) { [weak self] in self?.fire() }
                state.timer = timer
                timer.schedule(at: time)
            }
            return state.pending
        }
        withExtendedLifetime(old) {}
    }

    public func cancel() {
        let old = state.withLock { state in
            state.timer?.schedule(at: .distantFuture)
            return state.pending.take()
        }
        withExtendedLifetime(old) {}
    }

    private func fire() {
        let due = state.withLock { state -> (@Sendable () -> Void)? in
            guard let pending = state.pending else { return nil }
            // The timer had already fired for an earlier deadline when this call was set.
            guard pending.time <= queue.now else {
                state.timer?.schedule(at: pending.time)
                return nil
            }
            state.pending = nil
            return pending.body
        }
        due?()
    }
}
