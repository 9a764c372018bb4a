import CoreMedia
import Dispatch
import Foundation
import MediaTime
import Synchronization

/// What stands behind an audio renderer: readiness, the request block, status, and the way to the route.
///
/// Safe from any thread; no callback runs while the lock is held.
public final class RenderQueue: OutputRouteClient {
    public enum Status: Sendable { case unknown, rendering, failed }

    private struct Request {
        let id: Int
        let queue: DispatchQueue
        let block: @Sendable () -> Void
    }

    private struct State {
        var status = Status.unknown
        var error: (any Error)?
        /// Of the buffer that could not be rendered, where it was one.
        var failureTime: CMTime?
        var request: Request?
        var requestCount = 0
        var isScheduled = false
        /// Identity of the thread inside the block, to tell a stop from inside.
        var isRunning = false
        var wasStoppedInside = false
        var enqueuedCount = 0
        /// Counts calls that drop everything, so that an older cut does not shorten newer ``data``.
        var flushes = 0
        /// Held back while the notification of an automatic flush is being posted.
        var isHeld = false
        /// Counts automatic flushes: the latest notification ends the hold.
        var holds = 0
        var volume: Float = 1
        var isMuted = false
        var pitch = PitchTreatment.kept
        /// Nothing more will come, as far as was said.
        var isComplete = false
        /// From and up to which time something was enqueued since the last flush.
        var data: (start: CMTime, end: CMTime)?

        /// Something is queued that has not been heard at `time`.
        func hasData(at time: CMTime) -> Bool { data.map { $0.end > time } ?? false }
    }

    private let state = Mutex(State())
    private let routeBox: Mutex<any OutputRoute>
    private let timelineBox = Mutex<WeakTimeline>(WeakTimeline())

    /// Told of status changes, of data, and of automatic flushes.
    public struct Events: Sendable {
        /// Runs the change of status and error that it is given, and tells observers around it.
        public var changeStatus: @Sendable (_ change: () -> Void) -> Void = { $0() }
        /// Nothing is asked for until the second parameter was called.
        public var automaticallyFlushed: @Sendable (CMTime, @escaping @Sendable () -> Void) -> Void = { $1() }
        /// Somebody else is about to stop the timeline; on the thread of that.
        var halted: @Sendable () -> Void = {}
        /// Sound goes to another output, and nothing queued was lost.
        public var outputChanged: @Sendable () -> Void = {}

        public init() {}
    }

    private let events = Mutex(Events())
    /// Told when the queue's timeline begins to play, before its route is asked to, and when it stops.
    private let playWatcher = Mutex<(@Sendable (RenderQueue, _ isPlaying: Bool) -> Void)?>(nil)
    /// Told after each change of the line that the queue plays along.
    private let lineWatcher = Mutex<(@Sendable (RenderQueue) -> Void)?>(nil)

    private let wish = Mutex<Bool?>(nil)

    /// How long a request block that brings nothing is left alone before it is asked again.
    static let idlePause = DispatchTimeInterval.milliseconds(10)

    public init(route: any OutputRoute) {
        routeBox = Mutex(route)
        route.attach(self)
    }

    deinit { _ = route.giveUp(at: .positiveInfinity) }

    public var route: any OutputRoute { routeBox.withLock { $0 } }

    public func setEvents(_ events: Events) { self.events.withLock { $0 = events } }

    func setPlayWatcher(_ body: @escaping @Sendable (RenderQueue, _ isPlaying: Bool) -> Void) {
        playWatcher.withLock { $0 = body }
    }

    /// - Parameter body: called on the thread that made the change, without a lock held; one call at a time for one
    ///   timeline.
    func setLineWatcher(_ body: @escaping @Sendable (RenderQueue) -> Void) {
        lineWatcher.withLock { $0 = body }
    }

    /// The timeline runs along another line, or the queue has left it.
    func lineDidChange() { lineWatcher.withLock { $0 }?(self) }

    /// As its owner says it, else its timeline plays or waits to.
    var isPlaying: Bool { wish.withLock { $0 } ?? timeline.map { $0.rate != 0 } ?? false }

    /// The timeline plays from now on, or no more.
    func playingChanges(to isPlaying: Bool) {
        if wish.withLock({ $0 }) == nil { playWatcher.withLock { $0 }?(self, isPlaying) }
    }

    /// For a player of items: it plays also while time stands for want of sound.
    package func setPlaying(_ isPlaying: Bool) {
        let isChange = wish.withLock { wish in
            defer { wish = isPlaying }
            return (wish ?? false) != isPlaying
        }
        if isChange { playWatcher.withLock { $0 }?(self, isPlaying) }
    }

