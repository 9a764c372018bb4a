import Dispatch
import TuttiMediaTime

/// A timer of a serial queue: calls once at each time that it is given. Its owner guards it.
package protocol QueueTimer {
    /// Replaces the time of the next call; ``HostTime/distantFuture`` means never.
    func schedule(at time: HostTime)

    /// Makes no further call, and releases what the call holds.
    func cancel()
}

/// A timer of a dispatch queue.
struct DispatchTimer: QueueTimer {
    private let source: any DispatchSourceTimer
    private let leeway: Duration

    init(on queue: DispatchQueue, leeway: Duration, _ body: @escaping @Sendable () -> Void) {
        self.leeway = leeway
        source = DispatchSource.makeTimerSource(flags: leeway == .zero ? .strict : [], queue: queue)
        source.setEventHandler(handler: body)
        source.activate()
    }

    func schedule(at time: HostTime) {
        guard time != .distantFuture else { return source.schedule(deadline: .distantFuture) }
        source.schedule(
            deadline: DispatchTime(uptimeNanoseconds: UInt64(max(0, time.nanoseconds))),
            leeway: .nanoseconds(Int(leeway.wholeNanoseconds)))
    }

    func cancel() { source.cancel() }
}
