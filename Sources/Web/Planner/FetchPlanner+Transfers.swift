internal import MediaTime

/// Events of transfers.
extension FetchPlanner {
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
        guard let fetch = fetch(of: serial) else { return false }
        let range = head["content-range"].flatMap(ContentRange.init)
        switch head.status {
        case 200, 206:
            return accept(fetch, head, range, address, now)
        case 416:
            outOfRange(fetch, total: range?.total)
        default:
            refuse(fetch, head.status, now)
        }
        return false
    }

    private mutating func accept(
        _ fetch: Int, _ head: WebHead, _ range: ContentRange?, _ address: String, _ now: HostTime
    ) -> Bool {
        let asked = fetches[fetch].askedOffset
        let first = head.status == 206 ? range?.first ?? asked : 0
        guard first <= asked else {
            fail(.badAnswer("it is not the requested range"))
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
        fetches[fetch].skipped = resource.isLive ? 0 : fetches[fetch].window.end - first
        guard fetches[fetch].skipped <= Int64(limits.skippedBytes) else {
            fail(.noRanges)
            return false
        }
        if resource.isLive {
            let interval = WebResource(address: address, head, range: nil).titleInterval
            fetches[fetch].titles = interval > 0 ? IcyDemultiplexer(interval: interval) : nil
            if fetches[fetch].window.end > 0 { warn(.interrupted(at: fetches[fetch].window.end)) }
        }
        fetches[fetch].isAnswered = true
        fetches[fetch].answeredAt = now
        fetches[fetch].phase = .flowing(last: now)
        wake()
        return true
    }

    /// Handles status 416: the source has no bytes after the requested offset.
    private mutating func outOfRange(_ fetch: Int, total: Int64?) {
        let end = fetches[fetch].window.end
        if let total, total > end { return fail(.status(416)) }
        if !isOpen { (isOpen, resource.length) = (true, end) }
        endHere(fetch, at: total)
    }

    private mutating func refuse(_ fetch: Int, _ status: Int, _ now: HostTime) {
        let isPassing = [408, 425, 429].contains(status) || (500..<600).contains(status)
        let hasMoved = resource.address != original
        guard isOpen, isPassing || resource.isLive || hasMoved else { return fail(.status(status)) }
        // Redirect targets often expire after some minutes.
        resource.address = original
        abandon(fetch)
        retry(fetch, .status(status), now)
    }

    /// Handles bytes of the body.
    mutating func receive(_ serial: Int, _ bytes: UnsafeRawBufferPointer, at now: HostTime) -> Taking {
        guard let fetch = fetch(of: serial) else { return .stop }
        if fetch != active || !fetches[fetch].serves(position, reach: reach)
            || ahead(fetch) >= limits.windowBytes
        {
            fetches[fetch].phase = .held(since: now)
            return .hold
        }
        fetches[fetch].phase = .flowing(last: now)
        fetches[fetch].progress = now
        feed(bytes.count, at: now)
        let unwanted = Int(min(fetches[fetch].skipped, Int64(bytes.count)))
        fetches[fetch].skipped -= Int64(unwanted)
        let wanted = UnsafeRawBufferPointer(rebasing: bytes[unwanted...])
        if wanted.isEmpty { return .taken }
        fetches[fetch].count(wanted.count, at: now)
        fetches[fetch].cuts = 0
        append(wanted, to: fetch)
        // A forward jump within the reach leaves a gap that nobody reads.
        fetches[fetch].window.forget(before: position - Int64(keptBytes))
        if waitingSince != nil, fetches[fetch].window.end > position {
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

    private mutating func append(_ bytes: UnsafeRawBufferPointer, to fetch: Int) {
        guard var titles = fetches[fetch].titles else { return fetches[fetch].window.append(bytes) }
        var found: [StreamTitle] = []
        titles.take(bytes) {
            fetches[fetch].window.append($0)
        } onTitle: {
            found.append(StreamTitle(offset: fetches[fetch].window.end, text: $0))
        }
        fetches[fetch].titles = titles
        for title in found { note(title) }
    }

    /// Handles the end of a transfer.
    ///
    /// - Parameter failure: `nil` if all announced bytes arrived.
    mutating func finish(_ serial: Int, _ failure: TransferFailure?, at now: HostTime) {
        guard let fetch = fetch(of: serial) else { return }
        fetches[fetch].serial = nil
        guard let failure else {
            if resource.isLive { return cut(fetch, .lost("the station closed it"), isShort: false, now) }
            if let end, fetches[fetch].window.end < end, fetches[fetch].isAnswered {
                return cut(fetch, .lost("it ended before its declared length"), isShort: true, now)
            }
            return endHere(fetch)
        }
        if failure.isLasting { return fail(failure.error) }
        if !isOpen, !failure.isLoss { return fail(failure.error) }
        if case .held = fetches[fetch].phase {
            fetches[fetch].phase = .idle
        } else if fetch != active {
            fetches[fetch].phase = .idle
        } else {
            cut(fetch, failure.error, isShort: failure.isShort, now)
        }
    }

    /// Handles a connection that ended in mid-transfer.
    private mutating func cut(_ fetch: Int, _ error: WebError, isShort: Bool, _ now: HostTime) {
        fetches[fetch].cuts += 1
        if fetches[fetch].isAnswered, !fetches[fetch].isGood { fetches[fetch].poorConnections += 1 }
        if resource.isLive, fetches[fetch].poorConnections >= WebLimits.poorConnections { return fail(error) }
        if fetches[fetch].cuts >= WebLimits.cutsAtOnePlace {
            if !isOpen { return fail(error) }
            // The server repeatedly ends here, so its declared length is wrong.
            if isShort, fetches[fetch].isAnswered, !resource.isLive { return endHere(fetch) }
        }
        retry(fetch, error, now)
    }

    /// Ends the source at the end of this fetch.
    ///
    /// - Parameter total: The length that the server declared last, at most the fetch's end.
    private mutating func endHere(_ fetch: Int, at total: Int64? = nil) {
        abandon(fetch)
        let end = total ?? fetches[fetch].window.end
        if let wanted = self.end, wanted > end { warn(.shorter(at: end, promised: wanted)) }
        if last == nil, resource.length != nil || fetches[fetch].skipped == 0 { resource.length = end }
        fetches[fetch].phase = .complete
        wake()
    }

    /// Retries after a back-off, or gives up after the time limit.
    mutating func retry(_ fetch: Int, _ error: WebError, _ now: HostTime) {
        fetches[fetch].serial = nil
        // A reader that began to wait later still gets the full time limit.
        let start = max(fetches[fetch].progress, waitingSince ?? fetches[fetch].progress)
        if now.since(start) >= limits.timeLimit {
            fetches[fetch].phase = .idle
            if waitingSince != nil, fetch == active { fail(isOpen ? .lost("\(error)") : error) }
            return
        }
        let pause = fetches[fetch].backOff.next()
        if pause == .zero { return ask(fetch, .retry("\(error)"), now) }
        fetches[fetch].phase = .waiting(until: now.advanced(by: pause), .retry("\(error)"))
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
