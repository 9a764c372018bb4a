internal import MediaTime

/// Decides what is asked of a server so that one reader gets the bytes of one address: a value without
/// sockets, clock or threads.
///
/// Calls and times go in. After every call that changes it, take ``takeActions()``, and call
/// ``handleTimeout(at:)`` at ``nextDeadline``. Two stretches of bytes are held at most: where the reader is,
/// and where it was before, so that a look at the end of a file costs one request.
struct WebCourse {
    struct Ask: Hashable {
        var serial: Int
        var address: String
        var offset: Int64
        /// The last byte that is wanted; `nil` is the source's.
        var last: Int64?
        /// Whether a part is asked for, and not the whole.
        var isRanged: Bool
        /// The part is wanted of this version only.
        var validator: String?
        var cause: TransferRecord.Cause
    }

    enum Action: Hashable {
        case ask(Ask)
        /// Takes bytes again.
        case resume(serial: Int)
        /// Ends a transfer; nothing more is heard of it.
        case abandon(serial: Int)
    }

    enum Reading: Hashable {
        case bytes(Int)
        case end
        /// Ask again when ``takeWake()`` says so.
        case wait
        case failed(WebError)
    }

    var limits: WebLimits
    let original: String
    /// What of the source is wanted: from this byte on …
    let first: Int64
    /// … up to this one; `nil` is the source's last.
    let last: Int64?
    /// Bytes that stay at hand behind the reader.
    var keptBytes: Int
    var resource: WebResource
    /// Whether the first answer came and was good.
    var isOpen = false
    var failure: WebError?
    var lanes: [WebLane] = []
    var active = 0
    /// The next byte that the reader gets.
    var position: Int64 = 0
    /// Since when the reader waits.
    var waitingSince: HostTime?
    /// How much has come since the reader found nothing at hand.
    var starvation: Starvation?
    /// When the reader was given bytes last.
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

    /// More are not kept.
    private static let noteLimit = 64

    init(address: String, limits: WebLimits, first: Int64 = 0, last: Int64? = nil) {
        self.limits = limits
        (self.first, self.last, position) = (first, last, first)
        keptBytes = limits.keptBytes
        original = address
        resource = WebResource(address: address)
    }

    // MARK: What came of a call

    mutating func takeActions() -> [Action] {
        defer { actions = [] }
        return actions
    }

