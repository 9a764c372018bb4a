import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// The schedule follows the program's queue, and the items' wishes.
extension PlayerEngine {
    /// Reconciles the schedule with the queue and the items' wishes.
    mutating func followQueue() {
        state.removeFailed(inFirst: schedule.items.count + 1, currentTime)
        guard !outputs.isSplicing else { return }
        let first = state.items.first
        if schedule.head?.item != first?.id { return scheduleHead(first) }
        if let index = schedule.firstUnwanted(in: state) { return splice(at: index) }
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
        // The outputs have the item's sound already: only time jumps.
        if let head, schedule.skip(to: head) { return jump(to: schedule.items[0].join) }
        let wasScheduled = schedule.head != nil
        schedule.close(from: 0, &state)
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
        schedule.append(head, at: base, lead: .zero, &state, now)
        state.headStart = base
        hold(at: schedule.items[0].join)
        // An item that was ready once has no sound at hand now.
        if !schedule.feed(schedule.items[0]).hasSound { state.transport { $0.mustRefill() } }
    }
}
