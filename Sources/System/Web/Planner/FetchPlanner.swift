import TuttiMediaTime

/// A planner for the requests that give one reader the bytes of one address: a value without sockets, clock
/// or threads.
///
/// The caller passes in events and times. After every mutating call, take ``takeActions()``, and call
/// ``handleTimeout(at:)`` at ``nextDeadline``. The planner caches at most two fetches of bytes, at the reader's
/// current and previous position, so that a look at the end of a file costs one request.
struct FetchPlanner {
    struct Ask: Hashable {
        var serial: Int
        var address: String
        var offset: Int64
        /// The last wanted byte; `nil` for the source's last.
        var last: Int64?
        /// Whether the request has a `Range` header.
        var isRanged: Bool
        /// The version that the range must belong to, for `If-Range`.
        var validator: String?
        var cause: TransferRecord.Cause
    }

    enum Action: Hashable {
        case ask(Ask)
        /// Resumes a held transfer.
        case resume(serial: Int)
        /// Ends a transfer; it reports no more events.
        case abandon(serial: Int)
    }

    enum Reading: Hashable {
        case bytes(Int)
        case end
        /// No bytes are available; retry when ``takeWake()`` returns true.
        case wait
        case failed(WebError)
    }

    var limits: WebLimits
    /// Bytes kept behind the reader.
    var keptBytes: Int
    var target: FetchTarget
    var failure: WebError?
    var fetches: [RangeFetch] = []
    var active = 0
    /// The offset of the reader's next byte.
    private(set) var position: Int64
    var wait = ReaderWait()
    var notes = SourceNotes()
    private var actions: [Action] = []
    private var wakes = false
    private var lastSerial = 0

    init(address: String, limits: WebLimits, first: Int64 = 0, last: Int64? = nil) {
        self.limits = limits
        (position, keptBytes) = (first, limits.keptBytes)
        target = FetchTarget(address: address, first: first, last: last)
    }

    // MARK: Results of a call

    mutating func takeActions() -> [Action] {
        defer { actions = [] }
        return actions
    }

    /// Returns whether data that the reader waits for may have arrived; clears the flag.
    mutating func takeWake() -> Bool {
        defer { wakes = false }
        return wakes
    }

    // MARK: The reader

    mutating func start(at now: HostTime) {
        fetches = [RangeFetch(at: target.first, limits: limits, now: now)]
        ask(0, .opening, now)
    }

    /// Copies the cached bytes at the reader's position and advances it.
    mutating func read(into room: UnsafeMutableRawBufferPointer, at now: HostTime) -> Reading {
        if failure == nil { settle(at: now) }
        let count = fetches[active].window.copy(from: position, into: room)
        if count > 0 {
            position += Int64(count)
            wait.read(at: now)
            fetches[active].window.forget(before: position - Int64(keptBytes))
            fill(now)
            return .bytes(count)
        }
        if let failure {
            // A time-out is not final: the reader may try again.
            if case .timedOut = failure { self.failure = nil }
            wait.end()
            return .failed(failure)
        }
        if isAtEnd { return .end }
        if fetches[active].phase == .idle { ask(active, target.isOpen ? .needed : .opening, now) }
        wait.begin(at: now, limits: limits)
        return .wait
    }

    /// Moves the reader; requests nothing before the next read.
    mutating func seek(to offset: Int64) {
        position = max(0, offset)
        wait.reset()
        if failure == .noRanges { failure = nil }
    }

    private var isAtEnd: Bool {
        if target.isOpen, let end = target.end, position >= end { return true }
        return fetches[active].phase == .complete && position >= fetches[active].window.end
    }

    /// The cached ranges in ascending order.
    var ranges: [Range<Int64>] {
        fetches.map(\.window).filter { $0.count > 0 }.map { $0.start..<$0.end }
            .sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Chooses the fetch for the reader's position, or starts a new fetch.
    private mutating func settle(at now: HostTime) {
        guard target.isOpen else { return }
        let reach = target.reach(limits)
        // A fetch may have been held while the reader was elsewhere.
        if fetches[active].serves(position, reach: reach) { return fill(now) }
        if let end = target.end, position >= end { return }
        if let other = fetches.firstIndex(where: { $0.serves(position, reach: reach) }) {
            return turn(to: other, now)
        }
        guard target.isReachable(position, limits) else {
            failure = .noRanges
            return
        }
        let givesRanges = target.resource.givesRanges
        let chosen = givesRanges ? (fetches.count < 2 ? fetches.count : 1 - active) : active
        let lead = givesRanges ? Int64(min(limits.leadBytes, keptBytes)) : 0
        let start = max(min(target.first, position), position - lead)
        let fresh = RangeFetch(at: start, limits: limits, now: now)
        if chosen == fetches.count {
            fetches.append(fresh)
        } else {
            abandon(chosen)
            fetches[chosen] = fresh
        }
        turn(to: chosen, now)
        ask(chosen, .jump, now)
    }

    private mutating func turn(to fetch: Int, _ now: HostTime) {
        if fetch != active { fetches[active].leftAt = now }
        active = fetch
        fetches[fetch].leftAt = nil
        fill(now)
    }

    /// The bytes between the reader and the end of its fetch.
    var ahead: Int { fetches.isEmpty ? 0 : fetches[active].ahead(of: position) }

    /// Resumes a held transfer when half the window is free.
    private mutating func fill(_ now: HostTime) {
        guard fetches[active].phase == .held, let serial = fetches[active].serial,
            ahead <= limits.windowBytes / 2
        else { return }
        fetches[active].phase = .flowing(last: now)
        actions.append(.resume(serial: serial))
    }

    // MARK: Used by this type's other files

    func fetch(of serial: Int) -> Int? { fetches.firstIndex { $0.serial == serial } }

    /// Requests the bytes after a fetch's end.
    mutating func ask(_ fetch: Int, _ cause: TransferRecord.Cause, _ now: HostTime) {
        let end = fetches[fetch].window.end
        guard !target.isOpen || target.resource.isLive || target.isReachable(end, limits) else {
            return fail(.lost("\(WebError.noRanges)"))
        }
        lastSerial += 1
        if !cause.isRetry, fetch == active { wait.forgive() }
        let ask = target.ask(lastSerial, from: end, cause)
        fetches[fetch].begin(ask, at: now)
        actions.append(.ask(ask))
    }

    /// Ends a fetch's transfer and keeps its bytes.
    mutating func abandon(_ fetch: Int) {
        if let serial = fetches[fetch].end() { actions.append(.abandon(serial: serial)) }
        if fetches[fetch].phase != .complete { fetches[fetch].phase = .idle }
    }

    mutating func fail(_ error: WebError) {
        failure = error
        for fetch in fetches.indices { abandon(fetch) }
        wake()
    }

    mutating func wake() { wakes = true }
}
