import Dispatch
import Synchronization
import TuttiMediaTime

/// The bytes of one web address, for one reader at a time. The reader may use any thread that may block.
///
/// Resumes a lost connection where it ended. Prefetched bytes stay below ``WebLimits/windowBytes``, or twice
/// that while two positions are cached.
package final class WebSource: Sendable {
    /// The log of the transfer.
    package let log: TransferLog
    let options: WebOptions
    let host: String
    private let engine: WebEngine
    private let state: Mutex<State>
    /// Signalled when data that the reader waits for may have arrived.
    private let arrival = DispatchSemaphore(value: 0)

    private struct State {
        var planner: FetchPlanner
        var isCancelled = false
    }

    /// Starts the first request at once.
    ///
    /// - Parameters:
    ///   - first: The first wanted byte.
    ///   - last: The last wanted byte; `nil` for the source's last.
    ///   - log: Receives the requests; several sources may share a log.
    /// - Throws: ``WebError/invalidAddress``.
    package init(
        _ address: String, first: Int64 = 0, last: Int64? = nil, options: WebOptions = WebOptions(),
        limits: WebLimits = WebLimits(), log: TransferLog = TransferLog(), engine: WebEngine = .shared
    ) throws(WebError) {
        let parts = try WebAddress(address)
        host = parts.host
        self.options = options
        self.log = log
        self.engine = engine
        state = Mutex(
            State(planner: FetchPlanner(address: address, limits: limits, first: first, last: last)))
        engine.attend(self)
        change { $0.start(at: $1) }
    }

    deinit { engine.leave(self) }

    // MARK: The reader

    /// Blocks until the server answers.
    package func open() throws(WebError) -> WebResource {
        // The empty buffer receives nothing; the call only reports errors.
        while !isOpen { _ = try next(UnsafeMutableRawBufferPointer(start: nil, count: 0)) }
        return resource
    }

    /// Blocks until at least one byte is available, and copies the available bytes.
    ///
    /// - Returns: The number of bytes; 0 at the end.
    /// - Throws: ``WebError/timedOut(_:)``, after which the reader may retry; other errors are final.
    package func read(into target: UnsafeMutableRawBufferPointer) throws(WebError) -> Int {
        while true {
            if let count = try next(target) { return count }
        }
    }

    /// Moves the reader without blocking; the next read requests the bytes if they are not cached.
    package func seek(to offset: Int64) { change { planner, _ in planner.seek(to: offset) } }

    /// Sets the number of bytes kept behind the reader.
    package func keep(_ byteCount: Int) { change { planner, _ in planner.keptBytes = byteCount } }

    package func setTimeLimit(_ limit: Duration) { change { planner, _ in planner.limits.timeLimit = limit } }

    /// - Returns: `nil` if the caller must try again.
    private func next(_ target: UnsafeMutableRawBufferPointer) throws(WebError) -> Int? {
        if isCancelled { throw .cancelled }
        let reading = change { $0.read(into: target, at: $1) }
        switch reading {
        case .bytes(let count): return count
        case .end: return 0
        case .failed(let error): throw error
        case .wait:
            arrival.wait()
            if isCancelled { throw .cancelled }
            return nil
        }
    }

    // MARK: From any thread

    /// Ends every current and future wait.
    package func cancel() {
        state.withLock { $0.isCancelled = true }
        engine.leave(self)
        arrival.signal()
    }

    /// Whether ``cancel()`` was called. Any thread.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether the first bytes have arrived. Any thread.
    package var isOpen: Bool { state.withLock { $0.planner.target.isOpen } }

    /// The facts known so far.
    package var resource: WebResource { state.withLock { $0.planner.target.resource } }

    /// The offset of the reader's next byte.
    package var position: Int64 { state.withLock { $0.planner.position } }

    /// The cached byte ranges in ascending order.
    package var ranges: [Range<Int64>] { state.withLock { $0.planner.ranges } }

    /// The number of cached bytes ahead of the reader.
    package var bytesAhead: Int {
        state.withLock { $0.planner.ahead }
    }

    /// Returns the titles since the last call.
    package func takeTitles() -> [StreamTitle] { state.withLock { $0.planner.notes.takeTitles() } }

    /// Returns the warnings since the last call.
    package func takeWarnings() -> [WebWarning] { state.withLock { $0.planner.notes.takeWarnings() } }

    // MARK: From the engine's thread

    func head(_ serial: Int, _ head: WebHead, address: String) -> Bool {
        change { $0.head(serial, head, address: address, at: $1) }
    }

    /// - Parameter count: Called before a reader learns of bytes that were taken.
    func receive(
        _ serial: Int, _ bytes: UnsafeRawBufferPointer, count: () -> Void
    ) -> FetchPlanner.Taking {
        change { planner, now in
            let taking = planner.receive(serial, bytes, at: now)
            if case .taken = taking { count() }
            return taking
        }
    }

    func finish(_ serial: Int, _ failure: TransferFailure?) {
        change { $0.finish(serial, failure, at: $1) }
    }

    func handleTimeout() -> HostTime? {
        change { planner, now in
            planner.handleTimeout(at: now)
            return planner.nextDeadline
        }
    }

    /// Changes the planner's state under the lock, then performs its actions.
    @discardableResult
    private func change<Result: Sendable>(_ body: (inout FetchPlanner, HostTime) -> Result) -> Result {
        let now = engine.clock.now
        let (result, actions, wakes) = state.withLock { state in
            let result = body(&state.planner, now)
            return (result, state.planner.takeActions(), state.planner.takeWake())
        }
        engine.perform(actions, for: self)
        if wakes { arrival.signal() }
        return result
    }
}
