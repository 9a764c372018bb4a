import CoreMedia
import TuttiCodecs
import TuttiMediaTime

/// The plan of playback: brings the schedule and the outputs in line with the program's queue.
struct PlaybackPlan: Sendable {
    var state: PlayerState
    var schedule = Schedule()
    var outputs = Outputs()
    var refill = HiddenRefill()
    /// The last edit that gives sound of the first item again; `nil` once the outputs have answered.
    var resending: Resending?
    var moment = EngineMoment()
    /// Reports to observers.
    var reports: [EngineAction] = []

    init(state: PlayerState) { self.state = state }

    var now: HostTime { moment.now }

    /// Whether no action waits to be taken.
    var isIdle: Bool {
        reports.isEmpty && schedule.actions.isEmpty && outputs.actions.isEmpty && !state.hasEffects
    }

    /// The audible timeline time.
    var currentTime: CMTime { outputs.time(at: now) }

    func feed(_ one: ScheduledItem) -> ItemFeedState { moment.feeds[one.feed] ?? ItemFeedState() }

    /// Item time that is heard; the first audible one for a later item.
    func playhead(_ one: ScheduledItem) -> CMTime {
        one.feed == schedule.head?.feed ? max(.zero, currentTime - one.start) : one.place
    }

    /// Counts the sound that was heard, before a seek or a refill moves the playhead.
    mutating func countPlayed() {
        if let head = schedule.head { schedule.items[0].countPlayed(to: playhead(head)) }
    }

    // MARK: The queue

    /// Reconciles the schedule with the queue and the items' wishes.
    mutating func followQueue() {
        dropFailed()
        guard !outputs.isSplicing else { return }
        let wanted = Array(state.items.prefix(schedule.items.count + 1))
        if schedule.head?.item != wanted.first?.id { return scheduleHead(wanted.first) }
        let common = zip(schedule.items, wanted).enumerated().prefix { index, pair in
            pair.0.item == pair.1.id && (index == 0 || pair.0.startTime == pair.1.place)
        }.count
        if common < schedule.items.count, common > 0 { return splice(at: common) }
        if schedule.items.count > 1, state.endAction != .advance { return splice(at: 1) }
        for (index, item) in wanted.prefix(schedule.items.count).enumerated()
        where schedule.items[index].limit != schedule.items[index].wishedEnd(item) {
            if moveEnd(of: index, item) { return }
        }
        for (index, item) in wanted.prefix(schedule.items.count).enumerated() {
            if changePitch(of: index, item) || changeStream(of: index, item) { return }
            if changeMix(of: index, item) || changeCrossfade(of: index, item) { return }
        }
    }

    /// Drops items that failed before they became audible, if the queue advances by itself.
    private mutating func dropFailed() {
        while state.endAction == .advance, state.items.count > 1,
            let failed = state.items.prefix(schedule.items.count + 1).first(where: \.hasFailed)
        { state.remove(failed.id, currentTime) }
    }

    /// Feeds sound again if it was enqueued at a rate other than 1 with another pitch treatment.
    private mutating func changePitch(of index: Int, _ item: QueuedItem) -> Bool {
        guard schedule.items[index].pitch != item.wishes.pitch else { return false }
        schedule.items[index].pitch = item.wishes.pitch
        let rate = outputs.seen.startedRate
        guard schedule.items[index].hasSound, rate != 0, rate != 1 else { return false }
        if index == 0 { return refillUnseen() }
        splice(at: index)
        return true
    }

    /// Reads the outputs' sound again from the newly selected stream.
    private mutating func changeStream(of index: Int, _ item: QueuedItem) -> Bool {
        guard schedule.items[index].stream != item.wishes.stream else { return false }
        guard index == 0 else {
            splice(at: index)
            return true
        }
        schedule.select(stream: item.wishes.stream)
        return refillUnseen()
    }

    private mutating func scheduleHead(_ head: QueuedItem?) {
        state.restartSeek()
        refill.stop()
        if let old = schedule.head { reports.append(.stopLine(old.item)) }
        if let head, let index = schedule.items.firstIndex(where: { $0.item == head.id }),
            schedule.items[index].startTime == head.place, schedule.items[index].lead == .zero
        {
            // The outputs have the item's sound already: only time jumps.
            schedule.close(before: index)
            return jump(to: schedule.items[0].join)
        }
        let wasScheduled = schedule.head != nil
        close(from: 0)
        // Also for sound already heard: the next start may be at another rate.
        if wasScheduled || outputs.seen.startedRate != 0 { outputs.flush() }
        // A failed item stays current, and silent.
        guard let head, !head.hasFailed else {
            state.cancelSeek()
            state.headStart = nil
            if outputs.appliedRate != 0 { hold(at: .invalid) }
            return
        }
        // In whole seconds, sums are exact at any sample rate.
        let base = CMTime(seconds: currentTime.seconds.rounded(.up), preferredTimescale: 1)
        append(head, at: base)
        state.headStart = base
        hold(at: schedule.items[0].join)
        // An item that was ready once has no sound at hand now.
        if !feed(schedule.items[0]).hasSound { state.transport { $0.mustRefill() } }
    }

    mutating func append(_ item: QueuedItem, at start: CMTime, lead: CMTime = .zero) {
        if schedule.append(item, at: start, lead: lead) { opened(item.id) }
    }

    private mutating func opened(_ id: ItemID) {
        let now = now
        state.withItem(id) { item in
            item.set(\.openedAt, item.state.openedAt ?? now)
            item.set(\.levels, BufferLevels())
        }
    }

