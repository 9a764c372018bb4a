import CoreMedia
import TuttiMediaTime

/// The decisions of a presentation timeline, a value without threads or a clock: requests and answers come in
/// with the host time, and each returns the ``Action``s that the driver carries out.
///
/// Each change of rate, time or output begins a new generation. A start carries the generation it was made
/// in; an answer to an older one changes nothing.
struct TimelineMachine: Sendable {
    /// The driver's number for a queue.
    typealias QueueID = Int

    /// Work for the driver, in the order of the list that has it.
    enum Action: Equatable, Sendable {
        /// Publish the line to the timebase, the observers and the queues; `isJump` if the time was set.
        case publishLine(isJump: Bool)
        /// Notify the owner that the requested rate changed.
        case notifyRate
        /// Notify the queues that the timeline begins or ceases to play.
        case notifyPlaying([QueueID], Bool)
        /// Silence the outputs; the next start is at this time.
        case stop([QueueID], at: CMTime)
        /// Tell the outputs the time of the next start.
        case stand([QueueID], at: CMTime)
        /// Drop the sound from this time on, which was made for another rate.
        case flush([QueueID], from: CMTime)
        /// Start the outputs on the running line: at ``TimelineMachine/join(at:)``, one after the other.
        case join([QueueID])
        /// Take ``TimelineMachine/waitingStart``, ask its queues, and ``TimelineMachine/begin(_:at:)``.
        case tryStart
        /// Start the outputs, and answer with ``TimelineMachine/started(_:at:)``.
        case start(Start)
        /// Stop and empty a queue that left the timeline.
        case release(QueueID)
    }

    /// A start that has not begun.
    struct WaitingStart: Equatable, Sendable {
        let generation: Int
        /// The presentation time to start at.
        let time: CMTime
        let queues: [QueueID]
        /// The queues that must have enough data at ``time``; empty for a start that does not wait.
        let asked: [QueueID]
    }

    /// A start of the outputs.
    struct Start: Equatable, Sendable {
        let generation: Int
        /// The queue whose output reports the host time.
        let first: QueueID
        /// The queues whose outputs start at the host time that the first one reports.
        let others: [QueueID]
        /// The presentation time to start at.
        let time: CMTime
        let rate: Double
        /// The host time to start at; `nil` for as soon as possible.
        let hostTime: HostTime?
    }

    /// A place on the running line.
    struct Place: Equatable, Sendable {
        let time: CMTime
        let rate: Double
        let hostTime: HostTime
    }

    /// The lead within which a joining queue becomes audible.
    static let joinLead = Duration.milliseconds(200)

    /// The line of what is heard. It stands until the outputs have answered a start.
    private(set) var line: PresentationLine
    /// The last requested rate, even while its start is awaited; 0 while paused.
    private(set) var requestedRate: Float = 0
    /// The rate at which the outputs last started; 0 after ``forgetRate()``.
    private(set) var startedRate: Float = 0
    /// The queues on the timeline, the earliest first.
    private(set) var queues: [QueueID] = []
    /// Whether a start waits until every queue has enough data.
    var delaysRateChange = true

    /// The last requested rate other than 0, for which the queued sound was made; 0 after ``forgetRate()``.
    private var playedRate: Float = 0
    private var generation = 0
    private var isWaiting = false
    /// Host time of the newest start; `nil` for as soon as possible.
    private var startHost: HostTime?
    /// Whether the newest start waits for enough data, as far as ``delaysRateChange`` says so too.
    private var startNeedsData = true

    /// Creates a timeline that stands at time zero.
    init(at now: HostTime) { line = PresentationLine(standingAt: .zero, since: now) }

    private func isCurrent(_ generation: Int) -> Bool { generation == self.generation }

    /// Forgets the rate of the queued sound, because no sound is queued or it can play at any rate.
    mutating func forgetRate() { (playedRate, startedRate) = (0, 0) }

    // MARK: Queues

    /// Adds a queue, which joins the running sound.
    mutating func add(_ queue: QueueID) -> [Action] {
        queues.append(queue)
        return line.rate != 0 ? [.join([queue])] : []
    }

    /// Removes a queue. A start may have waited for this queue alone.
    mutating func remove(_ queue: QueueID) -> [Action] {
        queues.removeAll { $0 == queue }
        let rest: [Action] = [.release(queue), .tryStart]
        return requestedRate != 0 ? [.notifyPlaying([queue], false)] + rest : rest
    }

    /// Returns where a queue that joins now begins: where the line will be by then.
    func join(at now: HostTime) -> Place {
        let host = now.advanced(by: Self.joinLead)
        return Place(time: line.time(at: host), rate: line.rate, hostTime: host)
    }

