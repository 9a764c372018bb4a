import Dispatch
import Glibc
import Synchronization

/// A pending read of one line from a terminal.
final class LineReading: Sendable {
    private struct State {
        var assembler = LineAssembler()
        var pending: [UInt8]
        var source: (any DispatchSourceRead)?
        var waiting: CheckedContinuation<String?, Never>?
        /// The result; `.some(nil)` means an end without a line.
        var result: String??
    }

    private let descriptor: Int32
    private let owner: any AnyObject & Sendable
    private let queue: DispatchQueue
    private let state: Mutex<State>

    /// - Parameter owner: The object that closes the descriptor; it must live until Dispatch has released the
    ///   descriptor.
    init(
        _ descriptor: Int32, of owner: any AnyObject & Sendable, pending: [UInt8], on queue: DispatchQueue
    ) {
        self.descriptor = descriptor
        self.owner = owner
        self.queue = queue
        state = Mutex(State(pending: pending))
    }

    /// The bytes after the line.
    var rest: [UInt8] { state.withLock { $0.pending } }

    /// Waits for the line. Call this method only once.
    func line() async -> String? {
        await withCheckedContinuation { continuation in
            let isWaiting = state.withLock { state in
                if state.result == nil { state.waiting = continuation }
                return state.result == nil
            }
            guard isWaiting else { return continuation.resume(returning: nil) }
            digest([])
            begin()
        }
    }

    func cancel() { finish(nil) }

    private func begin() {
        state.withLock { state in
            guard state.result == nil else { return }
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler { [weak self] in self?.readAvailable() }
            source.setCancelHandler { [owner] in withExtendedLifetime(owner) {} }
            source.resume()
            state.source = source
        }
    }

    private func readAvailable() {
        dispatchPrecondition(condition: .onQueue(queue))
        var buffer = [UInt8](repeating: 0, count: LineAssembler.limit)
        let count = read(descriptor, &buffer, buffer.count)
        if count > 0 { return digest(buffer[..<count]) }
        // End of input, or the terminal is gone.
        if count == 0 || (errno != EAGAIN && errno != EINTR) { finish(nil) }
    }

    private func digest(_ bytes: some Collection<UInt8>) {
        let result: LineAssembler.Result? = state.withLock { state in
            guard state.result == nil else { return nil }
            state.pending.append(contentsOf: bytes)
            while !state.pending.isEmpty {
                if let result = state.assembler.receive(state.pending.removeFirst()) { return result }
            }
            return nil
        }
        switch result {
        case .line(let line): finish(line)
        case .givenUp: finish(nil)
        case nil: break
        }
    }

    private func finish(_ line: String?) {
        let waiting = state.withLock { state -> CheckedContinuation<String?, Never>? in
            guard state.result == nil else { return nil }
            state.result = .some(line)
            state.source.take()?.cancel()
            return state.waiting.take()
        }
        waiting?.resume(returning: line)
    }
}
