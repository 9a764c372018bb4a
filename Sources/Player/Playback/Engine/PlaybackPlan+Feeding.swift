import CoreMedia

// Feeding: buffers go from the items' feeds to the outputs.
extension PlaybackPlan {
    /// Requests calls of ``deliver()`` if there is sound to give.
    mutating func requestDelivery() {
        guard !outputs.isRequesting, !outputs.isSplicing, hasSomethingToGive else { return }
        // Time stands and no sound is queued, so new sound may be for another rate.
        if outputs.appliedRate == 0, outputs.seen.startedRate != 0, !schedule.hasSound { outputs.flush() }
        outputs.request()
    }

    private var hasSomethingToGive: Bool {
        guard let last = schedule.last, last.phase != .failed, !awaitsOtherRate(last) else { return false }
        if last.isComplete { return outputs.tail != .stale && (outputs.tail == .untold || nextItem != nil) }
        let state = feed(last)
        guard last.isCurrent(state) else { return false }
        return isAtWishedEnd(last) || (state.waitingCount > 0 && !outputs.isClosing)
            || (state.waitingCount == 0 && (state.isAtEnd || state.error != nil))
    }

    private func isAtWishedEnd(_ one: ScheduledItem) -> Bool { one.isAtWishedEnd(state.item(one.item)) }

    /// Whether a live stream waits behind an item at another rate. Sound packed for that rate could not be
    /// read again.
    func awaitsOtherRate(_ one: ScheduledItem) -> Bool {
        guard schedule.items.count > 1, let only = feed(one).facts?.onlyRate else { return false }
        let started = outputs.seen.startedRate
        return only != (started != 0 ? started : state.machine.rate)
    }

    /// The item to schedule next.
    var nextItem: QueuedItem? {
        let count = schedule.items.count
        guard state.endAction == .advance, count > 0, count < state.items.count,
            schedule.last?.item == state.items[count - 1].id
        else { return nil }
        return state.items[count]
    }

    /// Takes the next step of feeding the render queue, which wants more.
    mutating func deliver() -> EngineDelivery {
        guard outputs.isRequesting, let last = schedule.last else { return pauseDelivery() }
        if last.isComplete { return scheduleNext() }
        if awaitsOtherRate(last) { return pauseDelivery() }
        if isAtWishedEnd(last) { return complete(at: last.end) }
        if outputs.hasGiven, isLate { outputs.close() }
        let state = feed(last)
        guard last.isCurrent(state) else { return pauseDelivery() }
        if state.waitingCount > 0 { return outputs.isClosing ? pauseDelivery() : .take(last.feed) }
        if state.isAtEnd { return complete(at: max(last.end, last.start + state.loadedEnd)) }
        guard state.error != nil else { return pauseDelivery() }
        schedule.withLast { $0.phase = .failed }
        outputs.endOfData()
        return .stop
    }

    /// Places a buffer of the last item, given in item time.
    mutating func place(_ start: CMTime, _ duration: CMTime) -> EnginePlacement {
        guard let last = schedule.last else {
            return EnginePlacement(time: start, isDropped: true, pitch: .kept)
        }
        let time = start + last.start
        var (end, trim) = (time + duration, CMTime?.none)
        if let limit = state.item(last.item).map(last.wishedEnd) ?? last.limit, end > limit {
            (trim, end) = (end - limit, max(time, limit))
        }
        schedule.withLast { $0.end = max($0.end, end) }
        if end > time {
            schedule.withLast { $0.gave(until: end) }
            outputs.gave()
        }
        // Placed on the timeline only where it matters: most sound has no volume of its own.
        let curve = last.mix.curve(of: feed(last).facts?.info)
        return EnginePlacement(
            time: time, trim: trim, isDropped: end <= time, pitch: last.pitch,
            volume: curve?.part(from: start, to: start + duration)?.moved(by: last.start))
    }

    private mutating func complete(at end: CMTime) -> EngineDelivery {
        outputs.reopen()
        schedule.withLast { $0.drained(at: end) }
        return scheduleNext()
    }

    /// Schedules the next item at the end of the last one.
    private mutating func scheduleNext() -> EngineDelivery {
        guard let last = schedule.last, let next = nextItem else {
            outputs.endOfData()
            return .stop
        }
        let lead = lead(of: next)
        append(next, at: last.end - next.place - lead, lead: lead)
        return .again
    }

    /// The length of an item's beginning that the feed of the last item has mixed into its end.
    func lead(of next: QueuedItem) -> CMTime {
        guard let last = schedule.last, let crossfade = feed(last).crossfaded,
            crossfade.next == next.id, crossfade.start == next.place
        else { return .zero }
        return crossfade.duration
    }

    private mutating func pauseDelivery() -> EngineDelivery {
        outputs.pauseRequests()
        return .stop
    }

    /// Whether sound enqueued now would miss its deadline and leave a gap.
    var isLate: Bool {
        guard !outputs.isClosing, outputs.appliedRate != 0, outputs.isRunning(at: now),
            let last = schedule.last, last.isOpen, !outputs.isSplicing
        else { return false }
        return currentTime >= outputs.latestUse(of: last)
    }

    /// Whether all sound at hand was heard before the item's end.
    var isDry: Bool {
        guard outputs.isClosing, outputs.isRunning(at: now), let last = schedule.last, last.isOpen else {
            return false
        }
        let state = feed(last)
        return currentTime >= outputs.playableEnd(of: last) && !(state.isAtEnd && state.waitingCount == 0)
    }

    /// Tells each feed how far to read: beyond the outputs' sound, or as far as the program wants.
    mutating func readAhead() {
        for index in schedule.items.indices {
            let one = schedule.items[index]
            let item = state.item(one.item)
            let view = one.reading(item, feed(one), playhead: playhead(one))
            let until = schedule.items[index].readAhead.next(view)
            if let until { schedule.read(index, until: until) }
        }
    }
}