    /// Somebody else took the outputs, or they are gone: it stands until it is told to play again.
    func halt() {
        // The owner first: it is paused by the time that the timeline tells of its stop, which is no second pause then.
        events.withLock { $0 }.halted()
        timeline?.setRate(0, time: .invalid, hostTime: nil)
    }

    // MARK: State

    public var status: Status { state.withLock { $0.status } }
    public var error: (any Error)? { state.withLock { $0.error } }
    var failureTime: CMTime? { state.withLock { $0.failureTime } }

    public var volume: Float {
        get { state.withLock { $0.volume } }
        set {
            let gain = state.withLock { state in
                state.volume = min(1, max(0, newValue.isNaN ? 1 : newValue))
                return state.isMuted ? 0 : state.volume
            }
            route.setGain(gain)
        }
    }

    public var isMuted: Bool {
        get { state.withLock { $0.isMuted } }
        set {
            let gain = state.withLock { state in
                state.isMuted = newValue
                return newValue ? 0 : state.volume
            }
            route.setGain(gain)
        }
    }

    /// How the pitch is treated at rates other than 1; for buffers enqueued from now on.
    public var pitch: PitchTreatment {
        get { state.withLock { $0.pitch } }
        set {
            state.withLock { $0.pitch = newValue }
            route.setPitch(newValue)
        }
    }

    public var isReadyForMoreData: Bool {
        let open = state.withLock { $0.status != .failed && !$0.wasStoppedInside && !$0.isHeld }
        return open && route.isReadyForMoreData
    }

    /// Whether a start from `time` on need not wait for this queue: one that failed gets no more data.
    public func hasSufficientData(at time: CMTime) -> Bool {
        status == .failed || route.hasSufficientData(at: time)
    }

    /// Up to where what was enqueued can be heard by now: a little of it may wait for what follows. `nil`: all of it.
    package var playableEnd: CMTime? { route.playableEnd }

    /// Seconds before its time that sound must be enqueued to be heard.
    package var leastLead: Double { route.leastLead }

    // MARK: Data

    public func enqueue(_ buffer: CMSampleBuffer) {
        let start = buffer.outputPresentationTimeStamp
        let end = start + buffer.outputDuration
        let (isAccepted, isFirst) = state.withLock { state in
            guard state.status != .failed else { return (false, false) }
            state.enqueuedCount += 1
            state.isComplete = false
            if start.isNumeric, end.isNumeric {
                let data = state.data ?? (start, end)
                state.data = (CMTimeMinimum(data.start, start), CMTimeMaximum(data.end, end))
            }
            return (true, state.status == .unknown)
        }
        guard isAccepted else { return }
        if isFirst { change(to: .rendering, error: nil) }
        route.enqueue(buffer)
    }

    public func flush() {
        state.withLock { state in
            (state.data, state.isComplete) = (nil, false)
            state.flushes += 1
        }
        // First: from now on nothing that was queued before can fail.
        route.flush()
        if status == .failed { change(to: .unknown, error: nil) }
        schedule()
    }

    /// See ``OutputRoute/flush(from:done:)``. What is called after it comes after it, on the same thread or another.
    public func flush(from time: CMTime, done: @escaping @Sendable (Bool) -> Void) {
        guard time.isNumeric, timeline != nil else { return done(false) }
        let flushes = state.withLock { $0.flushes }
        route.flush(from: time) { [weak self] isDone in
            if isDone { self?.forgetData(from: time, unlessFlushedSince: flushes) }
            done(isDone)
            self?.schedule()
        }
    }

    public func flush(from time: CMTime) async -> Bool {
        await withCheckedContinuation { continuation in
            flush(from: time) { continuation.resume(returning: $0) }
        }
    }

    private func forgetData(from time: CMTime, unlessFlushedSince flushes: Int) {
        state.withLock { state in
            guard state.flushes == flushes, let data = state.data else { return }
            state.data = time > data.start ? (data.start, CMTimeMinimum(data.end, time)) : nil
        }
    }

    // MARK: Requests

    public func request(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        // The old block may be the last to hold an owner whose `deinit` calls us: it goes without the lock.
        let old = state.withLock { state in
            let old = state.request
            state.requestCount += 1
            state.request = Request(id: state.requestCount, queue: queue, block: block)
            state.isScheduled = false
            state.wasStoppedInside = false
            return old
        }
        withExtendedLifetime(old) { schedule() }
    }

    public func stopRequesting() {
        if endRequest(isComplete: true) { route.endOfData() }
    }

    /// As ``stopRequesting()``, but more will come: the last samples wait for those that follow.
    package func pauseRequesting() { _ = endRequest(isComplete: false) }

