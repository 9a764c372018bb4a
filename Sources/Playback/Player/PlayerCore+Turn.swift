import Codecs
import CoreMedia
import MediaTime

// One turn of the player, which reconciles the actual state with the wanted state.
extension PlayerCore {
    func turn() {
        shared.withLock { $0.isTurnQueued = false }
        nextTurn = nil
        layOut()
        beginSeek()
        prepareNext()
        guard lookAtItems() else { return needsTurn() }
        readAhead()
        give()
        passEnds()
        landSeek()
        lookAtBuffer()
        guard watchPlayhead() else { return needsTurn() }
        applyRate()
        finishPreroll()
        tellPlaces()
        if let pause = timeToNextTurn() { wake(after: pause) }
    }

    // MARK: Items

    /// - Returns: `false` if the scheduled items changed: the next turn does the rest.
    private func lookAtItems() -> Bool {
        for index in laid.indices where !look(at: &laid[index], isHead: index == 0) { return false }
        guard var next = prepared else { return true }
        guard look(at: &next, isHead: false) else { return false }
        prepared = next
        return true
    }

    /// - Returns: `false` if the item was removed.
    private func look(at one: inout LaidItem, isHead: Bool) -> Bool {
        guard one.item.owner === self else { return true }
        let state = one.feed.state
        beginAtStart(&one, state, isHead: isHead)
        lookAtTransfer(of: &one, state)
        tellWarnings(of: &one, state)
        if state.list != nil, one.item.state.list == nil { one.item.update { $0.list = state.list } }
        if isHead { lookAtTitles(of: one, state) }
        if let facts = state.facts { learn(facts, of: &one, state, isHead: isHead) }
        guard let error = state.error, state.seekCount == one.seekCount else { return true }
        return !lookAtError(error, of: one, state, isHead: isHead)
    }

    /// Starts a live stream at its current sound, whatever start time the program set.
    private func beginAtStart(_ one: inout LaidItem, _ state: ItemFeedState, isHead: Bool) {
        guard one.place > .zero, !one.hasSound, state.facts?.isLive == true else { return }
        one.item.startTime = .zero
        (one.start, one.place, one.heard) = (one.end, .zero, .zero)
        if isHead { shared.withLock { [start = one.start] in $0.headStart = start } }
    }

    /// Reports new requests and failed requests.
    private func lookAtTransfer(of one: inout LaidItem, _ state: ItemFeedState) {
        guard let transfer = state.transfer else { return }
        let revision = transfer.log.revision
        guard revision != one.toldRevision else { return }
        let isFirst = one.toldRevision < 0
        one.toldRevision = revision
        one.item.update { $0.transfer = transfer }
        if isFirst { one.item.post(.transferBegan) }
        let failures = transfer.log.totals.failureCount
        guard failures > one.toldFailures else { return }
        one.toldFailures = failures
        one.item.post(.transferFailed)
    }

    /// Publishes the title that is audible now.
    private func lookAtTitles(of one: LaidItem, _ state: ItemFeedState) {
        one.item.titlesBecame(state)
        guard !state.titles.isEmpty else { return }
        let playhead = timeline.currentTime - one.start
        let title = state.titles.last { $0.time <= playhead }?.title
        if let title, title != one.item.state.title { one.item.update { $0.title = title } }
    }

    private func learn(_ facts: ItemFacts, of one: inout LaidItem, _ state: ItemFeedState, isHead: Bool) {
        measure(&one, facts, state, isHead: isHead)
        let duration = one.measuredDuration ?? max(facts.duration, one.leastDuration ?? .zero)
        one.item.update { item in
            let isOtherStream = item.facts?.info?.streamIndex != facts.info?.streamIndex
            if item.facts == nil || isOtherStream { item.facts = facts }
            item.duration = duration
            item.seekable = Self.seekable(facts, duration)
        }
        guard state.hasSound, one.item.state.status != .failed else { return }
        let (item, now) = (one.item, clock.now)
        // The player's status changes before the item's, because an observer of the item's status may
        // preroll.
        if isHead, status == .unknown {
            update { shared in
                if shared.items.first === item, shared.status == .unknown { shared.status = .readyToPlay }
            }
        }
        if item.state.readyAt == nil { item.update { ($0.status, $0.readyAt) = (.readyToPlay, now) } }
        guard isHead else { return }
        update { shared in
            guard shared.items.first === item, !shared.machine.isItemReady else { return }
            shared.machine.itemBecame(.ready, item.state.levels, onlyRate: facts.onlyRate)
        }
    }

