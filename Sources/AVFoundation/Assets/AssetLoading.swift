import Codecs
import Dispatch
import Foundation
import Synchronization

/// Opens a source once for all who ask, on a queue of its own, so that nobody's thread waits but those who
/// want to.
///
/// Success and failure are final; only what was cancelled is begun anew by the next question.
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
        /// Somebody wanted to know: what is there stays.
        var wasAsked = false
    }

    private let state = Mutex(State())

    /// - Parameter open: does the work; may wait until it is interrupted.
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

    /// What is there already.
    var loaded: AssetContents? {
        guard case .finished(.success(let contents)) = progress else { return nil }
        return contents
    }

    /// The same, for ourselves: by looking nobody has asked.
    var known: AssetContents? { try? state.withLock { $0.attempt }?.result?.get() }

    /// Calls `body` once with the outcome, on any thread, perhaps at once; begins the work if nobody has.
    func whenFinished(_ body: @escaping @Sendable (Result<AssetContents, AVError>) -> Void) {
        current().add(body)
    }

    /// The outcome; a task that is cancelled waits no longer.
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

    /// The outcome, waited for on this thread.
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

    /// The outcome, known from elsewhere; nothing if it is there already, or on its way.
    ///
    /// - Returns: whether it was taken over.
    func provide(_ contents: AssetContents) -> Bool {
        state.withLock { state in
            guard state.attempt == nil else { return false }
            let done = LoadingAttempt()
            done.run { _ in contents }
            state.attempt = done
            return true
        }
    }

    /// Lets go of what was provided, unless somebody has asked.
    func forget() {
        let old = state.withLock { state in
            defer { if !state.wasAsked { state.attempt = nil } }
            return state.attempt
        }
        withExtendedLifetime(old) {}
    }

    /// Ends the work if it runs; those who wait get ``AVError/operationCancelled`` now.
    func cancel() { state.withLock { $0.attempt }?.cancel() }

    /// The attempt whose outcome counts, begun if there is none.
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

/// One go at opening a source, and those who wait for it.
private final class LoadingAttempt: Sendable {
    typealias Waiter = @Sendable (Result<AssetContents, any Error>) -> Void

    private struct State {
        var result: Result<AssetContents, AVError>?
        var waiters: [Int: Waiter] = [:]
        /// Left before they began to wait.
        var gone: Set<Int> = []
        var lastTicket = 0
    }

    private let interrupt = MediaInterrupt()
    private let state = Mutex(State())

    var result: Result<AssetContents, AVError>? { state.withLock { $0.result } }

    /// Given up, or about to be.
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

    /// Names one who is going to wait.
    func ticket() -> Int {
        state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
    }

    func add(_ body: @escaping @Sendable (Result<AssetContents, AVError>) -> Void) {
        add(ticket()) { result in
            // Nobody leaves who came through here, so there is no other error.
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

    /// Ends one's waiting; the work goes on for the others.
    func leave(_ ticket: Int) {
        let waiter = state.withLock { state in
            if let waiter = state.waiters.removeValue(forKey: ticket) { return Optional(waiter) }
            if state.result == nil { state.gone.insert(ticket) }
            return nil
        }
        waiter?(.failure(CancellationError()))
    }
}
