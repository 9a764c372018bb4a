import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// Ends of items, and what was heard of them.
extension PlayerEngine {
    /// Counts the sound that was heard, before a seek or a refill moves the playhead.
    mutating func countPlayed() {
        guard let head = schedule.head else { return }
        schedule.items[0].countPlayed(to: schedule.playhead(head, at: currentTime))
    }

    mutating func passEnd() {
        guard let head = schedule.head, head.isComplete, state.seeking.pending == nil,
            // The program may have removed the item while an edit keeps it in the outputs.
            head.item == state.items.first?.id
        else { return }
        let machine = state.machine
        if head.phase == .heard {
            // A start at the end stops there, unless the end action is `advance` by now.
            guard machine.control == .playing else { return }
            if state.endAction == .advance { return advance(past: head) }
            let stays = state.endAction == .none
            return state.transport(because: .ended) { $0.itemEnded(staysAtRate: stays) }
        }
        // A seek to the very end is reached without time running.
        guard outputs.appliedRate != 0 || machine.control == .playing, currentTime >= head.end else { return }
        if state.endAction == .advance {
            advance(past: head)
        } else {
            schedule.items[0].wasHeard()
            let stays = state.endAction == .none
            state.transport(because: .ended) { $0.itemEnded(staysAtRate: stays) }
            if stays { hold(at: head.end) } else { applyRate() }
        }
        reports.post(.playedToEnd, of: head.item)
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
