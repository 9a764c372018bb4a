internal import MediaTime

/// Events of transfers.
extension WebCourse {
    enum Taking {
        case taken
        /// The window is full, or the reader moved to a place that this transfer does not reach. The engine
        /// offers the same bytes again after ``Action/resume(serial:)``.
        case hold
        /// The transfer was abandoned.
        case stop
    }

    /// Handles the head of a final response.
    ///
    /// - Returns: Whether the body is wanted.
    mutating func head(
        _ serial: Int, _ head: WebHead, address: String, at now: HostTime
    ) -> Bool {
        guard let lane = lane(of: serial) else { return false }
        let range = head["content-range"].flatMap(ContentRange.init)
        switch head.status {
        case 200, 206:
            return accept(lane, head, range, address, now)
        case 416:
            outOfRange(lane, total: range?.total)
        default:
            refuse(lane, head.status, now)
        }
        return false
    }

    private mutating func accept(
        _ lane: Int, _ head: WebHead, _ range: ContentRange?, _ address: String, _ now: HostTime
    ) -> Bool {
        let asked = lanes[lane].askedOffset
        let first = head.status == 206 ? range?.first ?? asked : 0
        guard first <= asked else {
            fail(.badAnswer("another part than the one that was asked for"))
            return false
        }
        if !isOpen {
            resource = WebResource(address: address, head, range: range)
            isOpen = true
        } else if let known = resource.validator, let now = head.validator, known != now, !resource.isLive {
            fail(.changed)
            return false
        } else {
            resource.address = address
            if head.status == 206, let total = range?.total { resource.length = total }
            if head.status == 200, asked > 0 { resource.givesRanges = false }
        }
        // A server without ranges sends everything again.
        lanes[lane].skipped = resource.isLive ? 0 : lanes[lane].window.end - first
        guard lanes[lane].skipped <= Int64(limits.skippedBytes) else {
            fail(.noRanges)
            return false
        }
        if resource.isLive {
            let interval = WebResource(address: address, head, range: nil).titleInterval
            lanes[lane].titles = interval > 0 ? IcyDemultiplexer(interval: interval) : nil
            if lanes[lane].window.end > 0 { warn(.interrupted(at: lanes[lane].window.end)) }
        }
        lanes[lane].isAnswered = true
        lanes[lane].answeredAt = now
        lanes[lane].phase = .flowing(last: now)
        wake()
        return true
    }

    /// Handles status 416: the source has no bytes after the requested offset.
    private mutating func outOfRange(_ lane: Int, total: Int64?) {
        let end = lanes[lane].window.end
        if let total, total > end { return fail(.status(416)) }
        if !isOpen { (isOpen, resource.length) = (true, end) }
        endHere(lane, at: total)
    }

    private mutating func refuse(_ lane: Int, _ status: Int, _ now: HostTime) {
        let isPassing = [408, 425, 429].contains(status) || (500..<600).contains(status)
        let hasMoved = resource.address != original
        guard isOpen, isPassing || resource.isLive || hasMoved else { return fail(.status(status)) }
        // Redirect targets often expire after some minutes.
        resource.address = original
        abandon(lane)
        retry(lane, .status(status), now)
    }

    /// Handles bytes of the body.
    mutating func receive(_ serial: Int, _ bytes: UnsafeRawBufferPointer, at now: HostTime) -> Taking {
        guard let lane = lane(of: serial) else { return .stop }
        if lane != active || !lanes[lane].serves(position, reach: reach) || ahead(lane) >= limits.windowBytes
        {
            lanes[lane].phase = .held(since: now)
            return .hold
        }
        lanes[lane].phase = .flowing(last: now)
        lanes[lane].progress = now
        feed(bytes.count, at: now)
        let unwanted = Int(min(lanes[lane].skipped, Int64(bytes.count)))
        lanes[lane].skipped -= Int64(unwanted)
        let wanted = UnsafeRawBufferPointer(rebasing: bytes[unwanted...])
        if wanted.isEmpty { return .taken }
        lanes[lane].count(wanted.count, at: now)
        lanes[lane].cuts = 0
        append(wanted, to: lane)
        // A forward jump within the reach leaves a gap that nobody reads.
        lanes[lane].window.forget(before: position - Int64(keptBytes))
        if waitingSince != nil, lanes[lane].window.end > position {
            waitingSince = nil
            wake()
        }
        return .taken
    }

