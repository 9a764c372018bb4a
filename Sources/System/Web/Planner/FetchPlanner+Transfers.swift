import TuttiMediaTime

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
        switch head.status {
        case 200, 206:
            return accept(fetch, head, address, now)
        case 416:
            outOfRange(fetch, total: head.contentRange?.total)
        default:
            refuse(fetch, head.status, now)
        }
        return false
    }

    private mutating func accept(_ fetch: Int, _ head: WebHead, _ address: String, _ now: HostTime) -> Bool {
        let (asked, wanted) = (fetches[fetch].transfer.askedOffset, fetches[fetch].window.end)
        do {
            let skipped = try target.learn(head, from: address, asked: asked, wanted: wanted, limits)
            let interval = target.resource.isLive ? head.titleInterval : nil
            fetches[fetch].answer(skipped: skipped, titles: interval.map(IcyDemultiplexer.init), at: now)
        } catch {
            fail(error)
            return false
        }
        if target.resource.isLive, wanted > 0 { notes.add(.interrupted(at: wanted)) }
        wake()
        return true
    }

    /// Handles status 416: the source has no bytes after the requested offset.
    private mutating func outOfRange(_ fetch: Int, total: Int64?) {
        let end = fetches[fetch].window.end
        if let total, total > end { return fail(.status(416)) }
        target.openEmpty(at: end)
        endHere(fetch, at: total)
    }

    private mutating func refuse(_ fetch: Int, _ status: Int, _ now: HostTime) {
        guard target.mayRecover(from: status) else { return fail(.status(status)) }
        retry(fetch, .status(status), now)
    }

    /// Handles bytes of the body.
    mutating func receive(_ serial: Int, _ bytes: UnsafeRawBufferPointer, at now: HostTime) -> Taking {
        guard let fetch = fetch(of: serial) else { return .stop }
        let serves = fetch == active && fetches[fetch].serves(position, reach: target.reach(limits))
        guard serves, ahead < limits.windowBytes else {
            fetches[fetch].phase = .held
            return .hold
        }
        wait.receive(bytes.count, at: now, limits: limits)
        guard let titles = fetches[fetch].receive(bytes, at: now) else { return .taken }
        for title in titles { notes.add(title) }
        // A forward jump within the reach leaves a gap that nobody reads.
        fetches[fetch].window.forget(before: position - Int64(keptBytes))
        if wait.since != nil, fetches[fetch].window.end > position {
            wait.end()
            wake()
        }
        return .taken
    }

    /// Handles the end of a transfer.
    ///
    /// - Parameter failure: `nil` if all announced bytes arrived.
    mutating func finish(_ serial: Int, _ failure: TransferFailure?, at now: HostTime) {
        guard let fetch = fetch(of: serial) else { return }
        fetches[fetch].end()
        guard let failure else {
            if target.resource.isLive {
                return cut(fetch, .lost("the station closed it"), isShort: false, now)
            }
            if let end = target.end, fetches[fetch].window.end < end, fetches[fetch].isAnswered {
                return cut(fetch, .lost("it ended before its declared length"), isShort: true, now)
            }
            return endHere(fetch)
        }
        if failure.isLasting || !target.isOpen && !failure.isLoss { return fail(failure.error) }
        guard fetch == active, fetches[fetch].phase != .held else { return fetches[fetch].phase = .idle }
        cut(fetch, failure.error, isShort: failure.isShort, now)
    }

    /// Handles a connection that ended in mid-transfer.
    private mutating func cut(_ fetch: Int, _ error: WebError, isShort: Bool, _ now: HostTime) {
        fetches[fetch].countCut()
        let (isOpen, isLive) = (target.isOpen, target.resource.isLive)
        if isLive, fetches[fetch].poorConnections >= WebLimits.poorConnections { return fail(error) }
        if fetches[fetch].cuts >= WebLimits.cutsAtOnePlace {
            if !isOpen { return fail(error) }
            // The server repeatedly ends here, so its declared length is wrong.
            if isShort, fetches[fetch].isAnswered, !isLive { return endHere(fetch) }
        }
        retry(fetch, error, now)
    }

    /// Ends the source at the end of this fetch.
    ///
    /// - Parameter total: The length that the server declared last, at most the fetch's end.
    private mutating func endHere(_ fetch: Int, at total: Int64? = nil) {
        abandon(fetch)
        let end = total ?? fetches[fetch].window.end
        if let promised = target.end, promised > end { notes.add(.shorter(at: end, promised: promised)) }
        target.finish(at: end, isCounted: fetches[fetch].transfer.skipped == 0)
        fetches[fetch].phase = .complete
        wake()
    }

    /// Ends the transfer and retries after a back-off, or gives up after the time limit.
    mutating func retry(_ fetch: Int, _ error: WebError, _ now: HostTime) {
        abandon(fetch)
        if now.since(wait.silence(since: fetches[fetch].progress)) >= limits.timeLimit {
            if wait.since != nil, fetch == active { fail(target.isOpen ? .lost("\(error)") : error) }
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
