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

        public init() {}
    }

    struct Line: Equatable {
        var time: CMTime
        var host: HostTime
        /// 0 while paused or while a start is awaited.
        var rate: Double

        func time(at now: HostTime) -> CMTime {
            guard rate != 0, now > host else { return time }
            let (passed, overflow) = now.nanoseconds.subtractingReportingOverflow(host.nanoseconds)
            let elapsed = Double(overflow ? .max : passed) * rate
            // What does not fit is centuries away.
            let nanoseconds = Int64(exactly: elapsed.rounded(.towardZero)) ?? .max
            return time + CMTime(value: nanoseconds, timescale: 1_000_000_000)
        }

        /// When `wanted` is heard; `nil` while time stands still or for a time already past the anchor's start.
        func host(of wanted: CMTime) -> HostTime? {
            guard rate > 0 else { return nil }
            let seconds = (wanted - time).seconds / rate
            guard seconds.isFinite, abs(seconds) < 1e9 else { return nil }
            let (sum, overflow) = host.nanoseconds.addingReportingOverflow(
                Int64((seconds * 1e9).rounded(.up)))
            return overflow ? nil : HostTime(nanoseconds: sum)
        }
    }

    private struct State {
        var line: Line
        var requestedRate: Float = 0
        var delaysRateChange = true
        /// Counts changes of rate and time, so that an answer of a route to an older start is dropped.
        var change = 0
        var isWaitingForData = false
        var queues: [RenderQueue] = []
        var observers: [Int: TimeObserver] = [:]
        var nextObserver = 0
    }

    private let state: Mutex<State>
    private let clock: any HostClock
    private let events = Mutex(Events())
    private let scheduler = DispatchQueue(label: "tutti.timeline", qos: .userInteractive)
    public let timebase: CMTimebase

    public init(clock: any HostClock = SystemClock()) {
        self.clock = clock
        state = Mutex(State(line: Line(time: .zero, host: clock.now, rate: 0)))
        timebase = CMTimebase(drivenOn: .hostTimeClock)
    }

    public func setEvents(_ events: Events) { self.events.withLock { $0 = events } }

    // MARK: Reading

    /// The rate last asked for, even while its start is awaited.
    public var rate: Float { state.withLock { $0.requestedRate } }

    /// The presentation time that is being heard.
    public var currentTime: CMTime {
        let now = clock.now
        return state.withLock { $0.line.time(at: now) }
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
        if isRunning { queue.route.start(at: currentTime, hostTime: nil) { _ in } }
        return true
    }

    /// - Returns: `false` if the queue was not here.
    public func remove(_ queue: RenderQueue) -> Bool {
        let isHere = state.withLock { state in
            guard let position = state.queues.firstIndex(where: { $0 === queue }) else { return false }
            state.queues.remove(at: position)
            return true
        }
        guard isHere else { return false }
        queue.setTimeline(nil)
        queue.route.stop(at: currentTime)
        queue.flush()
        // A start may have waited for this queue alone.
        startIfPossible(hostTime: nil)
        return true
    }

    // MARK: Rate

    /// Sets the time, if `time` is numeric, then the rate.
    ///
    /// - Parameter hostTime: when `time` is to be heard; `nil` for as soon as possible.
    public func setRate(_ rate: Float, time: CMTime, hostTime: HostTime?) {
        let now = clock.now
        let (isChange, isJump, queues, position) = state.withLock { state in
            let position = time.isNumeric ? time : state.line.time(at: now)
            let isChange = state.requestedRate != rate
            if rate != 0, !isChange, !time.isNumeric, hostTime == nil {
                return (false, false, [RenderQueue](), position)
            }
            let isJump = time.isNumeric && state.requestedRate != 0
            state.change += 1
            state.requestedRate = rate
            state.line = Line(time: position, host: now, rate: 0)
            state.isWaitingForData = rate != 0
            return (isChange, isJump, state.queues, position)
        }
        publishLine(isJump: time.isNumeric)
        // A jump stops first: what is heard until the new start is silence, not the old place.
        for queue in queues where rate == 0 || isJump { queue.route.stop(at: position) }
        if isChange { events.withLock { $0 }.rateDidChange() }
        if rate != 0 { startIfPossible(hostTime: hostTime) }
    }

    /// A queue has more data: a start that waited for it may happen.
    func queueGainedData() { startIfPossible(hostTime: nil) }

    private func startIfPossible(hostTime: HostTime?) {
        let waiting: (change: Int, position: CMTime, queues: [RenderQueue], delays: Bool)? = state.withLock {
            state in
            guard state.isWaitingForData else { return nil }
            return (state.change, state.line.time, state.queues, state.delaysRateChange && hostTime == nil)
        }
        guard let waiting else { return }
        if waiting.delays, waiting.queues.contains(where: { !$0.hasSufficientData(at: waiting.position) }) {
            return
        }
        let isMine = state.withLock { state in
            guard state.isWaitingForData, state.change == waiting.change else { return false }
            state.isWaitingForData = false
            return true
        }
        guard isMine else { return }
        start(waiting.queues, at: waiting.position, hostTime: hostTime, change: waiting.change)
    }

    /// The first route says when it can be heard; the others follow it.
    private func start(_ queues: [RenderQueue], at position: CMTime, hostTime: HostTime?, change: Int) {
        guard let first = queues.first else { return started(change: change, host: hostTime ?? clock.now) }
        let others = queues.dropFirst()
        first.route.start(at: position, hostTime: hostTime) { [weak self] host in
            for queue in others { queue.route.start(at: position, hostTime: host) { _ in } }
            self?.started(change: change, host: host)
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
        let line = state.withLock { $0.line }
        timebase.drive(anchorTime: line.time, at: line.host, rate: line.rate, isJump: isJump)
        let observers = state.withLock { Array($0.observers.values) }
        for observer in observers { observer.lineDidChange(line, now: clock.now) }
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
        observer.lineDidChange(line, now: clock.now)
        return token
    }
}