    /// Opens the successor while its predecessor is still being fed.
    mutating func prepareNext() {
        let next = schedule.last.flatMap { $0.isComplete || feed($0).isAtEnd ? nextItem : nil }
        if schedule.prepare(next, lead: next.map(lead) ?? .zero), let next { opened(next.id) }
    }

    mutating func close(from index: Int) {
        for id in schedule.close(from: index) {
            state.withItem(id) { item in
                guard !item.hasFailed else { return }
                item.set(\.levels, BufferLevels())
                item.set(\.loaded, nil)
            }
        }
    }

    // MARK: Edits of what the outputs hold

    /// Drops scheduled items from `index` on.
    mutating func splice(at index: Int) {
        let void = schedule.items[index]
        resending = nil
        close(from: index)
        if void.hasSound { outputs.splice(from: void.join) } else { outputs.lostSuccessor() }
    }

    /// Applies a change of the end that the program set for a scheduled item.
    ///
    /// - Returns: whether the outputs are edited.
    private mutating func moveEnd(of index: Int, _ item: QueuedItem) -> Bool {
        let one = schedule.items[index]
        let (old, new) = (one.limit, one.wishedEnd(item))
        schedule.items[index].limit = new
        resending = nil
        if let new, new < one.end {
            close(from: index + 1)
            // The end of data is signalled when the item completes again.
            schedule.items[index].shorten(to: new)
            outputs.splice(from: new)
            return true
        }
        if one.isComplete, old == one.end, feed(one).facts?.isSeekable == true {
            // The item continues beyond its former end.
            close(from: index + 1)
            schedule.seek(index, to: one.end - one.start)
            schedule.items[index].reopen(at: one.end)
            outputs.splice(from: one.end)
            return true
        }
        return false
    }

    /// The outputs answer an edit. Rebuffers if the edit was too late.
    mutating func spliced(_ isDone: Bool, generation: Int) {
        guard outputs.spliced(isDone, generation: generation) else { return }
        if isDone { resending = nil }
        if isDone || resendLater() { return }
        reports.append(.editWasLate)
        guard let head = schedule.head else { return }
        guard feed(head).facts?.isLive == true else {
            refillUnseen()
            return
        }
        // The outputs play a live stream to its end, because it cannot be read again.
        outputs.tail = .stale
        schedule.withLast { $0.drained(at: $0.end) }
    }

    /// Ends the first item; its successor becomes the audible item.
    mutating func dropHead() {
        let needsOtherRate = schedule.items.count == 2 && awaitsOtherRate(schedule.items[1])
        if let head = schedule.head { reports.append(.stopLine(head.item)) }
        schedule.close(before: 1)
        state.headStart = schedule.head?.start
        guard let head = schedule.head else { return }
        if needsOtherRate { hold(at: head.join) }
        reports.append(.announceLine)
    }

    // MARK: Time

    /// Stops time, at `time` if it is numeric, else at the current time.
    mutating func hold(at time: CMTime) {
        if time.isNumeric { state.pendingTime = time }
        outputs.hold(at: time, now)
    }

    /// Jumps to `time`, within the sound that the outputs have.
    mutating func jump(to time: CMTime) {
        (state.headStart, state.pendingTime) = (schedule.items[0].start, time)
        schedule.items[0].heardEnd = time - schedule.items[0].start
        let stands = state.seeking.deadline(after: now) != nil || state.appointment != nil
        outputs.jump(to: time, stands: stands, now)
    }

    // MARK: Reading anew

    /// Reads and feeds everything again.
    ///
    /// - Parameter place: item time in the first item; `nil` for the playhead.
    mutating func readAnew(from place: CMTime? = nil) {
        guard let head = schedule.head else { return }
        let place = place ?? min(max(.zero, currentTime - head.start), head.end - head.start)
        refill.stop()
        if feed(head).facts?.isLive == true { return beginAnew() }
        close(from: 1)
        outputs.flush()
        schedule.readAnew(from: place, state.item(head.item))
        hold(at: schedule.items[0].end)
    }

    /// Reopens a live stream, which cannot be read again, at its current sound.
    private mutating func beginAnew() {
        close(from: 0)
        outputs.flush()
        scheduleHead(state.items.first)
    }

    /// Rebuffers the outputs' sound, hidden from observers for a while. An item that was heard needs none.
    ///
    /// - Returns: whether there was something to read again.
    @discardableResult
    mutating func refillUnseen() -> Bool {
        guard let head = schedule.head, head.phase != .heard else { return false }
        readAnew()
        if schedule.head != nil { refill.begin(at: now) }
        return true
    }

    // MARK: Failures

    /// Fails an item for good. The queue drops the item if it advances by itself.
    mutating func failItem(_ id: ItemID, _ error: MediaError) {
        state.withItem(id) { item in
            item.state.fail(error)
            item.change = .ordered
        }
    }

    /// Fails the first item.
    mutating func fail(_ one: ScheduledItem, _ error: MediaError) {
        guard let item = state.item(one.item) else { return }
        refill.stop()
        failItem(one.item, error)
        if item.state.status == .readyToPlay || state.machine.rate != 0 {
            reports.append(.post(one.item, .failedToPlayToEnd(error)))
        }
    }

    /// The circumstances in which an item's sound is measured.
    func gaugeContext(of one: ScheduledItem) -> GaugeContext {
        let isHead = one.feed == schedule.head?.feed
        return GaugeContext(
            now: now, playhead: playhead(one), isRunning: isHead && outputs.isRunning(at: now),
            rate: state.machine.rate, isOutputReady: outputs.seen.isReady)
    }
}
