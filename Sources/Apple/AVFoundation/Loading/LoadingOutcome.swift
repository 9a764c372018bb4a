import Dispatch
import Synchronization

/// The final outcome of a loading, and the callers that wait for it. Any thread.
final class LoadingOutcome<Value: Sendable, Failure: Error>: Sendable {
    /// Takes the outcome, or `nil` if its waiter was cancelled.
    private typealias Waiter = @Sendable (Result<Value, Failure>?) -> Void

    private struct State {
        var result: Result<Value, Failure>?
        var waiters: [Int: Waiter] = [:]
        /// Tickets that were cancelled before their waiters were added.
        var gone: Set<Int> = []
        var lastTicket = 0
    }

    private let state = Mutex(State())

    /// The outcome; `nil` before loading has ended.
    var result: Result<Value, Failure>? { state.withLock { $0.result } }

    /// Sets the outcome and calls the waiters in their order; does nothing if there is an outcome already.
    func finish(_ result: Result<Value, Failure>) {
        let waiters: [Int: Waiter] = state.withLock { state in
            guard state.result == nil else { return [:] }
            state.result = result
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.sorted(by: { $0.key < $1.key }) { waiter.value(result) }
    }

    // MARK: Waiting

    /// Calls `body` once with the outcome, on any thread, perhaps before returning.
    func whenFinished(_ body: @escaping @Sendable (Result<Value, Failure>) -> Void) {
        add(makeTicket()) { if let result = $0 { body(result) } }
    }

    /// Returns the value. Cancelling the task throws `CancellationError` and leaves the loading running.
    func value() async throws -> Value {
        let ticket = makeTicket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(ticket) {
                    continuation.resume(with: $0?.mapError { $0 } ?? .failure(CancellationError()))
                }
            }
        } onCancel: {
            leave(ticket)
        }
    }

    /// Blocks the calling thread until loading has ended.
    func wait() {
        let done = DispatchSemaphore(value: 0)
        whenFinished { _ in done.signal() }
        done.wait()
    }

    /// Returns a new ticket that identifies one waiter.
    private func makeTicket() -> Int {
        state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
    }

    private func add(_ ticket: Int, _ waiter: @escaping Waiter) {
        let (isOver, result): (Bool, Result<Value, Failure>?) = state.withLock { state in
            if state.gone.remove(ticket) != nil { return (true, nil) }
            if let result = state.result { return (true, result) }
            state.waiters[ticket] = waiter
            return (false, nil)
        }
        if isOver { waiter(result) }
    }

    /// Cancels one waiter; loading continues for the others.
    private func leave(_ ticket: Int) {
        let waiter: Waiter? = state.withLock { state in
            if let waiter = state.waiters.removeValue(forKey: ticket) { return waiter }
            if state.result == nil { state.gone.insert(ticket) }
            return nil
        }
        waiter?(nil)
    }
}
