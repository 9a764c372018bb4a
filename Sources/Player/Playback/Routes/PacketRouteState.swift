import CoreMedia
import TuttiMediaTime

/// The state of a packet route, a value: calls, answers and times come in, and the transitions say what the
/// route has to do.
///
/// A call takes effect at once for callers (``Phase``) and later on the codec queue (``Run``, ``Packing``).
/// A flush begins a new generation (``FlushGenerations``): what was called or asked in an older one changes
/// nothing that callers see.
struct PacketRouteState: Sendable {
    /// The route as its callers see it.
    enum Phase: Equatable, Sendable {
        /// Not started yet, or stopped and empty: the playing rate of new sound is not known.
        case open
        /// Started: new sound is packed for the playing rate.
        case playing
        /// Stopped, with sound that was packed for the last playing rate.
        case paused
        /// Given up: every later call is ignored.
        case detached
    }

    /// The output, as the codec queue has told it.
    enum Run: Equatable, Sendable {
        /// Never started: the output does not need the position of the next start.
        case unstarted(at: CMTime)
        /// The answer to this start sets the line; an older answer changes nothing.
        case starting(id: Int, at: CMTime, rate: Double)
        case running(id: Int, line: PresentationLine)
        case stopped(at: CMTime)
    }

    /// The work of the codec queue.
    enum Packing: Sendable {
        case idle
        /// A step waits behind the pending blocks of the codec queue.
        case queued(step: Int)
        /// The output is asked for its capabilities.
        case asking
        /// The output is asked for a cut; later cuts wait.
        case cutting(waiting: [PacketRouteCut])
    }

    /// A range of presentation time.
    typealias TimeSpan = (start: CMTime, end: CMTime)

    let depth: RouteDepth
    private(set) var phase = Phase.open
    private(set) var run = Run.unstarted(at: .zero)
    var packing = Packing.idle
    var steps = 0
    private(set) var flushes = FlushGenerations()
    private var starts = 0
    private(set) var backlog = UnpackedSound()
    /// End of data was signalled, and no buffer was enqueued since.
    private(set) var isComplete = false
    /// Generation of end-of-data signals; an older cut does not revoke a newer signal.
    private var ends = 0
    /// Range that was enqueued since the last flush.
    private(set) var enqueued: TimeSpan?
    /// True from the high-water mark down to the low-water mark.
    private(set) var isFull = false
    /// A caller was told that the route is full, and not yet that it has room again.
    private var owesNotice = false
    /// Range that is encoded.
    private(set) var encoded: TimeSpan?
    /// Buffers not heard to their end, if the route keeps buffers.
    private(set) var kept = BufferBacklog()
    private var wakes = RouteWakes()
    var bufferSize = RouteBufferSize()

    init(depth: RouteDepth) { self.depth = depth }

    /// Whether buffers are kept for another route or for a start at another rate: always with seconds of
    /// depth, with minutes only until the first start.
    private var keepsBuffers: Bool { depth.marks != nil || phase == .open }

    // MARK: The line

    /// Returns the presentation time being heard; while nothing runs, that of the next start.
    func playhead(at now: HostTime) -> CMTime {
        switch run {
        case .unstarted(let time), .stopped(let time), .starting(_, let time, _): time
        case .running(_, let line): line.time(at: now)
        }
    }

    /// The line of the running sound; `nil` until the output has answered.
    var line: PresentationLine? { if case .running(_, let line) = run { line } else { nil } }

    /// Returns seconds from the playhead, or from the first enqueued sound if that is later, to the end of the
    /// enqueued sound.
    private func secondsAhead(at now: HostTime) -> Double {
        guard let enqueued else { return 0 }
        let ahead = enqueued.end - CMTimeMaximum(playhead(at: now), enqueued.start)
        return ahead.isNumeric ? max(0, ahead.seconds) : 0
    }

    // MARK: Calls

    /// Takes a buffer.
    ///
    /// - Returns: The generation for ``arrive(_:in:)``; `nil` if the route is detached.
    mutating func enqueue(_ buffer: CMSampleBuffer, _ amount: UnpackedSound.Amount) -> Int? {
        guard phase != .detached else { return nil }
        isComplete = false
        backlog.enqueue(amount)
        let start = buffer.outputPresentationTimeStamp
        let end = start + buffer.outputDuration
        if start.isNumeric, end.isNumeric {
            enqueued = (enqueued?.start ?? start, CMTimeMaximum(enqueued?.end ?? end, end))
        }
        if keepsBuffers { kept.append(buffer) }
        return flushes.begun
    }