    /// - Returns: whether there was a request.
    private func endRequest(isComplete: Bool) -> Bool {
        // As in ``request(on:using:)``, the block goes without the lock.
        let request = state.withLock { state in
            let request = state.request
            state.request = nil
            state.isScheduled = false
            // Until the block returns the flag reads false, or a loop on the flag alone would never end.
            if state.isRunning { state.wasStoppedInside = true }
            if request != nil, isComplete { state.isComplete = true }
            return request
        }
        return request != nil
    }

    private func schedule(after pause: DispatchTimeInterval? = nil) {
        guard isReadyForMoreData else { return }
        let request: Request? = state.withLock { state in
            guard let request = state.request, !state.isScheduled, !state.isRunning else { return nil }
            state.isScheduled = true
            return request
        }
        guard let request else { return }
        let run: @Sendable () -> Void = { [weak self] in self?.run(request) }
        if let pause {
            request.queue.asyncAfter(deadline: .now() + pause, execute: run)
        } else {
            request.queue.async(execute: run)
        }
    }

    private func run(_ request: Request) {
        let before: Int? = state.withLock { state in
            guard state.request?.id == request.id else { return nil }
            state.isScheduled = false
            guard !state.isRunning else { return nil }
            state.isRunning = true
            return state.enqueuedCount
        }
        guard let before else { return }
        if isReadyForMoreData { request.block() }
        let broughtNothing = state.withLock { state in
            state.isRunning = false
            state.wasStoppedInside = false
            return state.enqueuedCount == before
        }
        schedule(after: broughtNothing ? Self.idlePause : nil)
    }

    // MARK: Timeline

    private struct WeakTimeline { weak var value: PlaybackTimeline? }

    var timeline: PlaybackTimeline? { timelineBox.withLock { $0.value } }

    /// The timebase of the timeline that the queue stands in.
    public var currentTimebase: CMTimebase? { timeline?.timebase }

    func setTimeline(_ timeline: PlaybackTimeline?) { timelineBox.withLock { $0.value = timeline } }

    // MARK: Another output

    /// Goes on at another output: with what is queued, if the old one still has it, else the program is told to
    /// bring it again.
    func move(to next: any OutputRoute) {
        let time = timeline?.currentTime ?? .zero
        let old = routeBox.withLock { route in
            defer { route = next }
            return route
        }
        let kept = old.giveUp(at: time)
        let (gain, pitch, hasData, isComplete) = state.withLock { state in
            let hasData = state.hasData(at: time)
            if kept == nil { (state.data, state.isHeld) = (nil, true) }
            return (state.isMuted ? 0 : state.volume, state.pitch, hasData, state.isComplete)
        }
        next.attach(self)
        next.setGain(gain)
        next.setPitch(pitch)
        for buffer in kept ?? [] { next.enqueue(buffer) }
        if kept != nil, isComplete { next.endOfData() }
        timeline?.queueMoved(self, isWhole: kept != nil)
        if kept == nil, hasData {
            routeDidFlush(from: time)
        } else {
            state.withLock { $0.isHeld = false }
            events.withLock { $0 }.outputChanged()
        }
        schedule()
    }

    /// Drops what is queued, because it was made for another rate, and tells the program from which time on it is
    /// missed.
    func flushAutomatically(from time: CMTime) {
        let hadData = state.withLock { state in
            let hasData = state.hasData(at: time)
            (state.data, state.isHeld) = (nil, hasData)
            return hasData
        }
        guard hadData else { return }
        route.flush()
        routeDidFlush(from: time)
    }

    // MARK: OutputRouteClient

    public func routeMayTakeMore() { schedule() }

    public func routeGainedData() { timeline?.queueGainedData() }

    public func routeDidFlush(from time: CMTime) {
        let hold = state.withLock { state in
            (state.isHeld, state.holds) = (true, state.holds + 1)
            return state.holds
        }
        events.withLock { $0 }.automaticallyFlushed(time) { [weak self] in
            self?.state.withLock { if $0.holds == hold { $0.isHeld = false } }
            self?.schedule()
        }
    }

    public func routeDidFail(
        _ error: any Error, at time: CMTime?, isCurrent: @escaping @Sendable () -> Bool
    ) { change(to: .failed, error: error, at: time, if: isCurrent) }

    /// - Parameter condition: asked with the lock held: a flush that comes later finds the failure and takes it back.
    private func change(
        to status: Status, error: (any Error)?, at time: CMTime? = nil, if condition: () -> Bool = { true }
    ) {
        let events = events.withLock { $0 }
        guard state.withLock({ $0.status != status }), condition() else { return }
        events.changeStatus {
            state.withLock { state in
                guard condition() else { return }
                (state.status, state.error, state.failureTime) = (status, error, time)
            }
        }
    }
}
