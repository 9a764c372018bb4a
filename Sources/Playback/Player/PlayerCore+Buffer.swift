import CoreMedia
import MediaTime

// Buffer levels, underruns, and whether time runs.
extension PlayerCore {
    func lookAtBuffer() {
        for index in laid.indices { gauge(index) }
        guard let head = laid.first else { return }
        if isLate, hasGiven || laid.last?.feed.state.waitingCount == 0 { close() }
        if isDry { runDry(head) }
        let levels = head.item.state.levels
        update { $0.machine.levelsBecame(levels) }
        lookAtEvaluation()
    }

    /// Whether all sound at hand was heard before the item's end.
    private var isDry: Bool {
        guard isClosing, timeline.isRunning, let last = laid.last, !last.isComplete, !last.isBroken else {
            return false
        }
        let state = last.feed.state
        return timeline.currentTime >= playableEnd(of: last) && !(state.isAtEnd && state.waitingCount == 0)
    }

    /// Whether sound enqueued now would miss its deadline and leave a gap.
    var isLate: Bool {
        guard !isClosing, appliedRate != 0, timeline.isRunning, let last = laid.last else { return false }
        return !last.isComplete && !last.isBroken && !isSplicing
            && timeline.currentTime >= latestUse(of: last)
    }

    /// Stops feeding: the outputs play out what they have, then time stands. So no sound is repeated, and
    /// late sound is not lost.
    func close() {
        isClosing = true
        stopGiving()
    }

    /// Timeline time up to which the item's sound is audible. The last samples may stay unpacked until more
    /// sound follows.
    func playableEnd(of one: LaidItem) -> CMTime {
        renderQueue.playableEnd.map { max(one.join, min(one.end, $0)) } ?? one.end
    }

    /// The deadline for more sound, in timeline time.
    func latestUse(of one: LaidItem) -> CMTime {
        let lead = renderQueue.leastLead * Double(max(appliedRate, 1))
        return playableEnd(of: one) - CMTime(seconds: lead, preferredTimescale: 1_000_000)
    }

    private func runDry(_ head: LaidItem) {
        guard let last = laid.last, machine.control == .playing else { return }
        hold(at: min(timeline.currentTime, playableEnd(of: last)))
        laid[laid.count - 1].dryEnd = last.end
        hasGiven = false
        // An underrun reveals the rebuffering.
        refillEnd = nil
        head.item.update { $0.levels = BufferLevels() }
        update(because: .failed) { _ = $0.machine.ranDry() }
        head.item.post(.stalled)
    }

    /// Ends the buffering-rate evaluation after ``evaluationTime``.
    private func lookAtEvaluation() {
        guard machine.reason == .evaluatingBufferingRate else { return evaluationEnd = nil }
        let now = clock.now
        let end = evaluationEnd ?? now.advanced(by: Self.evaluationTime)
        evaluationEnd = end
        if now >= end { update { $0.machine.evaluationEnded() } }
    }

    private static let evaluationTime = Duration.milliseconds(500)

    // MARK: Levels

    private func gauge(_ index: Int) {
        let (one, isHead) = (laid[index], index == 0)
        guard one.item.owner === self, one.item.state.status != .failed else { return }
        let state = one.feed.state
        let isThere = state.seekCount == one.seekCount
        let playhead = isHead ? max(.zero, timeline.currentTime - one.start) : one.place
        let given = max(0, (one.end - one.start - playhead).seconds)
        let gauge = gauge(one, state, playhead: playhead)
        let played = isHead && timeline.isRunning ? max(0, (playhead - one.heard).seconds) : 0
        laid[index].heard = max(one.heard, playhead)
        let range = isThere ? loaded(state) : nil
        let now = clock.now
        let tellsRange =
            gauge.isComplete || one.toldLoadedAt.map { now.since($0) >= Self.loadedNewsInterval } ?? true
        let levels = gauge.levels(after: one.item.state.levels)
        let keepsLevels = isHead && state.error == nil && hidesRefill(levels)
        one.item.update { item in
            if !keepsLevels { item.levels = levels }
            item.secondsInOutput = given
            item.secondsInSource = max(0, gauge.secondsAhead - given)
            item.secondsPlayed += played
            if tellsRange { item.loaded = range }
        }
        if tellsRange, range != nil { laid[index].toldLoadedAt = now }
    }

