import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// Feeding: buffers go from the scheduled items' feeds to the outputs.
extension Outputs {
    /// Requests deliveries if the schedule has sound to give.
    mutating func requestDelivery(from schedule: Schedule, _ state: PlayerState) {
        guard !isRequesting, !isSplicing, hasDelivery(from: schedule, state) else { return }
        // Time stands and no sound is queued, so new sound may be for another rate.
        if appliedRate == 0, seen.startedRate != 0, !schedule.hasSound { flush() }
        request()
    }

    /// Whether the schedule has sound to give, or an end to tell.
    private func hasDelivery(from schedule: Schedule, _ state: PlayerState) -> Bool {
        guard let last = schedule.last, last.phase != .failed, !awaitsOtherRate(last, schedule, state) else {
            return false
        }
        if last.isComplete { return tail != .stale && (tail == .untold || schedule.next(in: state) != nil) }
        let source = schedule.feed(last)
        guard last.isCurrent(source) else { return false }
        return last.isAtWishedEnd(state.item(last.item)) || (source.waitingCount > 0 && !isClosing)
            || (source.waitingCount == 0 && (source.isAtEnd || source.error != nil))
    }

    /// Whether a live stream waits behind an item at another rate.
    func awaitsOtherRate(_ one: ScheduledItem, _ schedule: Schedule, _ state: PlayerState) -> Bool {
        let started = seen.startedRate
        return schedule.awaitsOtherRate(one, than: started != 0 ? started : state.machine.rate)
    }

    /// Takes the next step of feeding the render queue, which wants more.
    mutating func nextDelivery(
        from schedule: inout Schedule, _ state: inout PlayerState, at now: HostTime
    ) -> EngineDelivery {
        guard isRequesting, let last = schedule.last else { return pauseDelivery() }
        if last.isComplete { return scheduleNext(&schedule, &state, now) }
        if awaitsOtherRate(last, schedule, state) { return pauseDelivery() }
        if last.isAtWishedEnd(state.item(last.item)) {
            return complete(at: last.end, &schedule, &state, now)
        }
        if hasGiven, isLate(last, at: now) { close() }
        let source = schedule.feed(last)
        guard last.isCurrent(source) else { return pauseDelivery() }
        if source.waitingCount > 0 { return isClosing ? pauseDelivery() : .take(last.feed) }
        if source.isAtEnd {
            let end = max(last.end, last.start + source.loadedEnd)
            return complete(at: end, &schedule, &state, now)
        }
        guard source.error != nil else { return pauseDelivery() }
        schedule.withLast { $0.sourceFailed() }
        endOfData()
        return .stop
    }

    /// Completes the last item, whose sound ends at `end`.
    private mutating func complete(
        at end: CMTime, _ schedule: inout Schedule, _ state: inout PlayerState, _ now: HostTime
    ) -> EngineDelivery {
        reopen()
        schedule.withLast { $0.drained(at: end) }
        return scheduleNext(&schedule, &state, now)
    }

    private mutating func scheduleNext(
        _ schedule: inout Schedule, _ state: inout PlayerState, _ now: HostTime
    ) -> EngineDelivery {
        if schedule.appendNext(&state, at: now) { return .again }
        endOfData()
        return .stop
    }

    private mutating func pauseDelivery() -> EngineDelivery {
        pauseRequests()
        return .stop
    }

    /// Places a buffer of the feed to deliver from, given in item time.
    mutating func place(
        _ start: CMTime, _ duration: CMTime, in schedule: inout Schedule, _ state: PlayerState
    ) -> EnginePlacement {
        guard let last = schedule.last else {
            return EnginePlacement(time: start, isDropped: true, pitch: .kept)
        }
        let placement = schedule.items[schedule.items.count - 1].give(
            start, duration, state.item(last.item), schedule.feed(last).facts?.info)
        if !placement.isDropped { gave() }
        return placement
    }
}
