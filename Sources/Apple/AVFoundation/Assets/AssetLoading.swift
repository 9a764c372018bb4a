import Dispatch
import Foundation
import Synchronization
import TuttiCodecs

/// Opens a source once for all callers, on its own queue; only ``waitForContents()`` blocks. Any thread.
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
        return attempt.outcome.result.map { .finished($0) } ?? .loading
    }

    /// The contents if loading has succeeded; counts as a request.
    var loaded: AssetContents? {
        guard case .finished(.success(let contents)) = progress else { return nil }
        return contents
    }

    /// The contents if loading has succeeded; does not count as a request.
    var known: AssetContents? { try? state.withLock { $0.attempt }?.outcome.result?.get() }

    /// Calls `body` once with the outcome, on any thread, perhaps before returning. Starts loading if needed.
    func whenFinished(_ body: @escaping @Sendable (Result<AssetContents, AVError>) -> Void) {
        current().outcome.whenFinished(body)
    }

    /// Returns the outcome. Cancelling the task throws `CancellationError` and leaves the loading running.
    func contents() async throws -> AssetContents { try await current().outcome.value() }

    /// Returns the outcome; blocks the calling thread until loading has ended.
    func waitForContents() throws(AVError) -> AssetContents {
        let outcome = current().outcome
        outcome.wait()
        guard let result = outcome.result else { throw AVError(.unknown) }
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

/// One attempt to open a source.
private final class LoadingAttempt: Sendable {
    let outcome = LoadingOutcome<AssetContents, AVError>()
    private let interrupt = MediaInterrupt()

    /// Whether the attempt ended with ``AVError/operationCancelled``.
    var isCancelled: Bool {
        if case .failure(let error)? = outcome.result { return error.code == .operationCancelled }
        return false
    }

    func run(_ open: (MediaInterrupt) throws -> AssetContents) {
        do {
            outcome.finish(.success(try open(interrupt)))
        } catch let error as AVError {
            outcome.finish(.failure(error))
        } catch {
            outcome.finish(.failure(AVError(.unknown, reason: "\(error)")))
        }
    }

    func cancel() {
        interrupt.cancel()
        outcome.finish(.failure(AVError(.operationCancelled, reason: "the loading was cancelled")))
    }
}

extension AssetLoading: ValueLoading {
    var loadingState: LoadingState {
        switch progress {
        case .idle: .idle
        case .loading: .loading
        case .finished(.success): .loaded
        case .finished(.failure(let error)): .failed(error)
        }
    }

    func waitUntilLoaded() async throws { _ = try await contents() }
}
