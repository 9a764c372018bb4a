import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// Feeding: buffers go from the items' feeds to the outputs.
extension PlayerEngine {
    /// Requests calls of ``deliver(_:)`` if there is sound to give.
    mutating func requestDelivery() {
        guard !outputs.isRequesting, !outputs.isSplicing, hasSomethingToGive else { return }
        // Time stands and no sound is queued, so new sound may be for another rate.
        if outputs.appliedRate == 0, outputs.seen.startedRate != 0, !schedule.hasSound { outputs.flush() }
        outputs.request()
    }

    private var hasSomethingToGive: Bool {
        guard let last = schedule.last, last.phase != .failed, !awaitsOtherRate(last) else { return false }
        if last.isComplete {
            return outputs.tail != .stale && (outputs.tail == .untold || schedule.next(in: state) != nil)
        }
        let source = schedule.feed(last)
        guard last.isCurrent(source) else { return false }
        return isAtWishedEnd(last) || (source.waitingCount > 0 && !outputs.isClosing)
            || (source.waitingCount == 0 && (source.isAtEnd || source.error != nil))
    }

    private func isAtWishedEnd(_ one: ScheduledItem) -> Bool { one.isAtWishedEnd(state.item(one.item)) }

    /// Whether a live stream waits behind an item at another rate.
    func awaitsOtherRate(_ one: ScheduledItem) -> Bool {
        let started = outputs.seen.startedRate
        return schedule.awaitsOtherRate(one, than: started != 0 ? started : state.machine.rate)
    }

    /// Takes the next step of feeding the render queue, which wants more.
    mutating func nextDelivery() -> EngineDelivery {
        guard outputs.isRequesting, let last = schedule.last else { return pauseDelivery() }
        if last.isComplete { return scheduleNext() }
        if awaitsOtherRate(last) { return pauseDelivery() }
        if isAtWishedEnd(last) { return complete(at: last.end) }
        if outputs.hasGiven, outputs.isLate(last, at: now) { outputs.close() }
        let source = schedule.feed(last)
        guard last.isCurrent(source) else { return pauseDelivery() }
        if source.waitingCount > 0 { return outputs.isClosing ? pauseDelivery() : .take(last.feed) }
        if source.isAtEnd { return complete(at: max(last.end, last.start + source.loadedEnd)) }
        guard source.error != nil else { return pauseDelivery() }
        schedule.withLast { $0.sourceFailed() }
        outputs.endOfData()
        return .stop
    }

    /// Places a buffer of the feed to deliver from, given in item time.
    mutating func place(_ start: CMTime, _ duration: CMTime) -> EnginePlacement {
        guard let last = schedule.last else {
            return EnginePlacement(time: start, isDropped: true, pitch: .kept)
        }
        let placement = schedule.items[schedule.items.count - 1].give(
            start, duration, state.item(last.item), schedule.feed(last).facts?.info)
        if !placement.isDropped { outputs.gave() }
        return placement
    }

    private mutating func complete(at end: CMTime) -> EngineDelivery {
        outputs.reopen()
        schedule.withLast { $0.drained(at: end) }
        return scheduleNext()
    }

    /// Schedules the next item at the end of the last one.
    private mutating func scheduleNext() -> EngineDelivery {
        if schedule.appendNext(&state, at: now) { return .again }
        outputs.endOfData()
        return .stop
    }

    private mutating func pauseDelivery() -> EngineDelivery {
        outputs.pauseRequests()
        return .stop
    }
}