    /// Measures the duration at the end of the file, unless a seek went beyond the end and read nothing. An
    /// estimated duration grows with the sound read.
    private func measure(_ one: inout LaidItem, _ facts: ItemFacts, _ state: ItemFeedState, isHead: Bool) {
        let isRead = state.loadedEnd > state.loadedStart
        if state.isAtEnd, state.loadedStart == .zero || isRead {
            one.measuredDuration = state.loadedEnd
        }
        guard isRead, one.isDurationGuessed else { return }
        let told = max(facts.duration, one.leastDuration ?? .zero)
        let isDue = isHead && timeline.currentTime - one.start + Self.guessStep > told
        if state.loadedEnd > told, isDue || state.loadedEnd - told > Self.guessStep {
            one.leastDuration = state.loadedEnd
        }
    }

    /// The step in which an estimated duration grows.
    private static let guessStep = CMTime(value: 5, timescale: 1)

    private static func seekable(_ facts: ItemFacts, _ duration: CMTime) -> CMTimeRange? {
        guard facts.isSeekable, duration.isNumeric else { return nil }
        return CMTimeRange(start: .zero, duration: duration)
    }

    // MARK: Failures

    /// Handles a feed error after all sound read before it was heard.
    ///
    /// - Returns: whether the item was removed.
    private func lookAtError(
        _ error: MediaError, of one: LaidItem, _ state: ItemFeedState, isHead: Bool
    ) -> Bool {
        if isHead {
            let isHeard = timeline.currentTime >= one.end && machine.control != .paused
            guard state.waitingCount == 0, one.item.state.status == .unknown || isHeard else { return false }
            fail(one, error)
            return true
        }
        guard !one.hasSound, state.waitingCount == 0 else { return false }
        // The item was never audible: the queue continues without the item.
        one.item.fail(error)
        drop(one.item)
        return true
    }

    /// Fails a source that neither delivers enough sound nor ends; the queue continues.
    ///
    /// - Returns: `false` if the source failed: the next turn does the rest.
    private func watchPlayhead() -> Bool {
        guard let head = laid.first, head.item.owner === self else {
            watch.forget()
            return true
        }
        let state = head.feed.state
        // Until the first sound after a seek, the reader's own time limits apply.
        let isWaiting =
            machine.control == .waiting && state.seekCount == head.seekCount
            && state.loadedEnd > state.loadedStart && head.item.state.status == .readyToPlay
        let isRemote = state.facts?.isRemote == true
        let standstill = watch.look(
            at: clock.now, isWaiting: isWaiting, loaded: state.loadedEnd, isRemote: isRemote)
        guard let standstill else { return true }
        let name = MediaError.name(of: state.facts?.info?.path ?? "")
        let (sound, time) = (Int(standstill.sound.rounded()), Int(standstill.time.rounded()))
        let cause: MediaError =
            isRemote
            ? .tooSlow(name: name, reason: "\(sound) s of sound came in \(time) s")
            : .noSound(name: name, reason: "it neither gave sound nor ended for \(time) s")
        fail(head, state.error ?? cause)
        return false
    }

