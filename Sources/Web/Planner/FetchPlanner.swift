internal import MediaTime

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
    let original: String
    /// The first wanted byte of the source.
    let first: Int64
    /// The last wanted byte; `nil` for the source's last.
    let last: Int64?
    /// Bytes kept behind the reader.
    var keptBytes: Int
    var resource: WebResource
    /// Whether the first response arrived and was good.
    var isOpen = false
    var failure: WebError?
    var fetches: [RangeFetch] = []
    var active = 0
    /// The offset of the reader's next byte.
    var position: Int64 = 0
    /// The start of the reader's current wait; `nil` if the reader does not wait.
    var waitingSince: HostTime?
    /// Bytes received since the reader first ran out of data; `nil` if the reader does not starve.
    var starvation: Starvation?
    /// The time of the reader's last successful read.
    private var readAt: HostTime?
    private(set) var warnings: [WebWarning] = []
    private(set) var titles: [StreamTitle] = []
    private var actions: [Action] = []
    private var wakes = false
    private var lastSerial = 0

    struct Starvation {
        var since: HostTime
        var byteCount = 0
    }

    /// The most titles, and warnings, kept.
    private static let noteLimit = 64

    init(address: String, limits: WebLimits, first: Int64 = 0, last: Int64? = nil) {
        self.limits = limits
        (self.first, self.last, position) = (first, last, first)
        keptBytes = limits.keptBytes
        original = address
        resource = WebResource(address: address)
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

    mutating func takeTitles() -> [StreamTitle] {
        defer { titles = [] }
        return titles
    }

    mutating func takeWarnings() -> [WebWarning] {
        defer { warnings = [] }
        return warnings
    }

    // MARK: The reader

    mutating func start(at now: HostTime) {
        fetches = [RangeFetch(at: first, limits: limits, now: now)]
        ask(0, .opening, now)
    }

    /// Copies the cached bytes at the reader's position and advances it.
    mutating func read(into target: UnsafeMutableRawBufferPointer, at now: HostTime) -> Reading {
        if failure == nil { settle(at: now) }
        let count = fetches[active].window.copy(from: position, into: target)
        if count > 0 {
            position += Int64(count)
            (waitingSince, readAt) = (nil, now)
            fetches[active].window.forget(before: position - Int64(keptBytes))
            fill(active, now)
            return .bytes(count)
        }
        if let failure {
            // A time-out is not final: the reader may try again.
            if case .timedOut = failure { self.failure = nil }
            waitingSince = nil
            return .failed(failure)
        }
        if isAtEnd { return .end }
        if fetches[active].phase == .idle { ask(active, isOpen ? .needed : .opening, now) }
        beginWaiting(at: now)
        return .wait
    }

    /// Starts a wait. A reader that consumes data at once continues to starve; one that was busy elsewhere
    /// starts over.
    private mutating func beginWaiting(at now: HostTime) {
        if waitingSince == nil, let readAt, now.since(readAt) > limits.stallLimit { starvation = nil }
        waitingSince = waitingSince ?? now
        starvation = starvation ?? Starvation(since: now)
    }

    /// Moves the reader; requests nothing before the next read.
    mutating func seek(to offset: Int64) {
        position = max(0, offset)
        (waitingSince, starvation) = (nil, nil)
        if failure == .noRanges { failure = nil }
    }

    /// The end of the wanted bytes; `nil` if unknown.
    var end: Int64? { [resource.length, last.map { $0 + 1 }].compactMap(\.self).min() }

    private var isAtEnd: Bool {
        if isOpen, let end, position >= end { return true }
        return fetches[active].phase == .complete && position >= fetches[active].window.end
    }

    /// The cached ranges in ascending order.
    var ranges: [Range<Int64>] {
        fetches.map(\.window).filter { $0.count > 0 }.map { $0.start..<$0.end }
            .sorted { $0.lowerBound < $1.lowerBound }
    }

    /// The longest distance beyond a fetch's end that is bridged by reading on instead of a new request.
    var reach: Int64 { Int64(resource.givesRanges ? limits.shortJumpBytes : limits.skippedBytes) }

    /// Chooses the fetch for the reader's position, or starts a new fetch.
    private mutating func settle(at now: HostTime) {
        guard isOpen else { return }
        // A fetch may have been held while the reader was elsewhere.
        if fetches[active].serves(position, reach: reach) { return fill(active, now) }
        if let end, position >= end { return }
        if let other = fetches.indices.first(where: {
            $0 != active && fetches[$0].serves(position, reach: reach)
        }
        ) {
            return turn(to: other, now)
        }
        guard resource.givesRanges || position <= Int64(limits.skippedBytes) else {
            failure = .noRanges
            return
        }
        let chosen = resource.givesRanges ? (fetches.count < 2 ? fetches.count : 1 - active) : active
        let lead = resource.givesRanges ? Int64(min(limits.leadBytes, keptBytes)) : 0
        let fresh = RangeFetch(at: max(min(first, position), position - lead), limits: limits, now: now)
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
        fill(fetch, now)
    }

    /// Returns the bytes between the reader and the end of its fetch.
    func ahead(_ fetch: Int) -> Int {
        let window = fetches[fetch].window
        return Int(max(0, window.end - (fetch == active ? max(window.start, position) : window.start)))
    }

    /// Resumes a held transfer when half the window is free.
    private mutating func fill(_ fetch: Int, _ now: HostTime) {
        guard fetch == active, case .held = fetches[fetch].phase, let serial = fetches[fetch].serial,
            ahead(fetch) <= limits.windowBytes / 2
        else { return }
        fetches[fetch].phase = .flowing(last: now)
        actions.append(.resume(serial: serial))
    }

    // MARK: Used by this type's other files

    func fetch(of serial: Int) -> Int? { fetches.firstIndex { $0.serial == serial } }

    /// Requests the bytes after a fetch's end.
    mutating func ask(_ fetch: Int, _ cause: TransferRecord.Cause, _ now: HostTime) {
        let end = fetches[fetch].window.end
        let isPart = !resource.isLive && (!isOpen || resource.givesRanges)
        if isOpen, !isPart, !resource.isLive, end > Int64(limits.skippedBytes) {
            return fail(.lost("\(WebError.noRanges)"))
        }
        lastSerial += 1
        // After a pause without requests the time limit starts over.
        if !cause.isRetry {
            fetches[fetch].progress = now
            if fetch == active { starvation = nil }
        }
        fetches[fetch].serial = lastSerial
        fetches[fetch].askedOffset = isPart ? end : 0
        fetches[fetch].skipped = 0
        fetches[fetch].isAnswered = false
        (fetches[fetch].broughtBytes, fetches[fetch].isGood) = (0, false)
        fetches[fetch].phase = .asking(since: now)
        actions.append(
            .ask(
                Ask(
                    serial: lastSerial, address: resource.address, offset: isPart ? end : 0,
                    last: isPart ? last : nil, isRanged: isPart,
                    validator: isPart && end > 0 ? resource.validator : nil, cause: cause)))
    }

    /// Ends a fetch's transfer and keeps its bytes.
    mutating func abandon(_ fetch: Int) {
        if let serial = fetches[fetch].serial { actions.append(.abandon(serial: serial)) }
        fetches[fetch].serial = nil
        if fetches[fetch].phase != .complete { fetches[fetch].phase = .idle }
    }

    mutating func fail(_ error: WebError) {
        failure = error
        for fetch in fetches.indices { abandon(fetch) }
        wake()
    }

    mutating func wake() { wakes = true }

    mutating func warn(_ warning: WebWarning) {
        if warnings.count < Self.noteLimit { warnings.append(warning) }
    }

    mutating func note(_ title: StreamTitle) {
        if titles.count == Self.noteLimit { titles.removeFirst() }
        titles.append(title)
    }
}

/// A title that a radio station announces at a position.
package struct StreamTitle: Hashable, Sendable {
    /// The position in bytes delivered to the reader.
    package var offset: Int64
    /// The title as announced, decoded.
    package var text: String
}
