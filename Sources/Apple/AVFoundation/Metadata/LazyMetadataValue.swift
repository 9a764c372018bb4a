import Dispatch
import Foundation
import Synchronization

/// A metadata value that a program provides on demand, once for all copies of an item. Any thread.
///
/// Success and failure are final.
final class LazyMetadataValue: ValueLoading {
    typealias Handler = @Sendable (AVMetadataItemValueRequest) -> Void
    typealias Value = any NSCopying & NSObjectProtocol

    private struct Provided: @unchecked Sendable {
        // Safe to share: the program does not change a value once it has given it.
        let value: Value
    }

    private struct State {
        /// `nil` once it is called.
        var handler: Handler?
        weak var item: AVMetadataItem?
    }

    private let state: Mutex<State>
    private let outcome = LoadingOutcome<Provided, any Error>()

    init(_ handler: @escaping Handler) { state = Mutex(State(handler: handler)) }

    /// The item that the request names.
    var item: AVMetadataItem? {
        get { state.withLock { $0.item } }
        set { state.withLock { $0.item = newValue } }
    }

    /// The value; `nil` before loading has succeeded.
    var value: Value? {
        guard case .success(let provided)? = outcome.result else { return nil }
        return provided.value
    }

    var loadingState: LoadingState {
        switch outcome.result {
        case .success: .loaded
        case .failure(let error): .failed(error)
        case nil: state.withLock { $0.handler } == nil ? .loading : .idle
        }
    }

    /// Takes the program's answer; does nothing if there was one.
    func finish(_ result: Result<Value, any Error>) { outcome.finish(result.map(Provided.init)) }

    func waitUntilLoaded() async throws {
        start()
        _ = try await outcome.value()
    }

    /// Calls `body` once when loading has ended, on any thread, perhaps before returning. Starts loading if needed.
    func whenFinished(_ body: @escaping @Sendable () -> Void) {
        start()
        outcome.whenFinished { _ in body() }
    }

    /// Loads the value if needed, and blocks the calling thread until loading has ended.
    func wait() {
        start()
        outcome.wait()
    }

    /// Asks the program for the value, unless it was asked.
    private func start() {
        guard let handler = state.withLock({ $0.handler.take() }) else { return }
        let request = AVMetadataItemValueRequest(self)
        DispatchQueue.global(qos: .userInitiated).async { handler(request) }
    }
}
