import Codecs
import CoreMedia
import MediaTime

// One turn of the player: what is wanted and what is there are brought together.
extension PlayerCore {
    func turn() {
        shared.withLock { $0.isTurnQueued = false }
        layOut()
        beginSeek()
        lookAtItems()
        readAhead()
        give()
        passEnds()
        landSeek()
        lookAtBuffer()
        applyRate()
        finishPreroll()
        if let pause = timeToNextTurn() { wake(after: pause) }
    }

    // MARK: Items

    private func lookAtItems() {
        for (index, one) in laid.enumerated() {
            let state = one.feed.state
            lookAtTransfer(of: index, state)
            if index == 0 { lookAtTitles(of: one, state) }
            if let facts = state.facts { learn(facts, of: one, state) }
            if let error = state.error, state.seekCount == one.seekCount,
                lookAtError(error, of: one, state)
            {
                // What lies there is not what it was: the rest is for the next turn.
                return needsTurn()
            }
        }
    }

    /// New requests, and those that failed.
    private func lookAtTransfer(of index: Int, _ state: ItemFeedState) {
        let item = laid[index].item
        guard let transfer = state.transfer else { return }
        let revision = transfer.log.revision
        guard revision != laid[index].toldRevision else { return }
        let isFirst = laid[index].toldRevision < 0
        laid[index].toldRevision = revision
        item.update { $0.transfer = transfer }
        if isFirst { item.post(.transferBegan) }
        let failures = transfer.log.totals.failureCount
        guard failures > laid[index].toldFailures else { return }
        laid[index].toldFailures = failures
        item.post(.transferFailed)
    }

    /// The last title whose time has come.
    private func lookAtTitles(of one: LaidItem, _ state: ItemFeedState) {
        guard !state.titles.isEmpty else { return }
        let playhead = timeline.currentTime - one.start
        let title = state.titles.last { $0.time <= playhead }?.title
        if let title, title != one.item.state.title { one.item.update { $0.title = title } }
    }

    private func learn(_ facts: ItemFacts, of one: LaidItem, _ state: ItemFeedState) {
        var duration = facts.duration
        // A file that was read to its end says best how long it is.
        if state.isAtEnd, state.loadedStart == .zero { duration = state.loadedEnd }
        if let end = Self.numeric(one.item.wishes.endTime), duration.isNumeric {
            duration = min(duration, end)
        }
        one.item.update { item in
            if item.facts == nil { item.facts = facts }
            item.duration = duration
            item.seekable = Self.seekable(facts, duration)
        }
        guard state.hasSound, one.item.state.status == .unknown else { return }
        let now = clock.now
        one.item.update { ($0.status, $0.readyAt) = (.readyToPlay, now) }
        guard one.item === laid.first?.item else { return }
        update { shared in
            if shared.status == .unknown { shared.status = .readyToPlay }
            shared.machine.itemBecame(.ready, one.item.state.levels)
        }
    }

    private static func numeric(_ time: CMTime) -> CMTime? { time.isNumeric && time > .zero ? time : nil }

    private static func seekable(_ facts: ItemFacts, _ duration: CMTime) -> CMTimeRange? {
        guard facts.isSeekable, duration.isNumeric else { return nil }
        return CMTimeRange(start: .zero, duration: duration)
    }

    // MARK: Failures

    /// What was read before the failure is heard first.
    ///
    /// - Returns: whether the item was taken away.
    private func lookAtError(_ error: MediaError, of one: LaidItem, _ state: ItemFeedState) -> Bool {
        let isHead = one.item === laid.first?.item
        if isHead {
            let isHeard = timeline.currentTime >= one.end && machine.control != .paused
            guard state.waitingCount == 0, one.item.state.status == .unknown || isHeard else { return false }
            fail(one, error)
            return true
        }
        guard one.end == one.start + max(.zero, one.item.startTime) else { return false }
        // Never heard: the queue goes on without it.
        one.item.update { ($0.status, $0.error) = (.failed, error) }
        drop(one.item)
        return true
    }

    private func fail(_ one: LaidItem, _ error: MediaError) {
        let wasStarted = one.item.state.status == .readyToPlay
        one.item.update { ($0.status, $0.error, $0.levels) = (.failed, error, BufferLevels()) }
        if wasStarted || machine.rate != 0 { one.item.post(.failedToPlayToEnd(error)) }
        cancelPendingSeeks()
        let goesOn = shared.withLock { $0.endAction == .advance && $0.items.count > 1 }
        if goesOn { return drop(one.item) }
        one.feed.close()
        laid.removeFirst()
        takeBackEverything()
        update(because: .failed) { $0.machine.itemBecame(.failed, BufferLevels()) }
    }

    private func drop(_ item: PlayerItem) {
        update { shared in
            let head = shared.items.first
            shared.items.removeAll { $0 === item }
            if shared.items.first !== head { shared.headStart = nil }
            shared.headBecame(shared.items.first)
        }
        item.letGo()
        layOut()
    }

    // MARK: Ends

    private func passEnds() {
        // A place at the very end may have been sought: it is reached without time running.
        while appliedRate != 0 || machine.control == .playing, let head = laid.first, head.isComplete,
            !hasEnded,
            timeline.currentTime >= head.end
        {
            let action = shared.withLock { $0.endAction }
            if action == .advance {
                advance(past: head)
            } else {
                hasEnded = true
                update { $0.machine.itemEnded(staysAtRate: action == .none) }
                if action == .none { hold(at: head.end) } else { applyRate() }
            }
            head.item.post(.playedToEnd)
        }
        // A start at the end ends there.
        if hasEnded, machine.control == .playing {
            update { $0.machine.itemEnded(staysAtRate: $0.endAction == .none) }
        }
    }

