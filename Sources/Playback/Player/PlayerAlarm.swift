import Dispatch
import MediaTime

/// Calls for a player's turn later; only the last wish counts.
package protocol PlayerAlarm: Sendable {
    func set(after pause: Duration, _ body: @escaping @Sendable () -> Void)
    func cancel()
}

/// On the player's queue, by the machine's clock.
final class DispatchAlarm: PlayerAlarm, @unchecked Sendable {
    // Safe to share: dispatch sources are.
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
