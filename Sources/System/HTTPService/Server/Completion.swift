import Synchronization

/// The end of the server's thread, awaited.
final class Completion: Sendable {
    private enum State {
        case idle, running([CheckedContinuation<Void, Never>]), ended
    }

    private let state = Mutex(State.idle)

    /// - Returns: Whether this is the first call.
    func begin() -> Bool {
        state.withLock { state in
            guard case .idle = state else { return false }
            state = .running([])
            return true
        }
    }

    func finish() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            defer { state = .ended }
            guard case .running(let waiting) = state else { return [] }
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns at once if the thread does not run.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isRunning = state.withLock { state in
                guard case .running(let waiting) = state else { return false }
                state = .running(waiting + [continuation])
                return true
            }
            if !isRunning { continuation.resume() }
        }
    }
}
