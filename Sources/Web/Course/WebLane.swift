internal import MediaTime

/// One stretch of a source's bytes, and the transfer that lengthens it.
struct WebLane {
    enum Phase: Hashable {
        /// Nobody is asked; goes on when somebody needs it.
        case idle
        /// To be asked again then.
        case waiting(until: HostTime, TransferRecord.Cause)
        /// Asked, and not answered yet.
        case asking(since: HostTime)
        /// Answered; when the last bytes came.
        case flowing(last: HostTime)
        /// The window is full: the server is made to wait.
        case held(since: HostTime)
        /// Everything up to the end of the source is there.
        case complete
    }

    var window: ByteWindow
    var phase = Phase.idle
    /// Of the running transfer.
    var serial: Int?
    /// The first byte that it was asked for.
    var askedOffset: Int64 = 0
    /// Bytes that come before the wanted ones.
    var skipped: Int64 = 0
    var titles: IcyDemultiplexer?
    var backOff: BackOff
    /// When bytes came last, or asking began.
    var progress: HostTime
    /// Whether the running transfer has been answered.
    var isAnswered = false
    /// When the running transfer was answered, and how many wanted bytes it has brought.
    var answeredAt: HostTime
    var broughtBytes = 0
    /// Whether the running transfer was a good one; see ``WebLimits/goodBytes``.
    var isGood = false
    /// Ends one after the other at the same place.
    var cuts = 0
    /// Connections one after the other that were answered and ended before they were good ones.
    var poorConnections = 0
    /// When the reader turned to another lane.
    var leftAt: HostTime?

    init(at offset: Int64, limits: WebLimits, now: HostTime) {
        window = ByteWindow(at: offset)
        backOff = BackOff(first: limits.firstBackOff, longest: limits.longestBackOff)
        (progress, answeredAt) = (now, now)
    }

    /// Counts bytes of the running transfer; a connection that is a good one ends the back-off.
    mutating func count(_ bytes: Int, at now: HostTime) {
        broughtBytes += bytes
        guard broughtBytes >= WebLimits.goodBytes || now.since(answeredAt) >= WebLimits.goodTime else {
            return
        }
        isGood = true
        backOff.reset()
        poorConnections = 0
    }

    /// Whether bytes are coming, or will without anybody's doing.
    var isRunning: Bool {
        switch phase {
        case .idle, .complete: false
        case .waiting, .asking, .flowing, .held: true
        }
    }

    /// Whether a place is at hand, or comes soon by reading on.
    func serves(_ position: Int64, reach: Int64) -> Bool {
        if position >= window.start, position <= window.end { return true }
        return isRunning && position > window.end && position - window.end <= reach
    }
}
