import CoreMedia
import TuttiCodecs
import TuttiMediaTime

/// The supply of sound for the playhead: hidden rebuffering, underruns, the evaluation of the buffering rate, and
/// the watch over sources that starve the playhead.
struct Buffering: Sendable {
    var refill = HiddenRefill()
    private var watch = PlayheadWatch()
    /// Deadline of the buffering-rate evaluation.
    private var evaluationEnd: HostTime?
    /// An underrun whose levels observers have seen, and the transport has not.
    private var underrun: ItemID?

    /// The sound of `item` ran out, which reveals the rebuffering.
    mutating func ranDry(_ item: ItemID) {
        refill.stop()
        underrun = item
    }

    /// Returns the item of the last underrun, once.
    mutating func takeUnderrun() -> ItemID? { underrun.take() }

    /// Follows the evaluation of the buffering rate.
    ///
    /// - Returns: Whether the evaluation has ended by its deadline.
    mutating func evaluate(_ reason: TransportMachine.WaitingReason?, at now: HostTime) -> Bool {
        guard reason == .evaluatingBufferingRate else {
            evaluationEnd = nil
            return false
        }
        let end = evaluationEnd ?? now.advanced(by: Self.evaluationTime)
        evaluationEnd = end
        return now >= end
    }

    /// Measures the sound at hand of all items.
    mutating func measureLevels(
        of schedule: inout Schedule, _ state: inout PlayerState, _ outputs: Outputs, at now: HostTime
    ) {
        for index in schedule.items.indices {
            guard var item = state.item(schedule.items[index].item), !item.hasFailed else { continue }
            let source = schedule.feed(schedule.items[index])
            let context = GaugeContext(
                of: schedule.items[index], in: schedule, outputs, rate: state.machine.rate, at: now)
            let levels = schedule.items[index].measureLevels(source, &item, context)
            let isHidden = index == 0 && source.error == nil && hidesRefill(levels, &state, at: now)
            if !isHidden { item.set(\.levels, levels) }
            state.store(item)
        }
    }

    private mutating func hidesRefill(
        _ levels: BufferLevels, _ state: inout PlayerState, at now: HostTime
    ) -> Bool {
        let outcome = refill.look(levels, at: now)
        if outcome == .exposed { state.transport { $0.mustRefill() } }
        return outcome == .hidden
    }

    /// Watches the source of the first item.
    ///
    /// - Returns: An error if the source neither delivers enough sound nor ends, else `nil`.
    mutating func watchPlayhead(_ schedule: Schedule, _ state: PlayerState, at now: HostTime) -> MediaError? {
        guard let head = schedule.head, let item = state.item(head.item) else {
            watch.forget()
            return nil
        }
        let source = schedule.feed(head)
        // Until the first sound after a seek, the reader's own time limits apply.
        let isWaiting =
            state.machine.control == .waiting && head.isCurrent(source)
            && source.loadedEnd > source.loadedStart && item.state.status == .readyToPlay
        let standstill = watch.look(
            at: now, isWaiting: isWaiting, loaded: source.loadedEnd, isRemote: source.facts?.isRemote == true)
        return standstill.map { source.error ?? $0.error(source.facts) }
    }

    func addDeadlines(
        to next: inout Deadline, _ schedule: Schedule, _ state: PlayerState, _ outputs: Outputs,
        at now: HostTime
    ) {
        next.add(refill.end)
        next.add(evaluationEnd)
        next.add(watch.deadline)
        // While rebuffering is hidden, so are the levels.
        if let end = refill.end, end > now { return }
        for one in schedule.items {
            guard let item = state.item(one.item) else { continue }
            let source = schedule.feed(one)
            let context = GaugeContext(of: one, in: schedule, outputs, rate: state.machine.rate, at: now)
            next.add(one.loadedDeadline(source, item))
            next.add(one.likelyDeadline(source, item, context))
        }
    }

    private static let evaluationTime = Duration.milliseconds(500)
}
