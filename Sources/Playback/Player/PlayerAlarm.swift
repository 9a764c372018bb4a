import Dispatch
import MediaTime

/// A one-shot timer; a new deadline replaces the pending one.
package protocol PlayerAlarm: Sendable {
    /// Calls `body` once after `pause`; cancels the pending call.
    func set(after pause: Duration, _ body: @escaping @Sendable () -> Void)
    func cancel()
}

/// A timer on a dispatch queue.
final class DispatchAlarm: PlayerAlarm, @unchecked Sendable {
    // Safe to share: dispatch sources are thread-safe.
    private let timer: any DispatchSourceTimer

    init(queue: DispatchQueue) {
        timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        timer.resume()
    }

    deinit { timer.cancel() }

    func set(after pause: Duration, _ body: @escaping @Sendable () -> Void) {
        timer.setEventHandler(handler: body)
        timer.schedule(deadline: .now() + max(0, pause.inSeconds), leeway: .nanoseconds(0))
    }

    func cancel() { timer.cancel() }
}
