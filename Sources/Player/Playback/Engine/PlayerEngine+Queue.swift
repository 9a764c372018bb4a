import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// The schedule follows the program's queue, and the items' wishes.
extension PlayerEngine {
    /// Reconciles the schedule with the queue and the items' wishes.
    mutating func followQueue() {
        dropFailed()
        guard !outputs.isSplicing else { return }
        let first = state.items.first
        if schedule.head?.item != first?.id { return scheduleHead(first) }
        if let index = schedule.firstUnwanted(in: state.items, state.endAction) { return splice(at: index) }
        for index in schedule.items.indices {
            let item = state.items[index]
            guard schedule.items[index].limit != schedule.items[index].wishedEnd(item) else { continue }
            if moveEnd(of: index, item) { return }
        }
        for index in schedule.items.indices {
            let item = state.items[index]
            if changePitch(of: index, item) || changeStream(of: index, item) { return }
            if changeMix(of: index, item) || changeCrossfade(of: index, item) { return }
        }
    }

    /// Drops items that failed before they became audible, if the queue advances by itself.
    private mutating func dropFailed() {
        while state.endAction == .advance, state.items.count > 1,
            let failed = state.items.prefix(schedule.items.count + 1).first(where: \.hasFailed)
        { state.remove(failed.id, currentTime) }
    }

    /// Feeds sound again if it was enqueued at a rate other than 1 with another pitch treatment.
    private mutating func changePitch(of index: Int, _ item: QueuedItem) -> Bool {
        guard schedule.items[index].pitch != item.wishes.pitch else { return false }
        schedule.items[index].pitch = item.wishes.pitch
        let rate = outputs.seen.startedRate
        guard schedule.items[index].hasSound, rate != 0, rate != 1 else { return false }
        if index == 0 { return refillUnseen() }
        splice(at: index)
        return true
    }

    /// Reads the outputs' sound again from the newly selected stream.
    private mutating func changeStream(of index: Int, _ item: QueuedItem) -> Bool {
        guard schedule.items[index].stream != item.wishes.stream else { return false }
        guard index == 0 else {
            splice(at: index)
            return true
        }
        schedule.select(stream: item.wishes.stream)
        return refillUnseen()
    }

    /// Schedules another first item, or none.
    mutating func scheduleHead(_ head: QueuedItem?) {
        state.restartSeek()
        buffering.refill.stop()
        if let old = schedule.head { reports.stopLine(of: old.item) }
        if let head, let index = schedule.items.firstIndex(where: { $0.item == head.id }),
            schedule.items[index].startTime == head.place, schedule.items[index].lead == .zero
        {
            // The outputs have the item's sound already: only time jumps.
            schedule.close(before: index)
            return jump(to: schedule.items[0].join)
        }
        let wasScheduled = schedule.head != nil
        close(from: 0)
        // Also for sound already heard: the next start may be at another rate.
        if wasScheduled || outputs.seen.startedRate != 0 { outputs.flush() }
        // A failed item stays current, and silent.
        guard let head, !head.hasFailed else {
            state.cancelSeek()
            state.headStart = nil
            if outputs.appliedRate != 0 { hold(at: .invalid) }
            return
        }
        // In whole seconds, sums are exact at any sample rate.
        let base = CMTime(seconds: currentTime.seconds.rounded(.up), preferredTimescale: 1)
        append(head, at: base)
        state.headStart = base
        hold(at: schedule.items[0].join)
        // An item that was ready once has no sound at hand now.
        if !schedule.feed(schedule.items[0]).hasSound { state.transport { $0.mustRefill() } }
    }

    // MARK: Scheduling

    /// The item to schedule next.
    var nextItem: QueuedItem? { schedule.next(in: state.items, state.endAction) }

    mutating func append(_ item: QueuedItem, at start: CMTime, lead: CMTime = .zero) {
        if schedule.append(item, at: start, lead: lead) { state.itemWasOpened(item.id, at: now) }
    }

    /// Opens the successor while its predecessor is still being fed.
    mutating func prepareNext() {
        let next = schedule.last.flatMap { $0.isComplete || schedule.feed($0).isAtEnd ? nextItem : nil }
        if schedule.prepare(next, lead: next.map { schedule.lead(of: $0) } ?? .zero), let next {
            state.itemWasOpened(next.id, at: now)
        }
    }

    mutating func close(from index: Int) {
        for id in schedule.close(from: index) { state.itemWasClosed(id) }
    }
}
