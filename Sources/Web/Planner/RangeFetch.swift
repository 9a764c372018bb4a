internal import MediaTime

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
        case held(since: HostTime)
        /// The fetch reaches the end of the source.
        case complete
    }

    var window: ByteWindow
    var phase = Phase.idle
    /// The serial number of the running transfer.
    var serial: Int?
    /// The first byte requested.
    var askedOffset: Int64 = 0
    /// Bytes still to be dropped before the wanted bytes.
    var skipped: Int64 = 0
    var titles: IcyDemultiplexer?
    var backOff: BackOff
    /// The time of the latest bytes, or of the request.
    var progress: HostTime
    /// Whether the server has answered the running transfer's request.
    var isAnswered = false
    /// The time of the running transfer's response, and the number of wanted bytes since.
    var answeredAt: HostTime
    var broughtBytes = 0
    /// Whether the running transfer counts as good; see ``WebLimits/goodBytes``.
    var isGood = false
    /// Consecutive connections that ended at the same place.
    var cuts = 0
    /// Consecutive connections that were answered and ended before they counted as good.
    var poorConnections = 0
    /// The time when the reader moved to the other fetch.
    var leftAt: HostTime?

    init(at offset: Int64, limits: WebLimits, now: HostTime) {
        window = ByteWindow(at: offset)
        backOff = BackOff(first: limits.firstBackOff, longest: limits.longestBackOff)
        (progress, answeredAt) = (now, now)
    }

    /// Counts bytes of the running transfer; a good connection resets the back-off.
    mutating func count(_ bytes: Int, at now: HostTime) {
        broughtBytes += bytes
        guard broughtBytes >= WebLimits.goodBytes || now.since(answeredAt) >= WebLimits.goodTime else {
            return
        }
        isGood = true
        backOff.reset()
        poorConnections = 0
    }

    /// Whether bytes are arriving, or will arrive without a new request by the reader.
    var isRunning: Bool {
        switch phase {
        case .idle, .complete: false
        case .waiting, .asking, .flowing, .held: true
        }
    }

    /// Returns whether an offset is cached, or will be soon by reading on.
    func serves(_ position: Int64, reach: Int64) -> Bool {
        if position >= window.start, position <= window.end { return true }
        return isRunning && position > window.end && position - window.end <= reach
    }
}
