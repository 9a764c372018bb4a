import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// The supply of sound: levels, underruns, and sources that starve the playhead.
extension PlayerEngine {
    /// Measures the sound at hand of all items.
    mutating func observeLevels() {
        for index in schedule.items.indices {
            guard var item = state.item(schedule.items[index].item), !item.hasFailed else { continue }
            let source = schedule.feed(schedule.items[index])
            let context = gaugeContext(of: schedule.items[index])
            let levels = schedule.items[index].measureLevels(source, &item, context)
            let isHidden = index == 0 && source.error == nil && hidesRefill(levels)
            if !isHidden { item.set(\.levels, levels) }
            state.store(item)
        }
    }

    private mutating func hidesRefill(_ levels: BufferLevels) -> Bool {
        let outcome = buffering.refill.look(levels, at: now)
        if outcome == .exposed { state.transport { $0.mustRefill() } }
        return outcome == .hidden
    }

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
        state.withItem(head.item) { item in
            item.set(\.levels, BufferLevels())
            item.set(\.stallCount, item.state.stallCount + 1)
        }
    }

    private mutating func stall(_ item: ItemID) {
        guard item == schedule.head?.item else { return }
        var isStall = false
        state.transport(because: .failed) { isStall = $0.ranDry() }
        if isStall { reports.post(.stalled, of: item) }
    }

    /// Fails a source that neither delivers enough sound nor ends; the queue continues.
    mutating func watchPlayhead() {
        guard let head = schedule.head, let item = state.item(head.item) else {
            return buffering.watch.forget()
        }
        let source = schedule.feed(head)
        // Until the first sound after a seek, the reader's own time limits apply.
        let isWaiting =
            state.machine.control == .waiting && head.isCurrent(source)
            && source.loadedEnd > source.loadedStart && item.state.status == .readyToPlay
        let standstill = buffering.watch.look(
            at: now, isWaiting: isWaiting, loaded: source.loadedEnd, isRemote: source.facts?.isRemote == true)
        if let standstill { fail(head, source.error ?? standstill.error(source.facts)) }
    }

    /// The circumstances in which an item's sound is measured.
    func gaugeContext(of one: ScheduledItem) -> GaugeContext {
        let isHead = one.feed == schedule.head?.feed
        return GaugeContext(
            now: now, playhead: schedule.playhead(one, at: currentTime),
            isRunning: isHead && outputs.isRunning(at: now),
            rate: state.machine.rate, isOutputReady: outputs.seen.isReady)
    }
}
