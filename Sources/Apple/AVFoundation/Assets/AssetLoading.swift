import Dispatch
import Foundation
import Synchronization
import TuttiCodecs

/// Opens a source once for all callers, on a queue of its own; only ``waitForContents()`` blocks. Any thread.
///
/// Success and failure are final; after a cancellation the next request starts a new attempt.
final class AssetLoading: Sendable {
    enum Progress {
        case idle
        case loading
        case finished(Result<AssetContents, AVError>)
    }

    private let open: @Sendable (MediaInterrupt) throws -> AssetContents
    private let queue = DispatchQueue(label: "tutti.asset", qos: .userInitiated)
    private struct State {
        var attempt: LoadingAttempt?
        /// Whether a caller has requested the contents; ``forget()`` then keeps them.
        var wasAsked = false
    }

    private let state = Mutex(State())

    /// - Parameter open: Opens the source on the loading queue; may block until it is interrupted.
    init(open: @escaping @Sendable (MediaInterrupt) throws -> AssetContents) { self.open = open }

    deinit { state.withLock { $0.attempt }?.cancel() }

    var progress: Progress {
        let attempt = state.withLock { state in
            state.wasAsked = true
            return state.attempt
        }
        guard let attempt else { return .idle }
        return attempt.result.map { .finished($0) } ?? .loading
    }

    /// The contents if loading has succeeded; counts as a request.
    var loaded: AssetContents? {
        guard case .finished(.success(let contents)) = progress else { return nil }
        return contents
    }

    /// The contents if loading has succeeded; does not count as a request.
    var known: AssetContents? { try? state.withLock { $0.attempt }?.result?.get() }

    /// Calls `body` once with the outcome, on any thread, perhaps before returning. Starts loading if needed.
    func whenFinished(_ body: @escaping @Sendable (Result<AssetContents, AVError>) -> Void) {
        current().add(body)
    }

    /// Returns the outcome. Cancelling the task throws `CancellationError` and leaves the loading running.
    func contents() async throws -> AssetContents {
        let attempt = current()
        let ticket = attempt.ticket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                attempt.add(ticket) { continuation.resume(with: $0) }
            }
        } onCancel: {
            attempt.leave(ticket)
        }
    }

    /// Returns the outcome; blocks the calling thread until loading has ended.
    func waitForContents() throws(AVError) -> AssetContents {
        let done = DispatchSemaphore(value: 0)
        let outcome = Mutex<Result<AssetContents, AVError>?>(nil)
        whenFinished { result in
            outcome.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let result = outcome.withLock({ $0 }) else { throw AVError(.unknown) }
        return try result.get()
    }

    /// Provides contents that a player has already read; does nothing if there is an attempt.
    ///
    /// - Returns: Whether the contents were accepted.
    func provide(_ contents: AssetContents) -> Bool {
        state.withLock { state in
            guard state.attempt == nil else { return false }
            let done = LoadingAttempt()
            done.run { _ in contents }
            state.attempt = done
            return true
        }
    }

    /// Evicts provided contents, unless a caller has requested them.
    func forget() {
        let old = state.withLock { state in
            defer { if !state.wasAsked { state.attempt = nil } }
            return state.attempt
        }
        withExtendedLifetime(old) {}
    }

    /// Cancels a running attempt; waiting callers get ``AVError/operationCancelled`` at once.
    func cancel() { state.withLock { $0.attempt }?.cancel() }

    /// Returns the current attempt; starts a new attempt if there is none or the last attempt was cancelled.
    private func current() -> LoadingAttempt {
        state.withLock { state in
            state.wasAsked = true
            if let attempt = state.attempt, !attempt.isCancelled { return attempt }
            let fresh = LoadingAttempt()
            state.attempt = fresh
            queue.async { [open] in fresh.run(open) }
            return fresh
        }
    }
}

/// One attempt to open a source, with its waiters.
private final class LoadingAttempt: Sendable {
    typealias Waiter = @Sendable (Result<AssetContents, any Error>) -> Void

    private struct State {
        var result: Result<AssetContents, AVError>?
        var waiters: [Int: Waiter] = [:]
        /// Tickets that were cancelled before their waiters were added.
        var gone: Set<Int> = []
        var lastTicket = 0
    }

    private let interrupt = MediaInterrupt()
    private let state = Mutex(State())

    var result: Result<AssetContents, AVError>? { state.withLock { $0.result } }

    /// Whether the attempt ended with ``AVError/operationCancelled``.
    var isCancelled: Bool {
        if case .failure(let error)? = result { return error.code == .operationCancelled }
        return false
    }

    func run(_ open: (MediaInterrupt) throws -> AssetContents) {
        do {
            finish(.success(try open(interrupt)))
        } catch let error as AVError {
            finish(.failure(error))
        } catch {
            finish(.failure(AVError(.unknown, reason: "\(error)")))
        }
    }

    func cancel() {
        interrupt.cancel()
        finish(.failure(AVError(.operationCancelled, reason: "the loading was cancelled")))
    }

    private func finish(_ result: Result<AssetContents, AVError>) {
        let waiters: [Int: Waiter] = state.withLock { state in
            guard state.result == nil else { return [:] }
            state.result = result
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.sorted(by: { $0.key < $1.key }) { waiter.value(result.mapError { $0 }) }
    }

    // MARK: Waiting

    /// Returns a new ticket that identifies one waiter.
    func ticket() -> Int {
        state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
    }

    func add(_ body: @escaping @Sendable (Result<AssetContents, AVError>) -> Void) {
        add(ticket()) { result in
            // This ticket is never cancelled, so every error is an `AVError`.
            body(result.mapError { $0 as? AVError ?? AVError(.unknown) })
        }
    }

    func add(_ ticket: Int, _ body: @escaping Waiter) {
        let outcome: Result<AssetContents, any Error>? = state.withLock { state in
            if state.gone.remove(ticket) != nil { return .failure(CancellationError()) }
            if let result = state.result { return result.mapError { $0 } }
            state.waiters[ticket] = body
            return nil
        }
        if let outcome { body(outcome) }
    }

    /// Cancels one waiter; the attempt continues for the other waiters.
    func leave(_ ticket: Int) {
        let waiter = state.withLock { state in
            if let waiter = state.waiters.removeValue(forKey: ticket) { return Optional(waiter) }
            if state.result == nil { state.gone.insert(ticket) }
            return nil
        }
        waiter?(.failure(CancellationError()))
    }
}
