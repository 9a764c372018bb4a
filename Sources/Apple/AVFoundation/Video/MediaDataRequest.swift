import Dispatch
import Synchronization

/// A scheduler of a program's request block while the renderer wants data. Runs never overlap, and at most
/// one run is pending.
final class MediaDataRequest: Sendable {
    private struct Request {
        let id: Int
        let queue: DispatchQueue
        let block: @Sendable () -> Void
    }

    private struct State {
        var request: Request?
        var lastID = 0
        var isScheduled = false
        var isRunning = false
        var isStoppedInside = false
        var dataCount = 0
    }

    /// Back-off after a run that enqueued nothing.
    private static let idlePause = DispatchTimeInterval.milliseconds(10)

    private let state = Mutex(State())

    /// Whether the block was stopped but has not returned yet. Until it returns, the renderer reports that it
    /// wants no data; otherwise a block that loops on that property alone would never end.
    var isStopping: Bool { state.withLock { $0.isStoppedInside } }

    /// Replaces the request block; ``wake(while:)`` runs the new block.
    func set(on queue: DispatchQueue, block: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.lastID += 1
            state.request = Request(id: state.lastID, queue: queue, block: block)
            state.isScheduled = false
            state.isStoppedInside = false
        }
    }

    /// Removes the block; no new run begins.
    ///
    /// - Returns: Whether a block was set.
    func stop() -> Bool {
        state.withLock { state in
            defer { state.request = nil }
            state.isScheduled = false
            state.isStoppedInside = state.isRunning
            return state.request != nil
        }
    }

    /// Counts enqueued data, so that a run that enqueues nothing backs off.
    func noteData() { state.withLock { $0.dataCount += 1 } }

    /// Runs the block on its queue, now and after each return, while `isReady` returns `true`.
    func wake(while isReady: @escaping @Sendable () -> Bool) { schedule(after: nil, while: isReady) }

    private func schedule(after pause: DispatchTimeInterval?, while isReady: @escaping @Sendable () -> Bool) {
        guard isReady() else { return }
        let request: Request? = state.withLock { state in
            guard let request = state.request, !state.isScheduled, !state.isRunning else { return nil }
            state.isScheduled = true
            return request
        }
        guard let request else { return }
        let deadline = pause.map { DispatchTime.now() + $0 }
        let run: @Sendable () -> Void = { [weak self] in self?.run(request, while: isReady) }
        if let deadline {
            request.queue.asyncAfter(deadline: deadline, execute: run)
        } else {
            request.queue.async(execute: run)
        }
    }

    private func run(_ request: Request, while isReady: @escaping @Sendable () -> Bool) {
        let before: Int? = state.withLock { state in
            guard state.request?.id == request.id else { return nil }
            state.isScheduled = false
            guard !state.isRunning else { return nil }
            state.isRunning = true
            return state.dataCount
        }
        guard let before else { return }
        if isReady() { request.block() }
        let enqueuedNothing = state.withLock { state in
            state.isRunning = false
            state.isStoppedInside = false
            return state.dataCount == before
        }
        schedule(after: enqueuedNothing ? Self.idlePause : nil, while: isReady)
    }
}
