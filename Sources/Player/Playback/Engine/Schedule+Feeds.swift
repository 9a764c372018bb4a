import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// The items' feeds: what they have found, and how far they are to read.
extension Schedule {
    mutating func look(_ feeds: [FeedID: ItemFeedState]) { self.feeds = feeds }

    /// Returns the state of an item's feed.
    func feed(_ one: ScheduledItem) -> ItemFeedState { feeds[one.feed] ?? ItemFeedState() }

    /// Whether a source failed whose item is not complete in the outputs. Its sound cannot be read again.
    var hasFailedSource: Bool {
        items.contains { one in
            let source = feed(one)
            return !one.isComplete && source.error != nil && one.isCurrent(source)
        }
    }

    /// Whether a live stream waits behind an item at another rate. Sound packed for that rate could not be read
    /// again.
    func awaitsOtherRate(_ one: ScheduledItem, than rate: Float) -> Bool {
        guard items.count > 1, let only = feed(one).facts?.onlyRate else { return false }
        return only != rate
    }

    /// Returns the length of an item's beginning that the feed of the last item has mixed into its end.
    func lead(of next: QueuedItem) -> CMTime {
        guard let last, let crossfade = feed(last).crossfaded, crossfade.next == next.id,
            crossfade.start == next.place
        else { return .zero }
        return crossfade.duration
    }

    /// Returns the item time that is heard; the first audible one for a later item.
    ///
    /// - Parameter time: The audible timeline time.
    func playhead(_ one: ScheduledItem, at time: CMTime) -> CMTime {
        one.feed == items.first?.feed ? max(.zero, time - one.start) : one.place
    }

    /// Counts the sound of the first item that was heard.
    ///
    /// - Parameter time: The audible timeline time.
    mutating func countPlayed(at time: CMTime) {
        guard let head else { return }
        items[0].countPlayed(to: playhead(head, at: time))
    }

    // MARK: Observing

    /// Learns from the feeds of all items.
    ///
    /// - Parameter time: The audible timeline time.
    /// - Returns: The actions that report it.
    mutating func observeFeeds(_ state: inout PlayerState, at time: CMTime) -> [EngineAction] {
        var reports: [EngineAction] = []
        for index in items.indices {
            if beginAtStart(index, &state) { reports.append(.resetStartTime(items[index].item)) }
            guard var item = state.item(items[index].item) else { continue }
            let source = feed(items[index])
            let playhead = index == 0 ? time - items[index].start : nil
            reports += items[index].observe(source, &item, playhead: playhead)
            state.store(item)
        }
        guard let next = prepared, var item = state.item(next.item) else { return reports }
        let source = feed(next)
        reports += prepared?.observe(source, &item, playhead: nil) ?? []
        state.store(item)
        return reports
    }

    /// Starts a live stream at its current sound, whatever start time the program set.
    ///
    /// - Returns: Whether the start time has to be reset.
    private mutating func beginAtStart(_ index: Int, _ state: inout PlayerState) -> Bool {
        let one = items[index]
        guard one.place > .zero, !one.hasSound, feed(one).facts?.isLive == true else { return false }
        state.withItem(one.item) { $0.startTime = .zero }
        items[index].beginAtStart()
        if index == 0 { state.headStart = items[index].start }
        return true
    }

    /// Reports items whose first sound has come. The player's status changes before the item's, because an
    /// observer of the item's status may preroll.
    func reportReady(_ state: inout PlayerState, at now: HostTime) {
        for (index, one) in items.enumerated() {
            if reportReady(one, isHead: index == 0, &state, at: now) { return }
        }
        if let prepared { _ = reportReady(prepared, isHead: false, &state, at: now) }
    }

    /// - Returns: Whether observers must see the change before the next one.
    private func reportReady(
        _ one: ScheduledItem, isHead: Bool, _ state: inout PlayerState, at now: HostTime
    ) -> Bool {
        let source = feed(one)
        guard source.facts != nil, source.hasSound, let item = state.item(one.item), !item.hasFailed else {
            return false
        }
        if isHead, state.status == .unknown {
            state.becomeReady()
            return true
        }
        if item.state.readyAt == nil {
            state.itemCanPlay(one.item, at: now)
            return isHead
        }
        guard isHead, !state.machine.isItemReady else { return false }
        state.itemIsReady()
        return true
    }

    // MARK: Errors

    /// Fails items whose feeds failed, after all sound read before the error was heard. The queue continues without
    /// an item that was never audible.
    ///
    /// - Parameter time: The audible timeline time.
    /// - Returns: The error of the first item, which the caller fails; `nil` for none.
    func failItems(_ state: inout PlayerState, at time: CMTime) -> MediaError? {
        if let head, let (error, item) = lastError(of: head, state) {
            let isHeard = time >= head.end && state.machine.control != .paused
            if isHeard || item.state.status == .unknown { return error }
        }
        for one in items.dropFirst() { failUnheard(one, &state) }
        if let prepared { failUnheard(prepared, &state) }
        return nil
    }

    private func failUnheard(_ one: ScheduledItem, _ state: inout PlayerState) {
        guard !one.hasSound, let (error, _) = lastError(of: one, state) else { return }
        state.failItem(one.item, error)
    }

    /// Returns the error of an item's feed that has nothing more to give.
    private func lastError(
        of one: ScheduledItem, _ state: PlayerState
    ) -> (error: MediaError, item: QueuedItem)? {
        let source = feed(one)
        guard let error = source.error, one.isCurrent(source), source.waitingCount == 0,
            let item = state.item(one.item), !item.hasFailed
        else { return nil }
        return (error, item)
    }

    // MARK: Reading

    /// Tells each feed how far to read: beyond the outputs' sound, or as far as the program wants.
    ///
    /// - Parameter time: The audible timeline time.
    mutating func readAhead(_ state: PlayerState, at time: CMTime) {
        for index in items.indices {
            let one = items[index]
            let view = one.reading(state.item(one.item), feed(one), playhead: playhead(one, at: time))
            if let until = items[index].readAhead.next(view) { actions.append(.read(one.feed, until: until)) }
        }
    }
}