    /// Counts bytes against starvation; a reader that got enough does not starve.
    private mutating func feed(_ byteCount: Int, at now: HostTime) {
        guard var starvation else { return }
        starvation.byteCount += byteCount
        self.starvation =
            starvation.byteCount < limits.leastBytes
            ? starvation : waitingSince == nil ? nil : Starvation(since: now)
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer, to lane: Int) {
        guard var titles = lanes[lane].titles else { return lanes[lane].window.append(bytes) }
        var found: [StreamTitle] = []
        titles.take(bytes) {
            lanes[lane].window.append($0)
        } onTitle: {
            found.append(StreamTitle(offset: lanes[lane].window.end, text: $0))
        }
        lanes[lane].titles = titles
        for title in found { note(title) }
    }

    /// Handles the end of a transfer.
    ///
    /// - Parameter failure: `nil` if all announced bytes arrived.
    mutating func finish(_ serial: Int, _ failure: TransferFailure?, at now: HostTime) {
        guard let lane = lane(of: serial) else { return }
        lanes[lane].serial = nil
        guard let failure else {
            if resource.isLive { return cut(lane, .lost("the station ended it"), isShort: false, now) }
            if let end, lanes[lane].window.end < end, lanes[lane].isAnswered {
                return cut(lane, .lost("it ended before the length it has"), isShort: true, now)
            }
            return endHere(lane)
        }
        if failure.isLasting { return fail(failure.error) }
        if !isOpen, !failure.isLoss { return fail(failure.error) }
        if case .held = lanes[lane].phase {
            lanes[lane].phase = .idle
        } else if lane != active {
            lanes[lane].phase = .idle
        } else {
            cut(lane, failure.error, isShort: failure.isShort, now)
        }
    }

    /// Handles a connection that ended in mid-transfer.
    private mutating func cut(_ lane: Int, _ error: WebError, isShort: Bool, _ now: HostTime) {
        lanes[lane].cuts += 1
        if lanes[lane].isAnswered, !lanes[lane].isGood { lanes[lane].poorConnections += 1 }
        if resource.isLive, lanes[lane].poorConnections >= WebLimits.poorConnections { return fail(error) }
        if lanes[lane].cuts >= WebLimits.cutsAtOnePlace {
            if !isOpen { return fail(error) }
            // The server repeatedly ends here, so its declared length is wrong.
            if isShort, lanes[lane].isAnswered, !resource.isLive { return endHere(lane) }
        }
        retry(lane, error, now)
    }

    /// Ends the source at the end of this lane.
    ///
    /// - Parameter total: The length that the server declared last, at most the lane's end.
    private mutating func endHere(_ lane: Int, at total: Int64? = nil) {
        abandon(lane)
        let end = total ?? lanes[lane].window.end
        if let wanted = self.end, wanted > end { warn(.shorter(at: end, promised: wanted)) }
        if last == nil, resource.length != nil || lanes[lane].skipped == 0 { resource.length = end }
        lanes[lane].phase = .complete
        wake()
    }

    /// Retries after a back-off, or gives up after the time limit.
    mutating func retry(_ lane: Int, _ error: WebError, _ now: HostTime) {
        lanes[lane].serial = nil
        // A reader that began to wait later still gets the full time limit.
        let start = max(lanes[lane].progress, waitingSince ?? lanes[lane].progress)
        if now.since(start) >= limits.timeLimit {
            lanes[lane].phase = .idle
            if waitingSince != nil, lane == active { fail(isOpen ? .lost("\(error)") : error) }
            return
        }
        let pause = lanes[lane].backOff.next()
        if pause == .zero { return ask(lane, .retry("\(error)"), now) }
        lanes[lane].phase = .waiting(until: now.advanced(by: pause), .retry("\(error)"))
    }
}

/// The cause of a transfer's premature end.
struct TransferFailure: Hashable {
    var error: WebError
    /// Whether a retry would fail in the same way.
    var isLasting = false
    /// Whether an established connection was lost.
    var isLoss = false
    /// Whether the server closed the connection in good order before all bytes arrived.
    var isShort = false
}
