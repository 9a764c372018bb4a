import Dispatch
import Foundation

/// A metadata value that a program provides on demand, once for all copies of an item. Any thread.
///
/// Success and failure are final.
final class LazyMetadataValue: ValueLoading, @unchecked Sendable {
    // Safe to share: everything that changes is only accessed under the lock, and nobody changes a value once it is given.

    typealias Handler = @Sendable (AVMetadataItemValueRequest) -> Void
    typealias Value = any NSCopying & NSObjectProtocol
    private typealias Continuation = CheckedContinuation<Void, any Error>
    private typealias Waiter = @Sendable (Result<Void, any Error>) -> Void

    private enum Phase {
        case idle(Handler)
        case loading
        case finished(Result<Value, any Error>)
    }

    private let lock = NSLock()
    private var phase: Phase
    private weak var requestedItem: AVMetadataItem?
    private var waiters: [Int: Waiter] = [:]
    /// Tickets that were cancelled before their waiters were added.
    private var gone: Set<Int> = []
    private var lastTicket = 0

    init(_ handler: @escaping Handler) { phase = .idle(handler) }

    /// The item that the request names.
    var item: AVMetadataItem? {
        get { lock.withLock { requestedItem } }
        set { lock.withLock { requestedItem = newValue } }
    }

    /// The value; `nil` before loading has succeeded.
    var value: Value? {
        guard case .finished(.success(let value)) = lock.withLock({ phase }) else { return nil }
        return value
    }

    var loadingState: LoadingState {
        switch lock.withLock({ phase }) {
        case .idle: .idle
        case .loading: .loading
        case .finished(.success): .loaded
        case .finished(.failure(let error)): .failed(error)
        }
    }

    /// Takes the program's answer; does nothing if there was one.
    func finish(_ result: Result<Value, any Error>) {
        let waiting: [Waiter] = lock.withLock {
            guard case .loading = phase else { return [] }
            phase = .finished(result)
            defer { waiters = [:] }
            return waiters.sorted { $0.key < $1.key }.map { $0.value }
        }
        let outcome: Result<Void, any Error> = result.map { _ in }
        for waiter in waiting { waiter(outcome) }
    }

    // MARK: Waiting

    func waitUntilLoaded() async throws {
        let ticket = startForTicket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: Continuation) in
                add(ticket) { continuation.resume(with: $0) }
            }
        } onCancel: {
            leave(ticket)
        }
    }

    /// Calls `body` once when loading has ended, on any thread, perhaps before returning. Starts loading if needed.
    func whenFinished(_ body: @escaping @Sendable () -> Void) {
        add(startForTicket()) { _ in body() }
    }

    /// Loads the value if needed, and blocks the calling thread until loading has ended.
    func wait() {
        let done = DispatchSemaphore(value: 0)
        whenFinished { done.signal() }
        done.wait()
    }

    /// Asks the program for the value, unless it was asked; returns a new ticket that identifies one waiter.
    private func startForTicket() -> Int {
        let (ticket, handler, item): (Int, Handler?, AVMetadataItem?) = lock.withLock {
            lastTicket += 1
            guard case .idle(let handler) = phase else { return (lastTicket, nil, nil) }
            phase = .loading
            return (lastTicket, handler, requestedItem)
        }
        if let handler {
            let request = AVMetadataItemValueRequest(self, of: item)
            DispatchQueue.global(qos: .userInitiated).async { handler(request) }
        }
        return ticket
    }

    private func add(_ ticket: Int, _ waiter: @escaping Waiter) {
        let outcome: Result<Void, any Error>? = lock.withLock {
            if gone.remove(ticket) != nil { return .failure(CancellationError()) }
            if case .finished(let result) = phase { return result.map { _ in } }
            waiters[ticket] = waiter
            return nil
        }
        if let outcome { waiter(outcome) }
    }

    /// Cancels one waiter; loading continues for the others.
    private func leave(_ ticket: Int) {
        let waiter: Waiter? = lock.withLock {
            if let waiter = waiters.removeValue(forKey: ticket) { return waiter }
            if case .finished = phase { return nil }
            gone.insert(ticket)
            return nil
        }
        waiter?(.failure(CancellationError()))
    }
}
