import CoreMedia
import TuttiMediaTime

/// The outputs as the driver sampled them, after all earlier actions took effect.
struct OutputSample: Sendable {
    /// The timeline's line.
    var line = PresentationLine(time: .zero, host: HostTime(nanoseconds: 0), rate: 0)
    /// The timeline's requested rate.
    var requestedRate: Float = 0
    /// The rate at which the outputs last started; 0 while their sound can play at any rate.
    var startedRate: Float = 0
    /// Whether the render queue wants more.
    var isReady = true
    /// Whether the render queue has enough for a start.
    var hasSufficientData = false
    /// Timeline time up to which enqueued sound is ready to be heard; `nil`: all of it.
    var playableEnd: CMTime?
    /// Minimum lead, in seconds, by which sound must be enqueued.
    var leastLead = 0.0
    /// The failure of the render queue, and the timeline time of the buffer that caused it.
    var failure: (error: any Error, time: CMTime?)?
}

/// The audible timeline time, and the rate at which it moves; 0 while time stands.
struct Playhead {
    let time: CMTime
    let rate: Float
}

/// The outputs as the engine uses them: the line, the supply of sound, and an edit of what they hold.
struct Outputs: Sendable {
    /// The sound that the outputs hold.
    enum Supply: Equatable, Sendable {
        /// None came since the last flush or underrun.
        case empty
        case given
        /// New sound would arrive too late, so the outputs play out what they have.
        case closing(hadSound: Bool)
    }

    /// The end of the enqueued sound.
    enum Tail: Sendable {
        case open
        /// The successor was removed. Unless another item follows, the outputs still need the end of data.
        case untold
        /// The outputs still hold a removed successor, whose sound is flushed at the join.
        case stale
    }

    private(set) var seen = OutputSample()
    /// The rate at which time was last started; 0 while time stands.
    private(set) var appliedRate: Float = 0
    private(set) var supply = Supply.empty
    var tail = Tail.open
    /// The edit under way, by its number: the outputs drop queued sound from a time on. No sound is given until
    /// they are done.
    private var pendingSplice: Int?
    /// The number of edits so far.
    private var generation = 0
    private(set) var isRequesting = false
    private var isPlaying = false
    var actions: [EngineAction] = []

    var isSplicing: Bool { pendingSplice != nil }

    var isClosing: Bool {
        if case .closing = supply { return true }
        return false
    }

    var hasGiven: Bool { supply == .given || supply == .closing(hadSound: true) }

    mutating func look(_ state: OutputSample) { seen = state }

    // MARK: Time

    func time(at now: HostTime) -> CMTime { seen.line.time(at: now) }

    func playhead(at now: HostTime) -> Playhead { Playhead(time: time(at: now), rate: appliedRate) }

    /// Whether time runs; `false` until the outputs start.
    func isRunning(at now: HostTime) -> Bool { seen.line.rate != 0 && now >= seen.line.host }

    /// Another party stopped time.
    ///
    /// - Returns: Whether time ran before.
    mutating func noticeStop() -> Bool {
        guard seen.requestedRate == 0, appliedRate != 0 else { return false }
        appliedRate = 0
        return true
    }

    /// Stops time, at `time` if it is numeric, else at the current time.
    mutating func hold(at time: CMTime, _ now: HostTime) {
        appliedRate = 0
        reopen()
        seen.line = PresentationLine(
            time: time.isNumeric ? time : seen.line.time(at: now), host: now, rate: 0)
        actions.append(.hold(at: time))
    }

    /// Whether the outputs have an item's sound at `time` and after it, so that time can jump there.
    func canJump(to time: CMTime, in one: ScheduledItem, _ now: HostTime) -> Bool {
        guard !isSplicing, time >= self.time(at: now), one.end > one.start else { return false }
        return one.isComplete ? time < one.end : time + Self.leastAfterJump < one.end
    }

    private static let leastAfterJump = CMTime(value: 2, timescale: 1)

    /// Jumps to `time`, within the sound that the outputs have.
    ///
    /// - Parameter stands: Whether time stands there.
    mutating func jump(to time: CMTime, stands: Bool, _ now: HostTime) {
        if stands || appliedRate == 0 { return hold(at: time, now) }
        reopen()
        seen.line = PresentationLine(time: time, host: now, rate: 0)
        actions.append(.start(EngineStart(rate: appliedRate, time: time)))
    }