    private func advance(past head: LaidItem) {
        dropHead()
        update { shared in
            guard shared.items.first === head.item else { return }
            shared.items.removeFirst()
            shared.seek = nil
            // Nothing is left: a new start is wanted before anything else plays.
            if shared.items.isEmpty { shared.machine.pause() }
            shared.headBecame(shared.items.first)
        }
        head.item.letGo()
    }

    // MARK: Buffer

    private func lookAtBuffer() {
        for (index, one) in laid.enumerated() { gauge(one, isHead: index == 0) }
        guard let head = laid.first else { return }
        let levels = head.item.state.levels
        if isDry { runDry(head) }
        update { $0.machine.levelsBecame(levels) }
        lookAtEvaluation()
    }

    /// All that was there has been heard, and it is not the end.
    private var isDry: Bool {
        guard appliedRate != 0, timeline.isRunning, let last = laid.last else { return false }
        return !last.isComplete && !last.isBroken && !isSplicing && timeline.currentTime >= last.end
    }

    private func runDry(_ head: LaidItem) {
        guard let last = laid.last, machine.control == .playing else { return }
        hold(at: last.end)
        head.item.update { $0.levels = BufferLevels() }
        update { _ = $0.machine.ranDry() }
        head.item.post(.stalled)
    }

    /// The fill rate is looked at for a moment.
    private func lookAtEvaluation() {
        guard machine.reason == .evaluatingBufferingRate else { return evaluationEnd = nil }
        let now = clock.now
        let end = evaluationEnd ?? now.advanced(by: Self.evaluationTime)
        evaluationEnd = end
        if now >= end { update { $0.machine.evaluationEnded() } }
    }

    private static let evaluationTime = Duration.milliseconds(500)

    private func gauge(_ one: LaidItem, isHead: Bool) {
        let state = one.feed.state
        let isThere = state.seekCount == one.seekCount
        let playhead = isHead ? max(.zero, timeline.currentTime - one.start) : .zero
        let ahead = isThere ? max(0, (state.loadedEnd - playhead).seconds) : 0
        var gauge = BufferGauge()
        gauge.secondsAhead = ahead
        gauge.isComplete = isThere && state.isAtEnd
        // Nothing more will come of a source that failed: what is there is played.
        gauge.isAtLimit = isThere && state.facts != nil && (state.isResting || state.error != nil)
        gauge.fillRate = state.fillRate
        gauge.rate = max(1, Double(machine.rate))
        gauge.startLevel = state.facts?.isRemote == false ? Self.fileStartLevel : Self.startLevel
        let duration = one.item.state.duration
        gauge.secondsMissing = duration.isNumeric ? max(0, (duration - state.loadedEnd).seconds) : nil
        let range = isThere ? loaded(state) : nil
        let tellsRange = clock.now.since(lastLoadedNews) >= Self.loadedNewsInterval || gauge.isComplete
        one.item.update { item in
            item.levels = gauge.levels(after: item.levels)
            item.secondsInOutput = max(0, (one.end - one.start - playhead).seconds)
            item.secondsInSource = max(0, ahead - item.secondsInOutput)
            if tellsRange { item.loaded = range }
        }
        if isHead, tellsRange { lastLoadedNews = clock.now }
    }

    private func loaded(_ state: ItemFeedState) -> CMTimeRange? {
        guard state.loadedEnd > state.loadedStart else { return nil }
        return CMTimeRange(start: state.loadedStart, end: state.loadedEnd)
    }

    /// Seconds: more from an address, whose next bytes may be late.
    private static let startLevel = 2.0
    private static let fileStartLevel = 0.5
    private static let loadedNewsInterval = Duration.milliseconds(250)

    // MARK: Rate

    func applyRate() {
        let machine = machine
        let wanted = machine.control == .playing && !hasEnded && !laid.isEmpty ? machine.rate : 0
        guard wanted != appliedRate else { return }
        if wanted == 0 { return hold(at: .invalid) }
        if appliedRate != 0 {
            // What the outputs have was made for the other rate: the start is a new one.
            refill()
            update { $0.machine.mustRefill() }
            return needsTurn()
        }
        timeline.delaysRateChangeUntilHasSufficientMediaData = machine.automaticallyWaits
        appliedRate = wanted
        let appointment = shared.withLock { shared in
            defer { shared.appointment = nil }
            return shared.appointment
        }
        timeline.setRate(
            wanted, time: appointment == nil ? .invalid : timeline.currentTime, hostTime: appointment)
    }

    // MARK: Time

    /// When something is due at the latest.
    private func timeToNextTurn() -> Duration? {
        guard let head = laid.first else { return nil }
        guard appliedRate != 0 else { return machine.control == .waiting ? Self.tick : nil }
        var pause = Self.tick
        let rate = Double(appliedRate)
        for time in [head.end, laid.last?.end ?? head.end] {
            let left = (time - timeline.currentTime).seconds / rate
            if left.isFinite, left > 0 { pause = min(pause, .seconds(left)) }
        }
        return max(pause, .milliseconds(1))
    }

    private static let tick = Duration.milliseconds(100)
}
