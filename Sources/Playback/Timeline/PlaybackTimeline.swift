import CoreMedia
import Dispatch
import Foundation
import MediaTime
import Synchronization
import SystemIO

/// The line everything hangs on: *presentation time t is heard at host time h, at rate r*.
///
/// Stands behind a render synchronizer. The line is set when the routes have told the instant at which
/// they can be heard, and from then on time is arithmetic: it never stalls for missing data.
public final class PlaybackTimeline: Sendable {
    /// What other types show as notifications. Called on the thread that made the change, without a lock held.
    public struct Events: Sendable {
        /// The requested rate changed.
        public var rateDidChange: @Sendable () -> Void = {}
        /// Time runs otherwise, or was set.
        var lineDidChange: @Sendable (_ isJump: Bool) -> Void = { _ in }

        public init() {}
    }

    private struct State {
        var line: Line
        var requestedRate: Float = 0
        var delaysRateChange = true
        /// Counts changes of rate and time, so that an answer of a route to an older start is dropped.
        var change = 0
        var isWaitingForData = false
        /// When that start is to be heard; `nil` for as soon as possible.
        var startHost: HostTime?
        /// Whether that start waits until there is enough data.
        var startDelays = true
        /// The rate that was asked for last and was not 0: what is queued was made for it.
        var playedRate: Float = 0
        /// At which the outputs were really started; 0 after ``forgetRate()``.
        var startedRate: Float = 0
        var queues: [RenderQueue] = []
        var observers: [Int: TimeObserver] = [:]
        var nextObserver = 0
    }

    private let state: Mutex<State>
    private let clock: any HostClock
    private let events = Mutex(Events())
    private let scheduler = DispatchQueue(label: "tutti.timeline", qos: .userInteractive)
    private let lineOrder = TellingOrder()
    private let timebaseOrder = TellingOrder()
    public let timebase: CMTimebase

    public init(clock: any HostClock = SystemClock()) {
        self.clock = clock
        state = Mutex(State(line: Line(time: .zero, host: clock.now, rate: 0)))
        timebase = CMTimebase(drivenOn: .hostTimeClock)
    }

    deinit {
        // Each queue refers to its timeline weakly, so it has none by now.
        for queue in state.withLock({ $0.queues }) { queue.lineDidChange() }
    }

    public func setEvents(_ events: Events) { self.events.withLock { $0 = events } }

    // MARK: Reading

    /// The rate last asked for, even while its start is awaited.
    public var rate: Float { state.withLock { $0.requestedRate } }

    /// At which the outputs were started last; 0 while what they have can be played at any rate.
    var startedRate: Float { state.withLock { $0.startedRate } }

    /// What is queued can be played at any rate, or there is nothing.
    func forgetRate() { state.withLock { ($0.playedRate, $0.startedRate) = (0, 0) } }

    /// The presentation time that is being heard.
    public var currentTime: CMTime {
        let now = clock.now
        return state.withLock { $0.line.time(at: now) }
    }

    var line: Line { state.withLock { $0.line } }

    /// Since when time runs as it does: the presentation time that was heard then, and the instant. `nil` while it stands
    /// or a start is to come.
    public var start: (time: CMTime, host: HostTime)? {
        let now = clock.now
        return state.withLock { state in
            let line = state.line
            return line.rate != 0 && now >= line.host ? (line.time, line.host) : nil
        }
    }

    /// Whether time runs, or stands still until the outputs can start.
    public var isRunning: Bool {
        let now = clock.now
        return state.withLock { $0.line.rate != 0 && now >= $0.line.host }
    }

    public var delaysRateChangeUntilHasSufficientMediaData: Bool {
        get { state.withLock { $0.delaysRateChange } }
        set { state.withLock { $0.delaysRateChange = newValue } }
    }

    // MARK: Queues

    public var queues: [RenderQueue] { state.withLock { $0.queues } }

