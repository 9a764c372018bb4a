import Dispatch
import Glibc
import Synchronization

/// A pending read of one line from a terminal.
final class LineReading: Sendable {
    private struct State {
        var assembler = LineAssembler()
        var pending: [UInt8]
        var source: ReadSource?
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
        let source = ReadSource(
            DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue))
        source.value.setEventHandler { [weak self] in self?.readAvailable() }
        source.value.setCancelHandler { [owner] in withExtendedLifetime(owner) {} }
        let isNeeded = state.withLock { state in
            if state.result == nil { state.source = source }
            return state.result == nil
        }
        source.value.resume()
        if !isNeeded { source.value.cancel() }
    }

    private func readAvailable() {
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
        let (source, waiting) = state.withLock { state in
            guard state.result == nil else {
                return (nil as ReadSource?, nil as CheckedContinuation<String?, Never>?)
            }
            state.result = .some(line)
            return (state.source.take(), state.waiting.take())
        }
        source?.value.cancel()
        waiting?.resume(returning: line)
    }
}

private struct ReadSource: @unchecked Sendable {
    // Safe to share: Dispatch allows its calls on any thread.
    let value: any DispatchSourceRead

    init(_ value: any DispatchSourceRead) { self.value = value }
}
