internal import Dispatch
internal import MediaTime
internal import Synchronization

/// The bytes of one address, for one reader at a time, which may be any thread that may wait.
///
/// A connection that is lost is taken up again where it ended. What has been fetched and not been read
/// stays below ``WebLimits/windowBytes``, twice while two places are at hand.
package final class WebSource: Sendable {
    package let log: TransferLog
    let options: WebOptions
    let host: String
    private let engine: WebEngine
    private let state: Mutex<State>
    /// Raised when what the reader waits for may have come.
    private let arrival = DispatchSemaphore(value: 0)

    private struct State {
        var course: WebCourse
        var isCancelled = false
    }

    /// Begins to ask at once.
    ///
    /// - Parameters:
    ///   - first: The first byte that is wanted.
    ///   - last: The last one; `nil` is the source's.
    ///   - log: Where the requests are noted; several sources may share one.
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
            State(course: WebCourse(address: address, limits: limits, first: first, last: last)))
        engine.attend(self)
        change { $0.start(at: $1) }
    }

    deinit { engine.leave(self) }

    // MARK: The reader

    /// Waits for the server's answer.
    package func open() throws(WebError) -> WebResource {
        // Nothing is copied: this only asks for what goes wrong.
        while !isOpen { _ = try next(UnsafeMutableRawBufferPointer(start: nil, count: 0)) }
        return resource
    }

    /// Waits for bytes and copies what is there, at least one.
    ///
    /// - Returns: how many; 0 at the end.
    /// - Throws: After ``WebError/timedOut(_:)`` one may ask again; other errors stay.
    package func read(into target: UnsafeMutableRawBufferPointer) throws(WebError) -> Int {
        while true {
            if let count = try next(target) { return count }
        }
    }

    /// Goes to a place, without waiting; the next read asks for it if it is not at hand.
    package func seek(to offset: Int64) { change { course, _ in course.seek(to: offset) } }

    /// Bytes that stay at hand behind the reader from now on.
    package func keep(_ byteCount: Int) { change { course, _ in course.keptBytes = byteCount } }

    package func setTimeLimit(_ limit: Duration) { change { course, _ in course.limits.timeLimit = limit } }

    /// - Returns: `nil` after something may have changed.
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

    /// Ends every wait, running or to come.
    package func cancel() {
        state.withLock { $0.isCancelled = true }
        engine.leave(self)
        arrival.signal()
    }

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    package var isOpen: Bool { state.withLock { $0.course.isOpen } }

    /// What is known so far.
    package var resource: WebResource { state.withLock { $0.course.resource } }

    /// The next byte that is read.
    package var position: Int64 { state.withLock { $0.course.position } }

    /// Bytes at hand, in the order of the source.
    package var ranges: [Range<Int64>] { state.withLock { $0.course.ranges } }

    /// Bytes between the reader and the end of what is at hand.
    package var bytesAhead: Int {
        state.withLock { $0.course.lanes.isEmpty ? 0 : $0.course.ahead($0.course.active) }
    }

    /// Titles that came since the last call.
    package func takeTitles() -> [StreamTitle] { state.withLock { $0.course.takeTitles() } }

    /// What was odd since the last call.
    package func takeWarnings() -> [WebWarning] { state.withLock { $0.course.takeWarnings() } }

    // MARK: From the engine's thread

    func head(_ serial: Int, _ head: WebHead, address: String) -> Bool {
        change { $0.head(serial, head, address: address, at: $1) }
    }

    func receive(_ serial: Int, _ bytes: UnsafeRawBufferPointer) -> WebCourse.Taking {
        change { $0.receive(serial, bytes, at: $1) }
    }

    func finish(_ serial: Int, _ failure: TransferFailure?) {
        change { $0.finish(serial, failure, at: $1) }
    }

    func handleTimeout() -> HostTime? {
        change { course, now in
            course.handleTimeout(at: now)
            return course.nextDeadline
        }
    }

    /// Changes the course, and does what it wants done.
    @discardableResult
    private func change<Result: Sendable>(_ body: (inout WebCourse, HostTime) -> Result) -> Result {
        let now = engine.clock.now
        let (result, actions, wakes) = state.withLock { state in
            let result = body(&state.course, now)
            return (result, state.course.takeActions(), state.course.takeWake())
        }
        engine.carryOut(actions, for: self)
        if wakes { arrival.signal() }
        return result
    }
}
