import Synchronization

/// Lets one caller at a time change something in several steps; the others wait in order. Any task.
final class EditTurns: Sendable {
    private struct State {
        var isTaken = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Runs `body` when no other caller's runs.
    func run<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(CommandError) -> Value
    ) async throws(CommandError) -> Value {
        await take()
        defer { give() }
        return try await body()
    }

    private func take(isolation: isolated (any Actor)? = #isolation) async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiters.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func give() {
        let next = state.withLock { state in
            guard state.waiters.isEmpty else { return Optional(state.waiters.removeFirst()) }
            state.isTaken = false
            return nil
        }
        next?.resume()
    }
}
