import CoreMedia
import TuttiMediaTime

// The supply of sound: underruns, and sources that starve the playhead.
extension PlayerEngine {
    /// Handles sound that comes too late, underruns, and levels that end a wait.
    mutating func watchSupply() {
        if let item = buffering.takeUnderrun() { stall(item) }
        guard let head = schedule.head, let last = schedule.last else { return }
        let source = schedule.feed(last)
        if outputs.hasGiven || source.waitingCount == 0, outputs.isLate(last, at: now) { outputs.close() }
        if outputs.isDry(last, source, at: now), state.machine.control == .playing {
            return runDry(head, last)
        }
        let levels = state.item(head.item)?.state.levels ?? BufferLevels()
        state.transport { $0.levelsBecame(levels) }
        if buffering.evaluate(state.machine.reason, at: now) { state.transport { $0.evaluationEnded() } }
    }

    private mutating func runDry(_ head: ScheduledItem, _ last: ScheduledItem) {
        hold(at: min(currentTime, outputs.playableEnd(of: last)))
        schedule.withLast { $0.ranDry() }
        outputs.ranDry()
        buffering.ranDry(head.item)
        state.itemRanDry(head.item)
    }

    private mutating func stall(_ item: ItemID) {
        guard item == schedule.head?.item else { return }
        var isStall = false
        state.transport(because: .failed) { isStall = $0.ranDry() }
        if isStall { reports.post(.stalled, of: item) }
    }

    /// Fails a source that neither delivers enough sound nor ends; the queue continues.
    mutating func watchPlayhead() {
        if let error = buffering.watchPlayhead(schedule, state, at: now) { failHead(error) }
    }
}
