import Dispatch
import Synchronization

/// Runs a program's request block while its renderer wants data: never twice at once, at most once pending.
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

    /// How long a block that brings nothing is left alone before it is called again.
    private static let idlePause = DispatchTimeInterval.milliseconds(10)

    private let state = Mutex(State())

    /// Whether the block was stopped and has not returned yet: until then no more data is wanted, or a loop
    /// that looks at nothing else would never end.
    var isStopping: Bool { state.withLock { $0.isStoppedInside } }

    /// Puts a block in the place of the one before; run it by ``wake(while:)``.
    func set(on queue: DispatchQueue, block: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.lastID += 1
            state.request = Request(id: state.lastID, queue: queue, block: block)
            state.isScheduled = false
            state.isStoppedInside = false
        }
    }

    /// No new run begins after this.
    ///
    /// - Returns: whether there was a block.
    func stop() -> Bool {
        state.withLock { state in
            defer { state.request = nil }
            state.isScheduled = false
            state.isStoppedInside = state.isRunning
            return state.request != nil
        }
    }

    /// Data has come.
    func noteData() { state.withLock { $0.dataCount += 1 } }

    /// Runs the block on its queue, now and again after each return, while more is wanted.
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
        let broughtNothing = state.withLock { state in
            state.isRunning = false
            state.isStoppedInside = false
            return state.dataCount == before
        }
        schedule(after: broughtNothing ? Self.idlePause : nil, while: isReady)
    }
}