    /// Whether what the reader waits for may have come.
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
        lanes = [WebLane(at: first, limits: limits, now: now)]
        ask(0, .opening, now)
    }

    /// Copies what is at hand at the reader's place, and moves it on.
    mutating func read(into target: UnsafeMutableRawBufferPointer, at now: HostTime) -> Reading {
        if failure == nil { settle(at: now) }
        let count = lanes[active].window.copy(from: position, into: target)
        if count > 0 {
            position += Int64(count)
            (waitingSince, readAt) = (nil, now)
            lanes[active].window.forget(before: position - Int64(keptBytes))
            fill(active, now)
            return .bytes(count)
        }
        if let failure {
            // A reader may try again what only took too long.
            if case .timedOut = failure { self.failure = nil }
            waitingSince = nil
            return .failed(failure)
        }
        if isAtEnd { return .end }
        if lanes[active].phase == .idle { ask(active, isOpen ? .needed : .opening, now) }
        beginWaiting(at: now)
        return .wait
    }

    /// A reader that takes what comes at once starves on, one that was busy elsewhere begins to.
    private mutating func beginWaiting(at now: HostTime) {
        if waitingSince == nil, let readAt, now.since(readAt) > limits.stallLimit { starvation = nil }
        waitingSince = waitingSince ?? now
        starvation = starvation ?? Starvation(since: now)
    }

    /// Goes to a place; nothing is asked before the next read.
    mutating func seek(to offset: Int64) {
        position = max(0, offset)
        (waitingSince, starvation) = (nil, nil)
        if failure == .noRanges { failure = nil }
    }

    /// Where what is wanted ends; `nil` while it is not known.
    var end: Int64? { [resource.length, last.map { $0 + 1 }].compactMap(\.self).min() }

    private var isAtEnd: Bool {
        if isOpen, let end, position >= end { return true }
        return lanes[active].phase == .complete && position >= lanes[active].window.end
    }

    /// Which parts are at hand, in the order of the source.
    var ranges: [Range<Int64>] {
        lanes.map(\.window).filter { $0.count > 0 }.map { $0.start..<$0.end }
            .sorted { $0.lowerBound < $1.lowerBound }
    }

    /// How far beyond the end of a stretch it is read on instead of asking anew.
    var reach: Int64 { Int64(resource.givesRanges ? limits.shortJumpBytes : limits.skippedBytes) }

    /// Chooses the stretch for the reader's place, or begins one.
    private mutating func settle(at now: HostTime) {
        guard isOpen else { return }
        // What came while the reader was elsewhere has been held.
        if lanes[active].serves(position, reach: reach) { return fill(active, now) }
        if let end, position >= end { return }
        if let other = lanes.indices.first(where: { $0 != active && lanes[$0].serves(position, reach: reach) }
        ) {
            return turn(to: other, now)
        }
        guard resource.givesRanges || position <= Int64(limits.skippedBytes) else {
            failure = .noRanges
            return
        }
        let chosen = resource.givesRanges ? (lanes.count < 2 ? lanes.count : 1 - active) : active
        let lead = resource.givesRanges ? Int64(min(limits.leadBytes, keptBytes)) : 0
        let fresh = WebLane(at: max(min(first, position), position - lead), limits: limits, now: now)
        if chosen == lanes.count {
            lanes.append(fresh)
        } else {
            abandon(chosen)
            lanes[chosen] = fresh
        }
        turn(to: chosen, now)
        ask(chosen, .jump, now)
    }

    private mutating func turn(to lane: Int, _ now: HostTime) {
        if lane != active { lanes[active].leftAt = now }
        active = lane
        lanes[lane].leftAt = nil
        fill(lane, now)
    }

    /// Bytes between the reader and the end of its stretch.
    func ahead(_ lane: Int) -> Int {
        let window = lanes[lane].window
        return Int(max(0, window.end - (lane == active ? max(window.start, position) : window.start)))
    }

    /// Lets a held transfer go on when half the window is free.
    private mutating func fill(_ lane: Int, _ now: HostTime) {
        guard lane == active, case .held = lanes[lane].phase, let serial = lanes[lane].serial,
            ahead(lane) <= limits.windowBytes / 2
        else { return }
        lanes[lane].phase = .flowing(last: now)
        actions.append(.resume(serial: serial))
    }

    // MARK: What the other files of this type use

    func lane(of serial: Int) -> Int? { lanes.firstIndex { $0.serial == serial } }

    /// Asks for what comes after a stretch.
    mutating func ask(_ lane: Int, _ cause: TransferRecord.Cause, _ now: HostTime) {
        let end = lanes[lane].window.end
        let isPart = !resource.isLive && (!isOpen || resource.givesRanges)
        if isOpen, !isPart, !resource.isLive, end > Int64(limits.skippedBytes) {
            return fail(.lost("\(WebError.noRanges)"))
        }
        lastSerial += 1
        // After a while in which nobody asked the limit begins anew.
        if !cause.isRetry {
            lanes[lane].progress = now
            if lane == active { starvation = nil }
        }
        lanes[lane].serial = lastSerial
        lanes[lane].askedOffset = isPart ? end : 0
        lanes[lane].skipped = 0
        lanes[lane].isAnswered = false
        (lanes[lane].broughtBytes, lanes[lane].isGood) = (0, false)
        lanes[lane].phase = .asking(since: now)
        actions.append(
            .ask(
                Ask(
                    serial: lastSerial, address: resource.address, offset: isPart ? end : 0,
                    last: isPart ? last : nil, isRanged: isPart,
                    validator: isPart && end > 0 ? resource.validator : nil, cause: cause)))
    }

    /// Ends a stretch's transfer; its bytes stay.
    mutating func abandon(_ lane: Int) {
        if let serial = lanes[lane].serial { actions.append(.abandon(serial: serial)) }
        lanes[lane].serial = nil
        if lanes[lane].phase != .complete { lanes[lane].phase = .idle }
    }

    mutating func fail(_ error: WebError) {
        failure = error
        for lane in lanes.indices { abandon(lane) }
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

/// What a radio station says is heard from a place on.
package struct StreamTitle: Hashable, Sendable {
    /// In bytes of what the reader got.
    package var offset: Int64
    package var text: String
}
