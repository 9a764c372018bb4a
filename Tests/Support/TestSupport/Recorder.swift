import Synchronization

/// A value that other threads change, and a way to wait for its changes.
package final class Recorder<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        /// Observers of changes; an observer returns true when it is done.
        var waiters: [Int: @Sendable (Value) -> Bool] = [:]
        var nextWaiter = 0
    }

    package struct Timeout: Error, CustomStringConvertible {
        package let description: String
    }

    private let state: Mutex<State>

    package init(_ value: Value) { state = Mutex(State(value: value)) }

    package var value: Value { state.withLock { $0.value } }

    package func update<Result>(_ body: (inout Value) -> sending Result) -> sending Result {
        state.withLock { state in
            let result = body(&state.value)
            for (key, waiter) in state.waiters where waiter(state.value) {
                state.waiters.removeValue(forKey: key)
            }
            return result
        }
    }

    /// Waits until `probe` returns a value.
    ///
    /// - Parameter limit: Ends only a failed test; no passing test waits for it.
    package func wait<Found: Sendable>(
        for what: String, limit: Duration = .seconds(120), _ probe: @escaping @Sendable (Value) -> Found?
    ) async throws -> Found {
        let found = AsyncStream.makeStream(of: Found.self)
        let key = state.withLock { state in
            if let now = probe(state.value) {
                found.continuation.yield(now)
                return -1
            }
            state.nextWaiter += 1
            state.waiters[state.nextWaiter] = { value in
                guard let result = probe(value) else { return false }
                found.continuation.yield(result)
                return true
            }
            return state.nextWaiter
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            found.continuation.finish()
        }
        defer {
            timer.cancel()
            state.withLock { _ = $0.waiters.removeValue(forKey: key) }
        }
        for await result in found.stream { return result }
        throw Timeout(description: "no \(what) within \(limit); last: \(value)")
    }
}
