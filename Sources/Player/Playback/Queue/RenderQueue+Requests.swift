import Synchronization
import TuttiSystemIO

// The block that a program enqueues from.
extension RenderQueue {
    /// Back-off before the next call of a request block that enqueued nothing.
    static let idlePause = Duration.milliseconds(10)

    /// Calls `block` on `queue` whenever the route can take data, until ``stopRequesting()``. Replaces an
    /// earlier block.
    package func request(on queue: SerialQueue, using block: @escaping @Sendable () -> Void) {
        // Released outside the lock: the old block may be the last to hold an owner whose `deinit` calls this
        // queue.
        let old = guarded.withLock { $0.state.request(on: queue, using: block) }
        withExtendedLifetime(old) { schedule() }
    }

    /// Ends the requests and signals the end of data.
    package func stopRequesting() {
        if guarded.withLock({ $0.state.endRequest(isComplete: true) }) != nil { call(.endOfData) }
    }

    /// Ends the requests without signalling the end of data, so that the last samples wait for more.
    package func pauseRequesting() { _ = guarded.withLock { $0.state.endRequest(isComplete: false) } }

    func schedule(after pause: Duration? = nil) {
        guard isReadyForMoreData, let request = guarded.withLock({ $0.state.schedule() }) else { return }
        let run: @Sendable () -> Void = { [weak self] in self?.run(request) }
        if let pause {
            request.queue.async(after: pause, run)
        } else {
            request.queue.async(execute: run)
        }
    }

    private func run(_ request: RenderQueueState.Request) {
        guard guarded.withLock({ $0.state.begin(request.id) }) else { return }
        if isReadyForMoreData { request.block() }
        let hasEnqueued = guarded.withLock { $0.state.returned() }
        schedule(after: hasEnqueued ? nil : Self.idlePause)
    }
}
