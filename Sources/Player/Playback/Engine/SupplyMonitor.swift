import CoreMedia
import TuttiMediaTime

/// The watch over the supply of sound: buffer levels, underruns, and sources that starve the playhead.
struct SupplyMonitor: Sendable {
    private(set) var watch = PlayheadWatch()
    /// Deadline of the buffering-rate evaluation.
    private(set) var evaluationEnd: HostTime?
    /// An underrun whose levels observers have seen, and the transport has not.
    private var underrun: ItemID?

    /// Measures the sound at hand of all items.
    func observeLevels(_ plan: inout PlaybackPlan) {
        for index in plan.schedule.items.indices {
            var one = plan.schedule.items[index]
            guard var item = plan.state.item(one.item), !item.hasFailed else { continue }
            let state = plan.feed(one)
            let levels = one.measureLevels(state, &item, plan.gaugeContext(of: one))
            plan.schedule.items[index] = one
            let hides = index == 0 && state.error == nil && hidesRefill(levels, &plan)
            if !hides { item.set(\.levels, levels) }
            plan.state.store(item)
        }
    }

    private func hidesRefill(_ levels: BufferLevels, _ plan: inout PlaybackPlan) -> Bool {
        let outcome = plan.refill.look(levels, at: plan.now)
        if outcome == .exposed { plan.state.transport { $0.mustRefill() } }
        return outcome == .hidden
    }

    /// Handles sound that comes too late, underruns, and levels that end a wait.
    mutating func watchSupply(_ plan: inout PlaybackPlan) {
        if let item = underrun.take() { stall(item, &plan) }
        guard let head = plan.schedule.head, let last = plan.schedule.last else { return }
        if plan.isLate, plan.outputs.hasGiven || plan.feed(last).waitingCount == 0 { plan.outputs.close() }
        if plan.isDry, plan.state.machine.control == .playing { return runDry(head, last, &plan) }
        let levels = plan.state.item(head.item)?.state.levels ?? BufferLevels()
        plan.state.transport { $0.levelsBecame(levels) }
        evaluate(&plan)
    }

    private mutating func runDry(_ head: ScheduledItem, _ last: ScheduledItem, _ plan: inout PlaybackPlan) {
        plan.hold(at: min(plan.currentTime, plan.outputs.playableEnd(of: last)))
        plan.schedule.withLast { $0.ranDry() }
        plan.outputs.ranDry()
        // An underrun reveals the rebuffering.
        plan.refill.stop()
        plan.state.withItem(head.item) { item in
            item.set(\.levels, BufferLevels())
            item.set(\.stallCount, item.state.stallCount + 1)
        }
        underrun = head.item
    }

    private func stall(_ item: ItemID, _ plan: inout PlaybackPlan) {
        guard item == plan.schedule.head?.item else { return }
        var isStall = false
        plan.state.transport(because: .failed) { isStall = $0.ranDry() }
        if isStall { plan.reports.append(.post(item, .stalled)) }
    }

    /// Ends the buffering-rate evaluation after ``evaluationTime``.
    private mutating func evaluate(_ plan: inout PlaybackPlan) {
        guard plan.state.machine.reason == .evaluatingBufferingRate else { return evaluationEnd = nil }
        let end = evaluationEnd ?? plan.now.advanced(by: Self.evaluationTime)
        evaluationEnd = end
        if plan.now >= end { plan.state.transport { $0.evaluationEnded() } }
    }

    private static let evaluationTime = Duration.milliseconds(500)

    /// Fails a source that neither delivers enough sound nor ends; the queue continues.
    mutating func watchPlayhead(_ plan: inout PlaybackPlan) {
        guard let head = plan.schedule.head, let item = plan.state.item(head.item) else {
            return watch.forget()
        }
        let state = plan.feed(head)
        // Until the first sound after a seek, the reader's own time limits apply.
        let isWaiting =
            plan.state.machine.control == .waiting && head.isCurrent(state)
            && state.loadedEnd > state.loadedStart && item.state.status == .readyToPlay
        let isRemote = state.facts?.isRemote == true
        let standstill = watch.look(
            at: plan.now, isWaiting: isWaiting, loaded: state.loadedEnd, isRemote: isRemote)
        if let standstill { plan.fail(head, state.error ?? standstill.error(state.facts)) }
    }
}
