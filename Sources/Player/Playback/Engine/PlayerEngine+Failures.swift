import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// Failures of the outputs, of single buffers and of sources.
extension PlayerEngine {
    /// Stops at a current item that failed. One step later than the failure, whose observers may replace the
    /// item: then playback continues.
    mutating func stopAtFailedItem() {
        guard let item = state.items.first, item.hasFailed,
            !state.machine.isItemFailed, let head = schedule.head, head.item == item.id,
            state.endAction != .advance || state.items.count == 1
        else { return }
        if outputs.appliedRate != 0 { hold(at: min(currentTime, head.end)) }
        reports.stopLine(of: item.id)
        state.itemHasFailed()
    }

    mutating func noticeFailure() {
        guard let failure = outputs.seen.failure, let head = schedule.head else { return }
        if let time = failure.time { return bufferFailed(at: time, failure.error) }
        guard state.status != .failed else { return }
        state.fail(failure.error)
        reports.post(.failedToPlayToEnd(failure.error), of: head.item)
    }

    /// Fails the item of a buffer that could not be rendered, and feeds the other items again.
    private mutating func bufferFailed(at time: CMTime, _ error: any Error) {
        // After a flush, the outputs accept sound again.
        outputs.flush()
        // The buffer's item was removed meanwhile: feeds the other items again.
        guard let one = schedule.items.first(where: { $0.end > time }) else {
            refillUnseen()
            return
        }
        let path = state.item(one.item)?.state.facts?.info?.path ?? ""
        let problem = MediaError.undecodable(name: path, reason: "\(error)")
        if one.feed == schedule.head?.feed { return fail(one, problem) }
        state.failItem(one.item, problem)
        refillUnseen()
    }

    /// Handles a feed error after all sound read before it was heard.
    mutating func noticeErrors() {
        for index in schedule.items.indices {
            if noticeError(of: schedule.items[index], isHead: index == 0) { return }
        }
        if let next = schedule.prepared { _ = noticeError(of: next, isHead: false) }
    }

    /// - Returns: Whether the first item failed.
    private mutating func noticeError(of one: ScheduledItem, isHead: Bool) -> Bool {
        let source = schedule.feed(one)
        guard let error = source.error, one.isCurrent(source), source.waitingCount == 0,
            let item = state.item(one.item), !item.hasFailed
        else { return false }
        guard isHead else {
            // The item was never audible: the queue continues without the item.
            if !one.hasSound { state.failItem(one.item, error) }
            return false
        }
        let isHeard = currentTime >= one.end && state.machine.control != .paused
        guard item.state.status == .unknown || isHeard else { return false }
        fail(one, error)
        return true
    }

    /// Fails the first item.
    mutating func fail(_ one: ScheduledItem, _ error: MediaError) {
        guard let item = state.item(one.item) else { return }
        buffering.refill.stop()
        state.failItem(one.item, error)
        if item.state.status == .readyToPlay || state.machine.rate != 0 {
            reports.post(.failedToPlayToEnd(error), of: one.item)
        }
    }
}
