import TuttiMediaTime

/// A contiguous range of a source's bytes, and the transfer that extends it.
struct RangeFetch {
    enum Phase: Hashable {
        /// No transfer runs; one starts when the reader needs it.
        case idle
        /// Backing off; the retry starts at `until`.
        case waiting(until: HostTime, TransferRecord.Cause)
        /// A request was sent; no response yet.
        case asking(since: HostTime)
        /// The body is arriving; `last` is the time of its latest bytes.
        case flowing(last: HostTime)
        /// The window is full; back-pressure stops the server.
        case held
        /// The fetch reaches the end of the source.
        case complete
    }

    /// The latest transfer, running or ended.
    struct Transfer {
        /// The first byte requested.
        var askedOffset: Int64 = 0
        /// Bytes still to be dropped before the wanted bytes.
        var skipped: Int64 = 0
        var titles: IcyDemultiplexer?
        /// The time of the server's response; `nil` before it.
        var answeredAt: HostTime?
        /// The number of wanted bytes received.
        var broughtBytes = 0
        /// Whether the transfer counts as good; see ``WebLimits/goodBytes``.
        var isGood = false
    }

    var window: ByteWindow
    var phase = Phase.idle
    /// The serial number of the running transfer.
    private(set) var serial: Int?
    private(set) var transfer = Transfer()
    var backOff: BackOff
    /// The time of the latest bytes, or of the request.
    private(set) var progress: HostTime
    /// Consecutive connections that ended at the same place.
    private(set) var cuts = 0
    /// Consecutive connections that were answered and ended before they counted as good.
    private(set) var poorConnections = 0
    /// The time when the reader moved to the other fetch.
    var leftAt: HostTime?

    init(at offset: Int64, limits: WebLimits, now: HostTime) {
        window = ByteWindow(at: offset)
        backOff = BackOff(first: limits.firstBackOff, longest: limits.longestBackOff)
        progress = now
    }

    /// Begins a transfer.
    mutating func begin(_ ask: FetchPlanner.Ask, at now: HostTime) {
        // After a pause without requests the time limit starts over.
        if !ask.cause.isRetry { progress = now }
        serial = ask.serial
        transfer = Transfer(askedOffset: ask.offset)
        phase = .asking(since: now)
    }

    /// Takes the response: bytes follow, of which the first `skipped` are cached already.
    ///
    /// - Parameter titles: Separates titles from the bytes; `nil` if there are none.
    mutating func answer(skipped: Int64, titles: IcyDemultiplexer?, at now: HostTime) {
        (transfer.skipped, transfer.titles) = (skipped, titles)
        transfer.answeredAt = now
        phase = .flowing(last: now)
    }

    /// Caches bytes of the body.
    ///
    /// - Returns: The titles among the bytes; `nil` if no byte is wanted.
    mutating func receive(_ bytes: UnsafeRawBufferPointer, at now: HostTime) -> [StreamTitle]? {
        phase = .flowing(last: now)
        progress = now
        let unwanted = Int(min(transfer.skipped, Int64(bytes.count)))
        transfer.skipped -= Int64(unwanted)
        let wanted = UnsafeRawBufferPointer(rebasing: bytes[unwanted...])
        if wanted.isEmpty { return nil }
        count(wanted.count, at: now)
        guard var titles = transfer.titles else {
            window.append(wanted)
            return []
        }
        var found: [StreamTitle] = []
        titles.take(wanted) {
            window.append($0)
        } onTitle: {
            found.append(StreamTitle(offset: window.end, text: $0))
        }
        transfer.titles = titles
        return found
    }

    /// Counts bytes of the running transfer; a good connection resets the back-off.
    private mutating func count(_ bytes: Int, at now: HostTime) {
        cuts = 0
        transfer.broughtBytes += bytes
        let time = transfer.answeredAt.map { now.since($0) } ?? .zero
        guard transfer.broughtBytes >= WebLimits.goodBytes || time >= WebLimits.goodTime else { return }
        transfer.isGood = true
        backOff.reset()
        poorConnections = 0
    }

    /// Counts a connection that ended in mid-transfer.
    mutating func countCut() {
        cuts += 1
        if isAnswered, !transfer.isGood { poorConnections += 1 }
    }

    /// Forgets the running transfer and returns its serial number.
    @discardableResult mutating func end() -> Int? {
        defer { serial = nil }
        return serial
    }

    /// Returns the time at which the fetch needs attention: its server is late, or nobody reads it.
    func deadline(_ limits: WebLimits) -> HostTime? {
        let idle = serial == nil ? nil : leftAt?.advanced(by: limits.idleLimit)
        let own: HostTime? =
            switch phase {
            case .waiting(let until, _): until
            case .asking(let since): since.advanced(by: limits.answerLimit)
            // A held fetch has no stall deadline: its server was told to wait.
            case .flowing(let last): last.advanced(by: limits.stallLimit)
            case .idle, .held, .complete: nil
            }
        return [idle, own].compactMap(\.self).min()
    }

    /// Whether the latest transfer got a response.
    var isAnswered: Bool { transfer.answeredAt != nil }

    /// Returns whether an offset is cached, or will be soon by reading on.
    func serves(_ position: Int64, reach: Int64) -> Bool {
        if position >= window.start, position <= window.end { return true }
        let isRunning = phase != .idle && phase != .complete
        return isRunning && position > window.end && position - window.end <= reach
    }

    /// Returns the number of cached bytes from an offset on.
    func ahead(of position: Int64) -> Int { Int(max(0, window.end - max(window.start, position))) }
}
