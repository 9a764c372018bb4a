import CoreMedia
import TuttiMediaTime

// The schedule follows the program's queue, and the items' wishes.
extension PlayerEngine {
    /// Reconciles the schedule with the queue and the items' wishes.
    mutating func followQueue() {
        state.removeFailed(inFirst: schedule.items.count + 1, currentTime)
        guard !outputs.isSplicing else { return }
        let first = state.items.first
        if schedule.head?.item != first?.id { return scheduleHead(first) }
        if let index = schedule.firstUnwanted(in: state) { return drop(from: index) }
        if let time = schedule.moveEnds(&state) { return outputs.splice(from: time) }
        let (playhead, rate) = (outputs.playhead(at: now), outputs.seen.startedRate)
        for index in schedule.items.indices {
            let item = state.items[index]
            if schedule.changePitch(of: index, item, at: rate), giveAgain(index) { return }
            if schedule.changeStream(of: index, item), giveAgain(index) { return }
            if let time = schedule.changeVolumes(of: index, item, playhead, &state) {
                return outputs.splice(from: time)
            }
        }
    }

    /// Replaces the outputs' sound of an item by sound that is read or given anew.
    ///
    /// - Returns: Whether the outputs are edited.
    private mutating func giveAgain(_ index: Int) -> Bool {
        if index == 0 { return refillUnseen() }
        drop(from: index)
        return true
    }

    /// Drops scheduled items from `index` on.
    private mutating func drop(from index: Int) {
        if let time = schedule.drop(from: index, &state) {
            outputs.splice(from: time)
        } else {
            outputs.lostSuccessor()
        }
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
