import CoreMedia
import Dispatch
import Foundation
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// The presentation timeline: *presentation time t is heard at host time h, at rate r*. Any thread.
///
/// A render synchronizer or a player owns the timeline. The routes report the instant at which they can be
/// heard, which sets the line. From then on time is arithmetic and never stalls for missing data.
package final class PlaybackTimeline: Sendable {
    /// Callbacks of the timeline, called without a lock held, on the thread that made a change or is
    /// notifying already.
    package struct Events: Sendable {
        /// The requested rate changed.
        package var rateDidChange: @Sendable () -> Void = {}
        /// The rate or the time mapping changed; `isJump` if the time was set.
        var lineDidChange: @Sendable (_ isJump: Bool) -> Void = { _ in }

        /// Makes callbacks that do nothing.
        package init() {}
    }

    private struct State {
        var line: PresentationLine
        var requestedRate: Float = 0
        var delaysRateChange = true
        /// Generation of rate and time; drops a route's late answer to an older start.
        var change = 0
        var isWaitingForData = false
        /// Host time of the awaited start; `nil` for as soon as possible.
        var startHost: HostTime?
        /// Whether the awaited start waits for enough data.
        var startDelays = true
        /// The last requested rate other than 0, for which the queued sound was made.
        var playedRate: Float = 0
        /// The rate at which the outputs last started; 0 after ``forgetRate()``.
        var startedRate: Float = 0
        var queues: [RenderQueue] = []
        var observers: [Int: TimeObserver] = [:]
        var nextObserver = 0
    }

    private let state: Mutex<State>
    private let clock: any HostClock
    private let events = Mutex(Events())
    /// Starts the timebase when the first sound is heard.
    private let firstSound = QueueWakeUp(
        on: DispatchQueue(label: "tutti.timeline", qos: .userInteractive))
    private let lineOrder = NotificationSerializer()
    private let timebaseOrder = NotificationSerializer()
    /// The timeline as a timebase on the host clock, in presentation time. Stands until sound is heard.
    package let timebase: CMTimebase

    /// Makes a timeline that stands at time zero.
    package init(clock: any HostClock = SystemClock()) {
        self.clock = clock
        state = Mutex(State(line: PresentationLine(standingAt: .zero, since: clock.now)))
        timebase = CMTimebase(drivenOn: .hostTimeClock)
    }

    deinit {
        // The queues' weak references to the timeline are `nil` by now.
        for queue in state.withLock({ $0.queues }) { queue.lineDidChange() }
    }

    /// Replaces the callbacks.
    package func setEvents(_ events: Events) { self.events.withLock { $0 = events } }

    // MARK: Reading

    /// The last requested rate, even while its start is awaited; 0 while paused.
    package var rate: Float { state.withLock { $0.requestedRate } }

    /// The rate at which the outputs last started; 0 while their sound can play at any rate.
    var startedRate: Float { state.withLock { $0.startedRate } }

    /// Forgets the rate of the queued sound, because the queue is empty or its sound can play at any rate.
    func forgetRate() { state.withLock { ($0.playedRate, $0.startedRate) = (0, 0) } }

    /// The audible presentation time.
    package var currentTime: CMTime {
        let now = clock.now
        return state.withLock { $0.line.time(at: now) }
    }

    var line: PresentationLine { state.withLock { $0.line } }

    /// The start of the current run: the presentation time heard then, and the host time. `nil` while time
    /// stands or a start is awaited.
    package var start: (time: CMTime, host: HostTime)? {
        let now = clock.now
        return state.withLock { state in
            state.line.isRunning(at: now) ? (state.line.time, state.line.host) : nil
        }
    }

    /// Whether time runs; `false` while paused or until the outputs start.
    package var isRunning: Bool {
        let now = clock.now
        return state.withLock { $0.line.isRunning(at: now) }
    }

    /// Whether a start waits until every queue has enough data.
    package var delaysRateChangeUntilHasSufficientMediaData: Bool {
        get { state.withLock { $0.delaysRateChange } }
        set { state.withLock { $0.delaysRateChange = newValue } }
    }

    // MARK: Queues

    /// The queues on the timeline.
    package var queues: [RenderQueue] { state.withLock { $0.queues } }

    /// Adds a queue, which joins the running sound. Idempotent.
    ///
    /// - Returns: `false` if the queue belongs to another timeline.
    package func add(_ queue: RenderQueue) -> Bool {
        if let owner = queue.timeline { return owner === self }
        queue.setTimeline(self)
        let isRunning = state.withLock { state in
            state.queues.append(queue)
            return state.line.rate != 0
        }
        queue.lineDidChange()
        if isRunning { join(queue) }
        return true
    }

    /// Starts a queue at the time that the other queues will have reached by then.
    private func join(_ queue: RenderQueue) {
        let (line, now) = (state.withLock { $0.line }, clock.now)
        let host = now.advanced(by: Self.joinLead)
        queue.route.start(at: line.time(at: host), rate: line.rate, hostTime: host) { _ in }
    }

    /// The lead within which a joining queue becomes audible.
    private static let joinLead = Duration.milliseconds(200)

    /// Removes a queue, stops its route and flushes its sound.
    ///
    /// - Returns: `false` if the queue is not on the timeline.
    package func remove(_ queue: RenderQueue) -> Bool {
        let isHere = state.withLock { state in
            guard let position = state.queues.firstIndex(where: { $0 === queue }) else { return false }
            state.queues.remove(at: position)
            return true
        }
        guard isHere else { return false }
        if rate != 0 { queue.playingChanges(to: false) }
        queue.setTimeline(nil)
        queue.lineDidChange()
        queue.route.stop(at: currentTime)
        queue.flush()
        // A start may have waited for this queue alone.
        startIfPossible()
        return true
    }

    // MARK: Rate

    /// Sets the time, if `time` is numeric, then the rate.
    ///
    /// - Parameters:
    ///   - hostTime: host time at which `time` is to be heard; `nil` for as soon as possible.
    ///   - keepsSound: whether the queues play the sound they have at another rate too, as far as their
    ///     outputs still have it.
    package func setRate(_ rate: Float, time: CMTime, hostTime: HostTime?, keepsSound: Bool = false) {
        // Notifies the queues first: a queue may have to take the outputs from another queue.
        let starting = state.withLock { $0.requestedRate == 0 && rate != 0 ? $0.queues : [] }
        for queue in starting { queue.playingChanges(to: true) }
        guard let change = changeRate(rate, time: time, hostTime: hostTime, keepsSound: keepsSound) else {
            return
        }
        publishLine(isJump: time.isNumeric)
        for queue in change.queues {
            // A jump stops first, so that silence is heard until the new start, not the old place.
            if change.stops {
                queue.route.stop(at: change.position)
            } else {
                queue.route.stand(at: change.position)
            }
        }
        if change.isOtherSpeed {
            for queue in change.queues { queue.flushAutomatically(from: change.heard) }
        }
        if change.isChange { events.withLock { $0 }.rateDidChange() }
        if change.isStop { for queue in change.queues { queue.playingChanges(to: false) } }
        if change.goesOn { return change.queues.forEach(join) }
        if rate != 0 { startIfPossible() }
    }

    private struct RateChange {
        var isChange: Bool
        var stops: Bool
        /// The queued sound was made for another rate.
        var isOtherSpeed: Bool
        /// A change from playing to paused.
        var isStop: Bool
        /// Time runs on from one rate to another; missing sound is silence.
        var goesOn: Bool
        /// The new presentation time, and the last one heard.
        var position: CMTime
        var heard: CMTime
        var queues: [RenderQueue]
    }

    private func changeRate(
        _ rate: Float, time: CMTime, hostTime: HostTime?, keepsSound: Bool
    ) -> RateChange? {
        let now = clock.now
        return state.withLock { state in
            let heard = state.line.time(at: now)
            let isChange = state.requestedRate != rate
            if rate != 0, !isChange, !time.isNumeric, hostTime == nil { return nil }
            let position = time.isNumeric ? time : heard
            let wasPlaying = state.requestedRate != 0
            let isOtherSpeed =
                rate != 0 && state.playedRate != 0 && state.playedRate != rate && !keepsSound
            let goesOn = isOtherSpeed && state.line.rate != 0 && !time.isNumeric && hostTime == nil
            let change = RateChange(
                isChange: isChange, stops: rate == 0 || (wasPlaying && (time.isNumeric || isOtherSpeed)),
                isOtherSpeed: isOtherSpeed, isStop: wasPlaying && rate == 0, goesOn: goesOn,
                position: position, heard: heard, queues: state.queues)
            state.change += 1
            state.requestedRate = rate
            if rate != 0 { state.playedRate = rate }
            if goesOn { state.startedRate = rate }
            let start = goesOn ? max(now, state.line.host) : now
            state.line = PresentationLine(time: position, host: start, rate: goesOn ? Double(rate) : 0)
            state.isWaitingForData = rate != 0 && !goesOn
            state.startDelays = hostTime == nil && !(wasPlaying && isOtherSpeed)
            state.startHost = hostTime
            return change
        }
    }

    /// Restarts after a queue moved to another output, with all of its sound or none.
    ///
    /// Time stands until the new output is audible, so that no sound is missed.
    func queueMoved(_ queue: RenderQueue, isWhole: Bool) {
        let now = clock.now
        let isPlaying: Bool = state.withLock { state in
            guard state.requestedRate != 0, state.queues.contains(where: { $0 === queue }) else {
                return false
            }
            state.change += 1
            state.line = state.line.stopped(at: now)
            state.isWaitingForData = true
            (state.startDelays, state.startHost) = (isWhole, nil)
            return true
        }
        guard isPlaying else { return }
        publishLine(isJump: false)
        startIfPossible()
    }

    /// Retries a start that waited for data.
    func queueGainedData() { startIfPossible() }

    private func startIfPossible() {
        let waiting: (change: Int, position: CMTime, queues: [RenderQueue], delays: Bool)? = state.withLock {
            state in
            guard state.isWaitingForData else { return nil }
            return (state.change, state.line.time, state.queues, state.delaysRateChange && state.startDelays)
        }
        guard let waiting else { return }
        if waiting.delays, waiting.queues.contains(where: { !$0.hasSufficientData(at: waiting.position) }) {
            return
        }
        let host: HostTime?? = state.withLock { state in
            guard state.isWaitingForData, state.change == waiting.change else { return nil }
            (state.isWaitingForData, state.startedRate) = (false, state.requestedRate)
            return .some(state.startHost)
        }
        guard let host else { return }
        start(waiting.queues, at: waiting.position, hostTime: host, change: waiting.change)
    }

    /// Starts the first route, which reports its host time, then the other routes at that time.
    private func start(_ queues: [RenderQueue], at position: CMTime, hostTime: HostTime?, change: Int) {
        guard let first = queues.first else { return started(change: change, host: hostTime ?? clock.now) }
        let others = queues.dropFirst()
        let rate = state.withLock { Double($0.requestedRate) }
        guard rate > 0 else { return }
        first.route.start(at: position, rate: rate, hostTime: hostTime) { [weak self] host in
            for queue in others { queue.route.start(at: position, rate: rate, hostTime: host) { _ in } }
            self?.started(change: change, host: host)
            if !others.isEmpty { self?.correct(after: change) }
        }
        correct(after: change)
    }

    /// Repairs a race: another thread may have changed the rate or the time and reached the routes before an
    /// older start did. Sends the newer state to the routes again.
    private func correct(after change: Int) {
        let newer: (line: PresentationLine, isPlaying: Bool, queues: [RenderQueue])? = state.withLock {
            state in
            guard state.change != change else { return nil }
            // A route that took the older start last does not answer the newer start.
            if state.requestedRate != 0, state.line.rate == 0 { state.isWaitingForData = true }
            return (state.line, state.requestedRate != 0, state.queues)
        }
        guard let newer else { return }
        if !newer.isPlaying {
            for queue in newer.queues { queue.route.stop(at: newer.line.time) }
        } else if newer.line.rate != 0 {
            newer.queues.forEach(join)
        } else {
            startIfPossible()
        }
    }

    private func started(change: Int, host: HostTime) {
        let isCurrent = state.withLock { state in
            guard state.change == change else { return false }
            state.line.host = host
            state.line.rate = Double(state.requestedRate)
            return true
        }
        if isCurrent { publishLine(isJump: false) }
    }

    private func publishLine(isJump: Bool) {
        lineOrder.tell(isJump: isJump) { isJump in
            driveTimebase(isJump: isJump)
            let (line, observers, queues) = state.withLock {
                ($0.line, Array($0.observers.values), $0.queues)
            }
            for observer in observers { observer.lineDidChange(line, now: clock.now, isJump: isJump) }
            for queue in queues { queue.lineDidChange() }
            events.withLock { $0 }.lineDidChange(isJump)
        }
    }

    /// Drives the timebase, which stands until sound is heard.
    func driveTimebase(isJump: Bool = false) {
        timebaseOrder.tell(isJump: isJump) { isJump in drive(isJump: isJump) }
    }

    private func drive(isJump: Bool) {
        let line = state.withLock { $0.line }
        let isAhead = line.rate != 0 && !line.isRunning(at: clock.now)
        timebase.drive(
            anchorTime: line.time, at: line.host, rate: isAhead ? 0 : line.rate, isJump: isJump)
        guard isAhead else { return firstSound.cancel() }
        firstSound.set(at: line.host) { [weak self] in self?.driveTimebase() }
    }

    // MARK: Observers

    /// Calls `body` on `queue` at each multiple of `interval`, and when time jumps, starts or stops.
    ///
    /// - Returns: a token for ``removeObserver(_:)``.
    package func addPeriodicObserver(
        every interval: CMTime, queue: DispatchQueue, body: @escaping @Sendable (CMTime) -> Void
    ) -> Int {
        add(.periodic(interval: interval, body: body), queue: queue)
    }

    /// Calls `body` on `queue` once for each of `times` that playback crosses.
    ///
    /// - Returns: a token for ``removeObserver(_:)``.
    package func addBoundaryObserver(
        at times: [CMTime], queue: DispatchQueue, body: @escaping @Sendable () -> Void
    ) -> Int {
        add(.boundary(times: times.filter(\.isNumeric).sorted(), body: body), queue: queue)
    }

    /// Calls `body` on `queue` once, when playback or a jump reaches `time` or passes it.
    ///
    /// - Returns: a token for ``removeObserver(_:)``.
    package func addArrivalObserver(
        at time: CMTime, queue: DispatchQueue, body: @escaping @Sendable () -> Void
    ) -> Int {
        add(.arrival(time: time, body: body), queue: queue)
    }

    /// Removes an observer. A call waiting on the queue is dropped, except that of an arrival observer.
    package func removeObserver(_ token: Int) {
        state.withLock { $0.observers.removeValue(forKey: token) }?.cancel()
    }

    private func add(_ kind: TimeObserver.Kind, queue: DispatchQueue) -> Int {
        let observer = TimeObserver(kind: kind, queue: queue) { [clock] in clock.now }
        let (token, line) = state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = observer
            return (state.nextObserver, state.line)
        }
        observer.begin(with: line, now: clock.now)
        return token
    }
}