    func fail(_ one: LaidItem, _ error: MediaError) {
        let wasStarted = one.item.state.status == .readyToPlay
        refillEnd = nil
        one.item.fail(error)
        if wasStarted || machine.rate != 0 { one.item.post(.failedToPlayToEnd(error)) }
        // An observer may have replaced the item.
        let (goesOn, isCurrent) = shared.withLock { shared in
            (shared.endAction == .advance && shared.items.count > 1, shared.items.first === one.item)
        }
        guard isCurrent else { return }
        if goesOn { return drop(one.item) }
        if appliedRate != 0 { hold(at: min(timeline.currentTime, one.end)) }
        one.item.stopLine(at: clock.now)
        update(because: .failed) { shared in
            guard shared.items.first === one.item else { return }
            let start = shared.headStart
            shared.headBecame(one.item)
            // Keeps the time at which the item was last heard.
            shared.headStart = start
        }
    }

    func drop(_ item: PlayerItem) { remove(item) }

    // MARK: Ends

    private func passEnds() {
        // A seek to the very end is reached without time running.
        while appliedRate != 0 || machine.control == .playing, let head = laid.first, head.isComplete,
            !hasEnded, !isSeekOpen, timeline.currentTime >= head.end
        {
            // Keeps the public item alive to post its end, even if only the queue holds it.
            let shape = head.item.shape
            defer { withExtendedLifetime(shape) {} }
            let action = shared.withLock { $0.endAction }
            if action == .advance {
                advance(past: head)
            } else {
                hasEnded = true
                update(because: .ended) { $0.machine.itemEnded(staysAtRate: action == .none) }
                if action == .none { hold(at: head.end) } else { applyRate() }
            }
            head.item.post(.playedToEnd)
        }
        // A start at the end stops there, unless the end action is `advance` by now.
        guard hasEnded, !isSeekOpen, machine.control == .playing, let head = laid.first else { return }
        if shared.withLock({ $0.endAction }) == .advance {
            hasEnded = false
            advance(past: head)
        } else {
            update(because: .ended) { $0.machine.itemEnded(staysAtRate: $0.endAction == .none) }
        }
    }

    private func advance(past head: LaidItem) {
        update(because: .ended) { shared in
            guard shared.items.first === head.item else { return }
            // The queue is empty: later items play only after a new start.
            if shared.items.count == 1 { shared.machine.pause() }
            shared.take(at: 0, head.end)
        }
        dropHead()
        // The successor is not ready: time waits at the join.
        if appliedRate != 0, machine.control != .playing { hold(at: laid.first?.join ?? head.end) }
        needsTurn()
    }

    // MARK: Time

    /// Whether a seek is pending.
    private var isSeekOpen: Bool { shared.withLock { $0.seek != nil } }

    /// The time until the next turn is due; `nil` if none is.
    func timeToNextTurn() -> Duration? {
        guard let head = laid.first else { return nil }
        if let wait = timeUntilSeek { return max(wait, .milliseconds(1)) }
        guard appliedRate != 0 else {
            // No callback reports that the outputs have enough data.
            if shared.withLock({ $0.preroll != nil }) { return Self.prerollTick }
            if machine.control == .waiting { return Self.tick }
            // Rebuffering is hidden until then, also while paused.
            let left = refillEnd.map { $0.since(clock.now) } ?? .zero
            return left > .zero ? max(left, .milliseconds(1)) : nil
        }
        // If all sound is enqueued, only time changes.
        var pause = prepared == nil && laid.allSatisfy(\.isComplete) ? Self.calmTick : Self.tick
        let rate = Double(appliedRate)
        let last = laid.last.map {
            $0.isComplete ? $0.end : isClosing ? playableEnd(of: $0) : latestUse(of: $0)
        }
        for time in [head.end, last ?? head.end] {
            let left = (time - timeline.currentTime).seconds / rate
            if left.isFinite, left > 0 { pause = min(pause, .seconds(left)) }
        }
        return max(pause, .milliseconds(1))
    }

    private static let tick = Duration.milliseconds(100)
    private static let calmTick = Duration.milliseconds(250)
    private static let prerollTick = Duration.milliseconds(20)
}