    /// Returns whether the route wants more, and moves between the marks.
    mutating func isReady(at now: HostTime) -> Bool {
        let total = backlog.total
        guard total.bytes < depth.backlogBytes, total.seconds < depth.backlogSeconds else { return false }
        guard let marks = depth.marks else { return true }
        let ahead = secondsAhead(at: now)
        if ahead >= marks.high { (isFull, owesNotice) = (true, true) }
        if ahead <= marks.low { isFull = false }
        return !isFull
    }

    /// Returns whether enough sound is packed for a start at `time`.
    func hasSufficientData(at time: CMTime) -> Bool {
        // After the end of data nothing is worth waiting for, even if all sound has been heard. A full route
        // takes no more either: a start would wait forever for sound that is shorter than it claimed.
        if isComplete || isFull, backlog.total.seconds < 0.001 { return true }
        guard let encoded, encoded.end > time else { return false }
        return (encoded.end - time).seconds >= depth.sufficientSeconds
    }

    /// Takes the signal that no buffer follows.
    ///
    /// - Returns: `false` if the route is detached.
    @discardableResult
    mutating func endOfData() -> Bool {
        guard phase != .detached else { return false }
        (isComplete, ends) = (true, ends + 1)
        return true
    }

    /// Drops all sound and begins a new generation.
    ///
    /// - Returns: The generation that the codec queue has to reach; `nil` if the route is detached.
    mutating func flush() -> Int? {
        guard phase != .detached else { return nil }
        (backlog, isComplete, encoded) = (UnpackedSound(), false, nil)
        (enqueued, isFull) = (nil, false)
        kept.removeAll()
        if phase == .paused { phase = .open }
        return flushes.begin()
    }

    /// Returns a cut for the present sound.
    func cut(from time: CMTime, done: @escaping @Sendable (Bool) -> Void) -> PacketRouteCut {
        PacketRouteCut(time: time, generation: flushes.begun, ends: ends, done: done)
    }

    /// The sound enqueued before a start.
    struct Queued: Sendable {
        var generation: Int
        var buffers: [CMSampleBuffer]
        /// Sound was enqueued, but only its packets are left.
        var isLost: Bool
    }

    /// Takes a start: sound enqueued after it is packed after it, at the new rate.
    ///
    /// - Returns: `nil` if the route is detached.
    mutating func start(at time: CMTime) -> Queued? {
        guard phase != .detached else { return nil }
        let hasSound = enqueued.map { $0.end > time } ?? false
        defer { if !keepsBuffers { kept.removeAll() } }
        phase = .playing
        return Queued(
            generation: flushes.begun, buffers: kept.all, isLost: hasSound && kept.isEmpty)
    }

    /// Takes a stop.
    ///
    /// - Returns: `false` if the route is detached.
    mutating func stop() -> Bool {
        switch phase {
        case .open: break
        case .playing, .paused: phase = enqueued == nil ? .open : .paused
        case .detached: return false
        }
        return true
    }

    /// Gives the route up; late work of the codec queue belongs to an older generation from now on.
    ///
    /// - Returns: The buffers not heard by `time`; `nil` if the route does not have them.
    mutating func detach(at time: CMTime) -> [CMSampleBuffer]? {
        kept.removeHeard(before: time)
        let buffers = keepsBuffers && phase != .detached ? kept.all : nil
        kept.removeAll()
        phase = .detached
        run = .stopped(at: time)
        _ = flushes.begin()
        return buffers
    }

    // MARK: On the codec queue

    /// Takes a buffer off its way to the codec queue.
    ///
    /// - Returns: `false` if a flush has dropped the buffer.
    mutating func arrive(_ amount: UnpackedSound.Amount, in generation: Int) -> Bool {
        guard flushes.isCurrent(generation) else { return false }
        backlog.arrive(amount)
        return true
    }

    /// Carries out a flush.
    mutating func reach(_ generation: Int) { flushes.reach(generation) }

    /// Publishes counts, unless a pending flush has made them obsolete.
    ///
    /// - Parameter isWaitingForRoom: Sound waits because the packet store is full.
    mutating func publish(
        waiting: UnpackedSound.Amount, encoded: TimeSpan?, isWaitingForRoom: Bool, at now: HostTime
    ) {
        guard flushes.isReached else { return }
        backlog.waiting = waiting
        self.encoded = encoded
        // While nothing runs, only a speaker's answer makes room.
        if isWaitingForRoom, line == nil, !wakes.isWaitingForRoom || bufferSize.bytes == nil {
            wakes.revisit(after: depth.refill, at: now)
        }
        wakes.isWaitingForRoom = isWaitingForRoom
    }