    private func gauge(_ one: LaidItem, _ state: ItemFeedState, playhead: CMTime) -> BufferGauge {
        let isThere = state.seekCount == one.seekCount
        let expected = one.item.end
        let end = one.isDurationGuessed ? one.item.wishes.numericEnd ?? .indefinite : expected
        var gauge = BufferGauge()
        // If the source failed, the remaining sound plays out without a successor.
        let isDry = one.end == one.dryEnd && state.waitingCount == 0 && state.error == nil
        let first = max(playhead, state.loadedStart)
        gauge.secondsAhead = isThere && !isDry ? max(0, (min(state.loadedEnd, end) - first).seconds) : 0
        gauge.isComplete = isThere && (state.isAtEnd || reaches(end, one, state))
        // A failed source delivers no more: plays the sound at hand.
        gauge.isAtLimit = isThere && state.facts != nil && (isFilled(one, state) || state.error != nil)
        gauge.fillRate = state.fillRate
        gauge.rate = max(1, Double(machine.rate))
        gauge.startLevel = state.facts?.isRemote == false ? Self.fileStartLevel : Self.startLevel
        if expected.isNumeric, end.isNumeric || expected > state.loadedEnd {
            gauge.secondsMissing = max(0, (expected - state.loadedEnd).seconds)
        }
        return gauge
    }

    /// Whether the sound at hand reaches the item's end. A seek to the very end waits for the source's end of
    /// data.
    private func reaches(_ end: CMTime, _ one: LaidItem, _ state: ItemFeedState) -> Bool {
        guard end.isNumeric, state.loadedEnd >= end else { return false }
        return state.loadedEnd > state.loadedStart || isAtWishedEnd(one)
    }

    /// Whether the wanted amount is at hand. Hysteresis: the level holds until half of the read-ahead is
    /// gone.
    private func isFilled(_ one: LaidItem, _ state: ItemFeedState) -> Bool {
        if state.isResting, one.item.wishes.forwardBufferDuration > 0 || !renderQueue.isReadyForMoreData {
            return true
        }
        guard one.item.state.levels.isFull else { return false }
        let (wanted, least) = wantedTime(of: one)
        return state.loadedEnd >= wanted - CMTimeMultiplyByRatio(least, multiplier: 1, divisor: 2)
    }

    private func loaded(_ state: ItemFeedState) -> CMTimeRange? {
        guard state.loadedEnd > state.loadedStart else { return nil }
        return CMTimeRange(start: state.loadedStart, end: state.loadedEnd)
    }

    /// Whether to hide rebuffering: after a change of rate or output, the program has lost nothing.
    private func hidesRefill(_ levels: BufferLevels) -> Bool {
        guard let end = refillEnd else { return false }
        if !levels.isLikelyToKeepUp, !levels.isFull, clock.now < end { return true }
        refillEnd = nil
        // Rebuffering takes too long to hide.
        if !levels.isLikelyToKeepUp, !levels.isFull { update { $0.machine.mustRefill() } }
        return false
    }

    /// Rebuffers the outputs' sound, hidden from observers for up to ``refillTime``.
    func refillUnseen() {
        refill()
        if !laid.isEmpty { refillEnd = clock.now.advanced(by: Self.refillTime) }
    }

    private static let refillTime = Duration.seconds(1)
    /// Seconds; more for an address, whose next bytes may be late.
    private static let startLevel = 2.0
    private static let fileStartLevel = 0.5
    private static let loadedNewsInterval = Duration.milliseconds(250)

    // MARK: Rate

    func applyRate() {
        renderQueue.setPlaying(machine.rate != 0)
        let (machine, seek, awaited) = shared.withLock { ($0.machine, $0.seek, $0.appointment) }
        // A start at a host time waits for the pending seek.
        let mayRun = !hasEnded && !laid.isEmpty && timeUntilSeek == nil && (awaited == nil || seek == nil)
        let wanted = machine.control == .playing && mayRun ? machine.rate : 0
        let appointment = wanted == 0 ? nil : awaited
        guard wanted != appliedRate || appointment != nil else { return }
        if wanted == 0 { return hold(at: .invalid) }
        let startedRate = timeline.startedRate
        let isOtherSpeed = startedRate != 0 && startedRate != wanted && laid.contains(where: \.hasSound)
        let keepsSound = isOtherSpeed && laid.contains(where: hasFailedSource)
        if keepsSound { hold(at: .invalid) } else if isOtherSpeed { refillUnseen() }
        guard !laid.isEmpty else { return }
        // A start that never took effect has not fixed the rate of the queued sound.
        if timeline.startedRate == 0 { timeline.forgetRate() }
        if appointment != nil { shared.withLock { $0.appointment = nil } }
        let waitsForEnough = machine.automaticallyWaits && !machine.isStartImmediate
        timeline.delaysRateChangeUntilHasSufficientMediaData = waitsForEnough || refillEnd != nil
        appliedRate = wanted
        timeline.setRate(
            wanted, time: appointment == nil ? .invalid : timeline.currentTime, hostTime: appointment,
            keepsSound: keepsSound)
    }

    /// Whether the source failed. Its sound cannot be read again, so after a rate change the outputs play
    /// what they have.
    private func hasFailedSource(_ one: LaidItem) -> Bool {
        let state = one.feed.state
        return !one.isComplete && state.error != nil && state.seekCount == one.seekCount
    }

    /// Whether time waits for a requested seek, or for a start at a host time.
    var isKeepingStill: Bool { timeUntilSeek != nil || shared.withLock { $0.appointment != nil } }
}
