import Dispatch
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

/// A wake-up on a dispatch queue. Its release cancels the pending call.
public final class QueueWakeUp: WakeUp {
    private struct State {
        var timer: (any DispatchSourceTimer)?
        var pending: (time: HostTime, body: @Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let queue: DispatchQueue
    private let leeway: Duration

    /// - Parameters:
    ///   - queue: A serial queue, which makes the calls.
    ///   - leeway: The time by which a call may be late, so that it may share a wake-up with others.
    public init(on queue: DispatchQueue, leeway: Duration = .zero) {
        (self.queue, self.leeway) = (queue, leeway)
    }

    deinit { _ = state.withLock { $0.timer?.cancel() } }

    public func set(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        set(at: SystemClock.now.advanced(by: max(.zero, delay)), body)
    }

    /// Calls `body` once, at host time `time` or as soon as possible; replaces the pending call.
    public func set(at time: HostTime, _ body: @escaping @Sendable () -> Void) {
        // The replaced closure is released outside the lock.
        let old = state.withLock { state in
            defer {
                state.pending = (time, body)
                let timer = state.timer ?? makeTimer()
                state.timer = timer
                schedule(timer, at: time)
            }
            return state.pending
        }
        withExtendedLifetime(old) {}
    }

    public func cancel() {
        let old = state.withLock { state in
            state.timer?.schedule(deadline: .distantFuture)
            return state.pending.take()
        }
        withExtendedLifetime(old) {}
    }

    private func makeTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(flags: leeway == .zero ? .strict : [], queue: queue)
        timer.setEventHandler { [weak self] in self?.fire() }
        timer.activate()
        return timer
    }

    private func schedule(_ timer: any DispatchSourceTimer, at time: HostTime) {
        timer.schedule(
            deadline: DispatchTime(uptimeNanoseconds: UInt64(max(0, time.nanoseconds))),
            leeway: .nanoseconds(Int(leeway.wholeNanoseconds)))
    }

    private func fire() {
        let due = state.withLock { state -> (@Sendable () -> Void)? in
            guard let pending = state.pending else { return nil }
            // The timer had already fired for an earlier deadline when this call was set.
            guard pending.time <= SystemClock.now else {
                if let timer = state.timer { schedule(timer, at: pending.time) }
                return nil
            }
            state.pending = nil
            return pending.body
        }
        due?()
    }
}
