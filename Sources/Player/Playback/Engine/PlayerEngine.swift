import CoreMedia
import TuttiCodecs
import TuttiMediaTime

/// The engine of `AVPlayer` and `AVQueuePlayer`, a value: plays items in sequence through one render queue.
///
/// The program's wishes change ``state`` at once. The driver then calls ``step(_:)`` with a sample of the
/// outputs and the feeds, and carries out the returned actions, until the engine is settled; and again when
/// something happens, or at ``deadline``. The engine knows items and feeds by identifiers only.
package struct PlayerEngine: Sendable {
    var plan: PlaybackPlan
    private var monitor = SupplyMonitor()
    var outputEvents = OutputEvents()
    /// Placements last reported to observers.
    private var reportedPlaces: [EnginePlace] = []
    /// Whether the last step found nothing to do.
    private(set) var isSettled = false
    /// Host time of the next step, unless something happens before; `nil` if only events matter.
    private(set) var deadline: HostTime?

    init(endAction: EndAction) { plan = PlaybackPlan(state: PlayerState(endAction: endAction)) }

    var state: PlayerState { plan.state }

    /// Whether the engine may still name an item.
    func knows(_ id: ItemID) -> Bool { plan.schedule.has(id) || plan.state.index(of: id) != nil }

    // MARK: Inputs

    /// Takes a wish of the program.
    mutating func wish(_ change: (inout PlayerState) -> Void) { change(&plan.state) }

    /// Takes the next step of feeding the render queue, which wants more.
    mutating func deliver(_ moment: EngineMoment) -> (delivery: EngineDelivery, actions: [EngineAction]) {
        look(moment)
        let delivery = plan.deliver()
        return (delivery, takeActions())
    }

    /// Places a buffer of the feed to deliver from, given in item time.
    mutating func place(_ start: CMTime, _ duration: CMTime) -> EnginePlacement {
        plan.place(start, duration)
    }

    /// Runs the reconciliation up to the next change that must be carried out, or announced, before the rest.
    ///
    /// - Returns: the actions to carry out; ``isSettled`` tells whether that was all.
    mutating func step(_ moment: EngineMoment) -> [EngineAction] {
        look(moment)
        let before = plan.state.visible
        isSettled = false
        var actions: [EngineAction] = []
        for part in Self.parts {
            part(&self)
            if !plan.isIdle { actions += takeActions() }
            if before != plan.state.visible || actions.contains(where: \.isBarrier) { return actions }
        }
        isSettled = true
        deadline = nextDeadline()
        return actions
    }

    private static let parts: [@Sendable (inout PlayerEngine) -> Void] = [
        { $0.plan.countPlayed() }, { $0.stopAtFailedItem() }, { $0.noticeStop() }, { $0.noticeFailure() },
        { $0.outputEvents.apply(to: &$0.plan) },
        { $0.plan.followQueue() }, { $0.beginSeek() }, { $0.plan.prepareNext() },
        { $0.observeFeeds() }, { $0.becomeReady() }, { $0.noticeErrors() },
        { $0.plan.readAhead() }, { $0.plan.requestDelivery() }, { $0.passEnd() }, { $0.landSeek() },
        { $0.monitor.observeLevels(&$0.plan) }, { $0.monitor.watchSupply(&$0.plan) },
        { $0.monitor.watchPlayhead(&$0.plan) }, { $0.applyRate() }, { $0.finishPreroll() },
        { $0.reportPlaces() },
    ]

    private mutating func look(_ moment: EngineMoment) {
        plan.moment = moment
        // Earlier actions have taken effect.
        plan.state.pendingTime = nil
        plan.outputs.look(moment.outputs)
    }

    /// Returns the actions of the current change, in order, and forgets them.
    mutating func takeActions() -> [EngineAction] {
        var actions = plan.state.takeEffects()
        actions += plan.schedule.actions
        actions += plan.outputs.actions
        actions += plan.reports
        (plan.schedule.actions, plan.outputs.actions, plan.reports) = ([], [], [])
        return actions
    }

    private func feed(_ one: ScheduledItem) -> ItemFeedState { plan.feed(one) }

    private mutating func post(_ notice: ItemNotice, of id: ItemID) { plan.reports.append(.post(id, notice)) }

    // MARK: Outputs

    /// Handles a stop of time by a newer player that took the speakers, or by the loss of the outputs.
    ///
    /// The program was paused before, so there is nothing to report unless it has restarted the player since.
    private mutating func noticeStop() {
        if plan.outputs.noticeStop() { plan.state.transport(because: .interrupted) { $0.pause() } }
    }

    private mutating func noticeFailure() {
        guard let failure = plan.outputs.seen.failure, let head = plan.schedule.head else { return }
        if let time = failure.time { return bufferFailed(at: time, failure.error) }
        guard plan.state.status != .failed else { return }
        plan.state.fail(failure.error)
        post(.failedToPlayToEnd(failure.error), of: head.item)
    }

    /// Fails the item of a buffer that could not be rendered, and feeds the other items again.
    private mutating func bufferFailed(at time: CMTime, _ error: any Error) {
        // After a flush, the outputs accept sound again.
        plan.outputs.flush()
        // The buffer's item was removed meanwhile: feeds the other items again.
        guard let one = plan.schedule.items.first(where: { $0.end > time }) else {
            plan.refillUnseen()
            return
        }
        let path = plan.state.item(one.item)?.state.facts?.info?.path ?? ""
        let problem = MediaError.undecodable(name: path, reason: "\(error)")
        if one.feed == plan.schedule.head?.feed { return plan.fail(one, problem) }
        plan.failItem(one.item, problem)
        plan.refillUnseen()
    }

    /// Stops at a current item that failed. One step later than the failure, whose observers may replace the
    /// item: then playback continues.
    private mutating func stopAtFailedItem() {
        guard let item = plan.state.items.first, item.hasFailed,
            !plan.state.machine.isItemFailed, let head = plan.schedule.head, head.item == item.id,
            plan.state.endAction != .advance || plan.state.items.count == 1
        else { return }
        if plan.outputs.appliedRate != 0 { plan.hold(at: min(plan.currentTime, head.end)) }
        plan.reports.append(.stopLine(item.id))
        plan.state.itemHasFailed()
    }

    // MARK: Feeds

    /// Learns from the feeds of all items.
    private mutating func observeFeeds() {
        for index in plan.schedule.items.indices {
            var one = plan.schedule.items[index]
            beginAtStart(&one, isHead: index == 0)
            observe(&one, isHead: index == 0)
            plan.schedule.items[index] = one
        }
        guard var next = plan.schedule.prepared else { return }
        observe(&next, isHead: false)
        plan.schedule.prepared = next
    }

    private mutating func observe(_ one: inout ScheduledItem, isHead: Bool) {
        guard var item = plan.state.item(one.item) else { return }
        let playhead = isHead ? plan.currentTime - one.start : nil
        plan.reports += one.observe(feed(one), &item, playhead: playhead)
        plan.state.store(item)
    }

    /// Starts a live stream at its current sound, whatever start time the program set.
    private mutating func beginAtStart(_ one: inout ScheduledItem, isHead: Bool) {
        guard one.place > .zero, !one.hasSound, feed(one).facts?.isLive == true else { return }
        plan.state.withItem(one.item) { $0.startTime = .zero }
        plan.reports.append(.resetStartTime(one.item))
        (one.start, one.place, one.heardEnd) = (one.end, .zero, .zero)
        if isHead { plan.state.headStart = one.start }
    }

    /// Reports items whose first sound has come. The player's status changes before the item's, because an
    /// observer of the item's status may preroll.
    private mutating func becomeReady() {
        let scheduled = plan.schedule.items + [plan.schedule.prepared].compactMap(\.self)
        for (index, one) in scheduled.enumerated() where feed(one).facts != nil && feed(one).hasSound {
            guard let item = plan.state.item(one.item), !item.hasFailed else { continue }
            let isHead = index == 0 && one.feed == plan.schedule.head?.feed
            if isHead, plan.state.status == .unknown { return plan.state.becomeReady() }
            if item.state.readyAt == nil {
                let now = plan.now
                plan.state.withItem(one.item) { item in
                    item.set(\.readyAt, now)
                    item.set(\.status, .readyToPlay)
                }
                if isHead { return }
            } else if isHead, !plan.state.machine.isItemReady {
                return plan.state.itemIsReady()
            }
        }
    }

    // MARK: Failures

    /// Handles a feed error after all sound read before it was heard.
    private mutating func noticeErrors() {
        let scheduled = plan.schedule.items + [plan.schedule.prepared].compactMap(\.self)
        for (index, one) in scheduled.enumerated() {
            let state = feed(one)
            guard let error = state.error, one.isCurrent(state), state.waitingCount == 0,
                let item = plan.state.item(one.item), !item.hasFailed
            else { continue }
            if index > 0 || plan.schedule.head == nil {
                // The item was never audible: the queue continues without the item.
                if !one.hasSound { plan.failItem(one.item, error) }
                continue
            }
            let isHeard = plan.currentTime >= one.end && plan.state.machine.control != .paused
            if item.state.status == .unknown || isHeard { return plan.fail(one, error) }
        }
    }

    // MARK: Ends

    private mutating func passEnd() {
        guard let head = plan.schedule.head, head.isComplete, plan.state.seeking.pending == nil,
            // The program may have removed the item while an edit keeps it in the outputs.
            head.item == plan.state.items.first?.id
        else { return }
        let machine = plan.state.machine
        if head.phase == .heard {
            // A start at the end stops there, unless the end action is `advance` by now.
            guard machine.control == .playing else { return }
            if plan.state.endAction == .advance { return advance(past: head) }
            let stays = plan.state.endAction == .none
            return plan.state.transport(because: .ended) { $0.itemEnded(staysAtRate: stays) }
        }
        // A seek to the very end is reached without time running.
        guard plan.outputs.appliedRate != 0 || machine.control == .playing, plan.currentTime >= head.end
        else { return }
        if plan.state.endAction == .advance {
            advance(past: head)
        } else {
            plan.schedule.items[0].phase = .heard
            let stays = plan.state.endAction == .none
            plan.state.transport(because: .ended) { $0.itemEnded(staysAtRate: stays) }
            if stays { plan.hold(at: head.end) } else { applyRate() }
        }
        post(.playedToEnd, of: head.item)
    }

    private mutating func advance(past head: ScheduledItem) {
        plan.state.rateReason = .ended
        plan.state.advance(head.end)
        plan.dropHead()
        // The successor is not ready: time waits at the join.
        if plan.outputs.appliedRate != 0, plan.state.machine.control != .playing {
            plan.hold(at: plan.schedule.head?.join ?? head.end)
        }
    }

    // MARK: Rate

    private mutating func applyRate() {
        let (state, head) = (plan.state, plan.schedule.head)
        plan.outputs.setPlaying(state.machine.rate != 0)
        // A start at a host time waits for the pending seek.
        let mayRun =
            head != nil && head?.phase != .heard && state.seeking.deadline(after: plan.now) == nil
            && (state.appointment == nil || state.seeking.pending == nil)
        let rate = state.machine.control == .playing && mayRun ? state.machine.rate : 0
        let appointment = rate == 0 ? nil : state.appointment
        guard rate != plan.outputs.appliedRate || appointment != nil else { return }
        if rate == 0 { return plan.hold(at: .invalid) }
        let startedRate = plan.outputs.seen.startedRate
        let isOtherSpeed = startedRate != 0 && startedRate != rate && plan.schedule.hasSound
        let keepsSound = isOtherSpeed && plan.schedule.items.contains(where: hasFailedSource)
        if keepsSound { plan.hold(at: .invalid) } else if isOtherSpeed { plan.refillUnseen() }
        guard plan.schedule.head != nil else { return }
        if appointment != nil { plan.state.appointmentIsKept() }
        let waits = state.machine.automaticallyWaits && !state.machine.isStartImmediate
        plan.outputs.start(
            EngineStart(
                rate: rate, time: appointment == nil ? nil : plan.currentTime, host: appointment,
                keepsSound: keepsSound, waitsForData: waits || plan.refill.end != nil))
    }

    /// Whether the source failed. Its sound cannot be read again, so after a rate change the outputs play
    /// what they have.
    private func hasFailedSource(_ one: ScheduledItem) -> Bool {
        !one.isComplete && feed(one).error != nil && one.isCurrent(feed(one))
    }

    // MARK: Seeks and prerolls

    private mutating func beginSeek() {
        guard let seek = plan.state.seeking.due(at: plan.now), let head = plan.schedule.head,
            let facts = feed(head).facts
        else { return }
        let target = head.duration.reachable(seek.target, feed(head))
        plan.state.beginSeek(to: target.isNumeric ? target : seek.target)
        guard facts.isSeekable, target.isNumeric else { return plan.state.cancelSeek() }
        let time = head.start + target
        if isInOutputs(time, head) {
            if head.phase == .heard { plan.schedule.items[0].phase = .drained }
            // It lands in the next step, when the time is there: the program is told that it is.
            return plan.jump(to: time)
        }
        plan.readAnew(from: target)
        plan.state.transport { $0.mustRefill() }
    }

    /// Whether the outputs have the sound at `time` and after it.
    private func isInOutputs(_ time: CMTime, _ head: ScheduledItem) -> Bool {
        guard !plan.outputs.isSplicing, time >= plan.currentTime, head.end > head.start else { return false }
        return head.isComplete ? time < head.end : time + Self.leastInOutputs < head.end
    }

    private static let leastInOutputs = CMTime(value: 2, timescale: 1)

    private mutating func landSeek() {
        guard plan.state.seeking.landing != nil, let head = plan.schedule.head else { return }
        let state = feed(head)
        guard head.isCurrent(state) else { return }
        if state.hasSound { land() } else if state.error != nil { plan.state.cancelSeek() }
    }

    private mutating func land() {
        plan.state.endSeek(isDone: true)
        if let head = plan.schedule.head { post(.timeJumped, of: head.item) }
    }

    private mutating func finishPreroll() {
        let hasAll = plan.schedule.head?.isComplete == true
        if isPrerolled, hasAll || plan.outputs.seen.hasSufficientData { plan.state.endPreroll(isDone: true) }
    }

    /// Whether a preroll waits only for the outputs.
    private var isPrerolled: Bool {
        guard plan.state.preroll != nil, plan.schedule.head != nil, let item = plan.state.items.first else {
            return false
        }
        return item.state.levels.isLikelyToKeepUp || item.state.levels.isFull
    }

    private mutating func reportPlaces() {
        let places = plan.schedule.items.map { EnginePlace(item: $0.item, start: $0.start) }
        guard places != reportedPlaces else { return }
        reportedPlaces = places
        plan.reports.append(.place(places))
    }

    // MARK: Deadline

    /// Returns the next instant at which time alone changes anything.
    private func nextDeadline() -> HostTime? {
        guard let head = plan.schedule.head else { return nil }
        var next = Deadline(after: plan.now, line: plan.outputs.seen.line)
        next.add(plan.state.seeking.deadline(after: plan.now))
        next.add(plan.refill.end)
        next.add(monitor.evaluationEnd)
        next.add(monitor.watch.deadline)
        // No callback reports that the outputs have enough data.
        if isPrerolled { next.add(plan.now.advanced(by: Self.prerollPause)) }
        for one in plan.schedule.items where plan.refill.end.map({ $0 <= plan.now }) ?? true {
            guard let item = plan.state.item(one.item) else { continue }
            next.add(one.loadedDeadline(feed(one), item))
            next.add(one.likelyDeadline(feed(one), item, plan.gaugeContext(of: one)))
        }
        guard next.isMoving else { return next.host }
        next.add(plan.outputs.seen.line.host)
        next.add(head.end)
        if let last = plan.schedule.last, last.isOpen {
            next.add(
                plan.outputs.isClosing ? plan.outputs.playableEnd(of: last) : plan.outputs.latestUse(of: last)
            )
        }
        guard let item = plan.state.items.first, item.id == head.item else { return next.host }
        for time in head.moments(feed(head), item, plan.gaugeContext(of: head)) {
            next.add(head.start + time)
        }
        return next.host
    }

    private static let prerollPause = Duration.milliseconds(20)
}