    /// - Returns: `false` if the queue stands in another timeline.
    public func add(_ queue: RenderQueue) -> Bool {
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

    /// Begins where the others will be by then.
    private func join(_ queue: RenderQueue) {
        let (line, now) = (state.withLock { $0.line }, clock.now)
        let host = now.advanced(by: Self.joinLead)
        queue.route.start(at: line.time(at: host), rate: line.rate, hostTime: host) { _ in }
    }

    /// Within this a queue that joins can be heard.
    private static let joinLead = Duration.milliseconds(200)

    /// - Returns: `false` if the queue was not here.
    public func remove(_ queue: RenderQueue) -> Bool {
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
    ///   - hostTime: when `time` is to be heard; `nil` for as soon as possible.
    ///   - keepsSound: at another rate too the queues play what they have, as far as their outputs still have it.
    public func setRate(_ rate: Float, time: CMTime, hostTime: HostTime?, keepsSound: Bool = false) {
        // Before anything else: the outputs may have to be taken from somebody.
        let starting = state.withLock { $0.requestedRate == 0 && rate != 0 ? $0.queues : [] }
        for queue in starting { queue.playingChanges(to: true) }
        guard let change = changeRate(rate, time: time, hostTime: hostTime, keepsSound: keepsSound) else {
            return
        }
        publishLine(isJump: time.isNumeric)
        for queue in change.queues {
            // A jump stops first: what is heard until the new start is silence, not the old place.
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
        /// What is queued was made for another rate.
        var isOtherSpeed: Bool
        /// From playing to standing.
        var isStop: Bool
        /// From one speed to another time runs on; what is missing is silence.
        var goesOn: Bool
        /// The new time, and the one that was heard last.
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
            state.line = Line(time: position, host: start, rate: goesOn ? Double(rate) : 0)
            state.isWaitingForData = rate != 0 && !goesOn
            state.startDelays = hostTime == nil && !(wasPlaying && isOtherSpeed)
            state.startHost = hostTime
            return change
        }
    }

    /// A queue goes on at another output, with all that was queued or with nothing.
    ///
    /// Time stands until the new output can be heard, so that nothing is missed.
    func queueMoved(_ queue: RenderQueue, isWhole: Bool) {
        let now = clock.now
        let isPlaying: Bool = state.withLock { state in
            guard state.requestedRate != 0, state.queues.contains(where: { $0 === queue }) else {
                return false
            }
            state.change += 1
            state.line = Line(time: state.line.time(at: now), host: now, rate: 0)
            state.isWaitingForData = true
            (state.startDelays, state.startHost) = (isWhole, nil)
            return true
        }
        guard isPlaying else { return }
        publishLine(isJump: false)
        startIfPossible()
    }

    /// A queue has more data: a start that waited for it may happen.
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

    /// The first route says when it can be heard; the others follow it.
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

    /// Another thread may have changed the rate or the time, and have told the routes, before an older start reached
    /// them: they are told again.
    private func correct(after change: Int) {
        let newer: (line: Line, isPlaying: Bool, queues: [RenderQueue])? = state.withLock { state in
            guard state.change != change else { return nil }
            // The answer to the newer start does not come where the older one took its place.
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

    /// The timebase stands until sound is heard, and runs from then on.
    func driveTimebase(isJump: Bool = false) {
        timebaseOrder.tell(isJump: isJump) { isJump in drive(isJump: isJump) }
    }

    private func drive(isJump: Bool) {
        let line = state.withLock { $0.line }
        let isAhead = line.rate != 0 && line.host > clock.now
        timebase.drive(
            anchorTime: line.time, at: line.host, rate: isAhead ? 0 : line.rate, isJump: isJump)
        guard isAhead else { return }
        let deadline = DispatchTime(uptimeNanoseconds: UInt64(max(0, line.host.nanoseconds)))
        scheduler.asyncAfter(deadline: deadline) { [weak self] in
            guard let self, self.line == line else { return }
            self.driveTimebase()
        }
    }

    // MARK: Observers

    /// Calls `body` at each multiple of `interval`, and when time jumps, starts or stops.
    public func addPeriodicObserver(
        every interval: CMTime, queue: DispatchQueue, body: @escaping @Sendable (CMTime) -> Void
    ) -> Int {
        add(.periodic(interval: interval, body: body), queue: queue)
    }

    /// Calls `body` once for each of `times` that playback crosses.
    public func addBoundaryObserver(
        at times: [CMTime], queue: DispatchQueue, body: @escaping @Sendable () -> Void
    ) -> Int {
        add(.boundary(times: times.filter(\.isNumeric).sorted(), body: body), queue: queue)
    }

    /// Calls `body` once, when time is at `time` or beyond it, whether it ran or jumped there.
    public func addArrivalObserver(
        at time: CMTime, queue: DispatchQueue, body: @escaping @Sendable () -> Void
    ) -> Int {
        add(.arrival(time: time, body: body), queue: queue)
    }

    public func removeObserver(_ token: Int) {
        state.withLock { $0.observers.removeValue(forKey: token) }?.cancel()
    }

    private func add(_ kind: TimeObserver.Kind, queue: DispatchQueue) -> Int {
        let observer = TimeObserver(kind: kind, queue: queue, scheduler: scheduler) { [clock] in clock.now }
        let (token, line) = state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = observer
            return (state.nextObserver, state.line)
        }
        observer.begin(with: line, now: clock.now)
        return token
    }
}