    mutating func start(_ start: EngineStart) {
        // A start that never took effect has not fixed the rate of the queued sound.
        if seen.startedRate == 0 { actions.append(.forgetRate) }
        appliedRate = start.rate
        actions.append(.start(start))
    }

    mutating func setPlaying(_ isPlaying: Bool) {
        guard isPlaying != self.isPlaying else { return }
        self.isPlaying = isPlaying
        actions.append(.setPlaying(isPlaying))
    }

    // MARK: Supply

    /// Stops feeding: the outputs play out what they have, then time stands. So no sound is repeated, and
    /// late sound is not lost.
    mutating func close() {
        supply = .closing(hadSound: supply == .given)
        pauseRequests()
    }

    /// New sound has time again.
    mutating func reopen() {
        if case .closing(let hadSound) = supply { supply = hadSound ? .given : .empty }
    }

    mutating func ranDry() { supply = .empty }

    mutating func gave() { supply = .given }

    mutating func request() {
        isRequesting = true
        actions.append(.request)
    }

    mutating func pauseRequests() {
        guard isRequesting else { return }
        isRequesting = false
        actions.append(.pauseRequests)
    }

    /// Signals the end of data, so that the outputs play the last samples too.
    mutating func endOfData() {
        isRequesting = false
        if tail == .untold { tail = .open }
        actions.append(.endOfData)
    }

    // MARK: Flushes

    /// Flushes the outputs and forgets the rate of their sound, so that new sound can play at any rate. Makes
    /// an edit void.
    mutating func flush() {
        pauseRequests()
        (supply, tail, pendingSplice, seen.startedRate) = (.empty, .open, nil, 0)
        actions += [.flush, .forgetRate]
    }

    /// Flushes the outputs from `time` on while they play.
    mutating func splice(from time: CMTime) {
        generation += 1
        pendingSplice = generation
        reopen()
        pauseRequests()
        actions.append(.splice(from: time, generation: generation))
    }

    /// Notes that a successor without enqueued sound was removed.
    mutating func lostSuccessor() { if tail == .open { tail = .untold } }

    /// The outputs answer an edit.
    ///
    /// - Returns: `false` if the answer is for an older edit.
    mutating func spliced(_ isDone: Bool, generation: Int) -> Bool {
        guard generation == pendingSplice else { return false }
        pendingSplice = nil
        if isDone { tail = .untold }
        return true
    }

    // MARK: Deadlines

    /// Timeline time up to which the item's sound is audible. The last samples may stay unpacked until more
    /// sound follows.
    func playableEnd(of one: ScheduledItem) -> CMTime {
        seen.playableEnd.map { max(one.join, min(one.end, $0)) } ?? one.end
    }

    /// The deadline for more sound, in timeline time.
    func latestUse(of one: ScheduledItem) -> CMTime {
        let lead = seen.leastLead * Double(max(appliedRate, 1))
        return playableEnd(of: one) - CMTime(seconds: lead, preferredTimescale: 1_000_000)
    }

    /// Whether sound of the last item that is enqueued now would miss its deadline and leave a gap.
    func isLate(_ last: ScheduledItem, at now: HostTime) -> Bool {
        guard !isClosing, appliedRate != 0, isRunning(at: now), last.isOpen, !isSplicing else { return false }
        return time(at: now) >= latestUse(of: last)
    }

    /// Whether all sound at hand was heard before the end of the last item, whose feed is given.
    func isDry(_ last: ScheduledItem, _ feed: ItemFeedState, at now: HostTime) -> Bool {
        guard isClosing, isRunning(at: now), last.isOpen else { return false }
        return time(at: now) >= playableEnd(of: last) && !(feed.isAtEnd && feed.waitingCount == 0)
    }

    /// Adds the instants at which the line reaches the start of time, or an end of the items' sound.
    func addDeadlines(to next: inout Deadline, head: ScheduledItem, last: ScheduledItem) {
        next.add(seen.line.host)
        next.add(head.end)
        if last.isOpen { next.add(isClosing ? playableEnd(of: last) : latestUse(of: last)) }
    }
}