    /// Stops the line for a queue that has moved to another output, until that output is audible, so that no
    /// sound is missed.
    ///
    /// - Parameter isWhole: Whether the queue has all of its sound, rather than none.
    mutating func move(_ queue: QueueID, isWhole: Bool, at now: HostTime) -> [Action] {
        guard requestedRate != 0, queues.contains(queue) else { return [] }
        generation += 1
        line = line.stopped(at: now)
        (isWaiting, startNeedsData, startHost) = (true, isWhole, nil)
        return [.publishLine(isJump: false), .tryStart]
    }

    // MARK: Rate

    /// Returns what comes before a change to `rate`: a queue may have to take the outputs from another queue.
    func prepare(for rate: Float) -> [Action] {
        requestedRate == 0 && rate != 0 ? [.notifyPlaying(queues, true)] : []
    }

    /// Sets the time, if `time` is numeric, then the rate. Alone, the rate that was requested last changes
    /// nothing.
    ///
    /// - Parameters:
    ///   - hostTime: Host time at which `time` is to be heard; `nil` for as soon as possible.
    ///   - keepsSound: Whether the queued sound is played at another rate too.
    mutating func setRate(
        _ rate: Float, time: CMTime, hostTime: HostTime?, keepsSound: Bool = false, at now: HostTime
    ) -> [Action] {
        let (isChange, isJump) = (requestedRate != rate, time.isNumeric)
        if rate != 0, !isChange, !isJump, hostTime == nil { return [] }
        let heard = line.time(at: now)
        let position = isJump ? time : heard
        let wasPlaying = requestedRate != 0
        let isOtherSpeed = rate != 0 && playedRate != 0 && playedRate != rate && !keepsSound
        // Time runs on from one rate to another; missing sound is silence.
        let goesOn = isOtherSpeed && line.rate != 0 && !isJump && hostTime == nil

        generation += 1
        requestedRate = rate
        if rate != 0 { playedRate = rate }
        if goesOn { startedRate = rate }
        line = PresentationLine(
            time: position, host: goesOn ? max(now, line.host) : now, rate: goesOn ? Double(rate) : 0)
        (isWaiting, startHost) = (rate != 0 && !goesOn, hostTime)
        startNeedsData = hostTime == nil && !(wasPlaying && isOtherSpeed)

        // A jump stops first, so that silence is heard until the new start, not the old place.
        let stops = rate == 0 || (wasPlaying && (isJump || isOtherSpeed))
        var actions: [Action] = [
            .publishLine(isJump: isJump), stops ? .stop(queues, at: position) : .stand(queues, at: position),
        ]
        if isOtherSpeed { actions.append(.flush(queues, from: heard)) }
        if isChange { actions.append(.notifyRate) }
        if rate == 0 {
            if wasPlaying { actions.append(.notifyPlaying(queues, false)) }
        } else {
            actions.append(goesOn ? .join(queues) : .tryStart)
        }
        return actions
    }

    // MARK: Starting

    /// The start that waits; `nil` if none does.
    var waitingStart: WaitingStart? {
        guard isWaiting else { return nil }
        return WaitingStart(
            generation: generation, time: line.time, queues: queues,
            asked: delaysRateChange && startNeedsData ? queues : [])
    }

    /// Begins a start whose queues have enough data. A timeline without a queue runs at once.
    mutating func begin(_ waiting: WaitingStart, at now: HostTime) -> [Action] {
        guard isWaiting, isCurrent(waiting.generation) else { return [] }
        (isWaiting, startedRate) = (false, requestedRate)
        guard let first = waiting.queues.first else { return started(generation, at: startHost ?? now) }
        guard requestedRate > 0 else { return [] }
        let others = Array(waiting.queues.dropFirst())
        let start = Start(
            generation: generation, first: first, others: others, time: waiting.time,
            rate: Double(requestedRate), hostTime: startHost)
        return [.start(start)]
    }

    /// Sets the line by the answer to a start; a repeated answer moves it.
    ///
    /// - Parameter host: The host time at which the start's time is heard.
    mutating func started(_ generation: Int, at host: HostTime) -> [Action] {
        guard isCurrent(generation) else { return [] }
        line.host = host
        line.rate = Double(requestedRate)
        return [.publishLine(isJump: false)]
    }

    /// Repairs a race after a start has reached the outputs: another thread may have changed the rate or the
    /// time, and reached them before this older start did. Sends the newer state to the outputs again.
    mutating func correct(after generation: Int) -> [Action] {
        if isCurrent(generation) { return [] }
        if requestedRate == 0 { return [.stop(queues, at: line.time)] }
        if line.rate != 0 { return [.join(queues)] }
        // A route that took the older start last does not answer the newer start.
        isWaiting = true
        return [.tryStart]
    }
}