    /// Carries out a start.
    ///
    /// - Returns: The start, for ``answer(_:host:)``; `nil` if the route is detached.
    mutating func begin(at time: CMTime, rate: Double, now: HostTime) -> Int? {
        guard phase != .detached else { return nil }
        starts += 1
        run = .starting(id: starts, at: time, rate: rate)
        wakes.revisit(after: depth.refill, at: now)
        return starts
    }

    /// Takes the output's answer, which may come again with a corrected time.
    ///
    /// - Returns: `false` if the answer belongs to an older start.
    mutating func answer(_ start: Int, host: HostTime) -> Bool {
        switch run {
        case .starting(id: start, at: let time, rate: let rate):
            run = .running(id: start, line: PresentationLine(time: time, host: host, rate: rate))
        case .running(id: start, line: var line):
            line.host = host
            run = .running(id: start, line: line)
        default: return false
        }
        return true
    }

    /// Carries out a stop.
    ///
    /// - Returns: Whether the output has to be told: it ran, or was last told another position.
    mutating func end(at time: CMTime, now: HostTime) -> Bool {
        wakes.revisit(after: depth.refill, at: now)
        switch run {
        case .unstarted:
            run = .unstarted(at: time)
            return false
        case .stopped(let position):
            run = .stopped(at: time)
            return position != time
        case .starting, .running:
            run = .stopped(at: time)
            return true
        }
    }

    /// Sets the position of the next start while nothing runs.
    mutating func stand(at time: CMTime, now: HostTime) {
        switch run {
        case .unstarted: run = .unstarted(at: time)
        case .stopped: run = .stopped(at: time)
        case .starting, .running: return
        }
        wakes.revisit(after: depth.refill, at: now)
    }

    /// Returns whether `cut` may be made: no flush came since, and no sound from its time on has been heard or
    /// is about to be.
    func allows(_ cut: PacketRouteCut, at now: HostTime) -> Bool {
        guard flushes.isCurrent(cut.generation) else { return false }
        let margin =
            switch run {
            case .unstarted, .stopped: 0.0
            case .starting, .running: depth.cutMargin
            }
        return (cut.time - playhead(at: now)).seconds >= margin
    }

    /// Forgets the sound that `cut` has dropped.
    mutating func forget(_ cut: PacketRouteCut) {
        guard flushes.isCurrent(cut.generation) else { return }
        if ends == cut.ends { isComplete = false }
        isFull = false
        if let enqueued {
            let isBehind = cut.time > enqueued.start
            self.enqueued = isBehind ? (enqueued.start, CMTimeMinimum(enqueued.end, cut.time)) : nil
        }
        kept.drop(from: cut.time)
    }

    /// Releases heard sound, and gives the notice that the route owes.
    ///
    /// - Returns: The playhead; `nil` if the route is detached, when the store may belong to another route.
    mutating func release(at now: HostTime) -> CMTime? {
        guard phase != .detached else { return nil }
        let time = playhead(at: now)
        kept.removeHeard(before: time)
        if let low = depth.marks?.low, secondsAhead(at: now) <= low { isFull = false }
        owesNotice = isFull
        wakes.visited(at: now)
        return time
    }

    /// The host time of the next ``release(at:)``; `nil` while nothing can change by itself.
    var deadline: HostTime? {
        guard phase != .detached else { return nil }
        var next = wakes.revisit ?? .distantFuture
        if let line {
            if owesNotice, let low = depth.marks?.low, let end = enqueued?.end {
                let time = end - CMTime(seconds: low, preferredTimescale: 1000)
                next = min(next, line.host(of: time) ?? .distantFuture)
            }
            if wakes.isWaitingForRoom { next = min(next, wakes.lastVisit.advanced(by: depth.refill)) }
            let rest = wakes.lastVisit.advanced(by: RouteWakes.rest)
            let end = encoded.flatMap { line.host(of: $0.end) }?.advanced(by: RouteWakes.rest)
            // Packets are kept for a moment after they were heard.
            if !kept.isEmpty || end.map({ wakes.lastVisit <= $0 }) ?? false { next = min(next, rest) }
        }
        return next < .distantFuture ? next : nil
    }
}
