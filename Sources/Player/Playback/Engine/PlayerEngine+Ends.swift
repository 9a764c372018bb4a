import CoreMedia
import TuttiMediaTime

// Ends of items.
extension PlayerEngine {
    mutating func passEnd() {
        guard let head = schedule.head, head.isComplete, state.seeking.pending == nil,
            // The program may have removed the item while an edit keeps it in the outputs.
            head.item == state.items.first?.id
        else { return }
        let isPlaying = state.machine.control == .playing
        if head.phase == .heard {
            // A start at the end stops there, unless the end action is `advance` by now.
            guard isPlaying else { return }
            return state.endAction == .advance ? advance(past: head) : state.itemHasEnded()
        }
        // A seek to the very end is reached without time running.
        guard outputs.appliedRate != 0 || isPlaying, currentTime >= head.end else { return }
        if state.endAction == .advance { advance(past: head) } else { stay(at: head) }
        reports.post(.playedToEnd, of: head.item)
    }

    private mutating func stay(at head: ScheduledItem) {
        schedule.items[0].wasHeard()
        state.itemHasEnded()
        if state.endAction == .none { hold(at: head.end) } else { applyRate() }
    }

    private mutating func advance(past head: ScheduledItem) {
        state.rateReason = .ended
        state.advance(head.end)
        dropHead()
        // The successor is not ready: time waits at the join.
        if outputs.appliedRate != 0, state.machine.control != .playing {
            hold(at: schedule.head?.join ?? head.end)
        }
    }

    /// Ends the first item; its successor becomes the audible item.
    private mutating func dropHead() {
        let needsOtherRate =
            schedule.items.count == 2 && outputs.awaitsOtherRate(schedule.items[1], schedule, state)
        if let head = schedule.head { reports.stopLine(of: head.item) }
        schedule.closeHead()
        state.headStart = schedule.head?.start
        guard let head = schedule.head else { return }
        if needsOtherRate { hold(at: head.join) }
        reports.actions.append(.announceLine)
    }
}
