import CoreMedia
import Dispatch
import Foundation
import MediaTime
import Synchronization

/// The state behind an audio renderer: readiness, request block, status and output route.
///
/// Safe from any thread; no callback runs while the lock is held.
public final class RenderQueue: OutputRouteClient {
    /// The status that a renderer reports as `AVQueuedSampleBufferRenderingStatus`.
    public enum Status: Sendable {
        /// Before the first buffer; while buffers are accepted; after an error, until a flush.
        case unknown, rendering, failed
    }

    private struct Request {
        let id: Int
        let queue: DispatchQueue
        let block: @Sendable () -> Void
    }

    private struct State {
        var status = Status.unknown
        var error: (any Error)?
        /// Presentation time of the buffer that failed, if a buffer caused the failure.
        var failureTime: CMTime?
        var request: Request?
        var requestCount = 0
        var isScheduled = false
        /// The request block is running, so a stop may come from inside the block.
        var isRunning = false
        var wasStoppedInside = false
        var enqueuedCount = 0
        /// Flush generation; a cut of an older generation does not shorten newer ``data``.
        var flushes = 0
        /// No data is requested while the notification of an automatic flush is being posted.
        var isHeld = false
        /// Generation of automatic flushes; only the latest notification ends the hold.
        var holds = 0
        var volume: Float = 1
        var isMuted = false
        var pitch = PitchTreatment.kept
        /// End of data was signalled.
        var isComplete = false
        /// Range of presentation time that was enqueued since the last flush.
        var data: (start: CMTime, end: CMTime)?

        /// Returns whether the queue holds sound after `time`.
        func hasData(at time: CMTime) -> Bool { data.map { $0.end > time } ?? false }
    }

    private let state = Mutex(State())
    private let routeBox: Mutex<any OutputRoute>
    private let timelineBox = Mutex<WeakTimeline>(WeakTimeline())

    /// Callbacks for status changes, automatic flushes and changes of the output. Called on any thread.
    public struct Events: Sendable {
        /// Applies the given change of status and error, and notifies observers around the change.
        public var changeStatus: @Sendable (_ change: () -> Void) -> Void = { $0() }
        /// Receives the first time that was dropped; no data is requested until the second parameter is
        /// called.
        public var automaticallyFlushed: @Sendable (CMTime, @escaping @Sendable () -> Void) -> Void = { $1() }
        /// Called before another party stops the timeline, on the thread of the stop.
        var halted: @Sendable () -> Void = {}
        /// The output has changed without loss of queued sound.
        public var outputChanged: @Sendable () -> Void = {}

        /// Creates callbacks that notify no observer.
        public init() {}
    }

    private let events = Mutex(Events())
    /// Called when the queue's timeline begins to play, before the route starts, and when the timeline stops.
    private let playWatcher = Mutex<(@Sendable (RenderQueue, _ isPlaying: Bool) -> Void)?>(nil)
    /// Called after each change of the timeline's line.
    private let lineWatcher = Mutex<(@Sendable (RenderQueue) -> Void)?>(nil)

    /// The playing state that the owner has set; `nil` follows the timeline.
    private let wish = Mutex<Bool?>(nil)

    /// Back-off before the next call of a request block that enqueued nothing.
    static let idlePause = DispatchTimeInterval.milliseconds(10)

    /// Creates a queue and attaches it to `route`.
    public init(route: any OutputRoute) {
        routeBox = Mutex(route)
        route.attach(self)
    }

    deinit { _ = route.detach(at: .positiveInfinity) }

    /// The current output. A change of the output replaces it.
    public var route: any OutputRoute { routeBox.withLock { $0 } }

    /// Replaces the callbacks. Thread-safe.
    public func setEvents(_ events: Events) { self.events.withLock { $0 = events } }

    func setPlayWatcher(_ body: @escaping @Sendable (RenderQueue, _ isPlaying: Bool) -> Void) {
        playWatcher.withLock { $0 = body }
    }

    /// - Parameter body: called on the thread of the change, without a lock; calls for one timeline do not
    ///   overlap.
    func setLineWatcher(_ body: @escaping @Sendable (RenderQueue) -> Void) {
        lineWatcher.withLock { $0 = body }
    }

    /// Notifies the line watcher that the timeline's line has changed, or that the queue has left the
    /// timeline.
    func lineDidChange() { lineWatcher.withLock { $0 }?(self) }

    /// The playing state that the owner has set; without one, whether the timeline plays or waits to play.
    var isPlaying: Bool { wish.withLock { $0 } ?? timeline.map { $0.rate != 0 } ?? false }

    /// Notifies the play watcher that the timeline begins or ceases to play, unless the owner has set the
    /// state.
    func playingChanges(to isPlaying: Bool) {
        if wish.withLock({ $0 }) == nil { playWatcher.withLock { $0 }?(self, isPlaying) }
    }

    /// Sets the playing state for an item player, which also plays while its time stands still for lack of
    /// data.
    package func setPlaying(_ isPlaying: Bool) {
        let isChange = wish.withLock { wish in
            defer { wish = isPlaying }
            return (wish ?? false) != isPlaying
        }
        if isChange { playWatcher.withLock { $0 }?(self, isPlaying) }
    }

    /// Stops the timeline, because another client took the outputs or the outputs are gone; the owner must
    /// start anew.
    func halt() {
        // The owner first: it is paused before the timeline reports the stop, which is no second pause then.
        events.withLock { $0 }.halted()
        timeline?.setRate(0, time: .invalid, hostTime: nil)
    }

    // MARK: State

    /// The current status. `failed` lasts until ``flush()``.
    public var status: Status { state.withLock { $0.status } }
    /// The error behind the status `failed`, else `nil`.
    public var error: (any Error)? { state.withLock { $0.error } }
    var failureTime: CMTime? { state.withLock { $0.failureTime } }

    /// The gain of this queue, clamped to 0 ... 1; NaN counts as 1.
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

    /// Whether the gain is 0 regardless of ``volume``.
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

    /// Pitch handling at rates other than 1, for buffers enqueued after a change.
    public var pitch: PitchTreatment {
        get { state.withLock { $0.pitch } }
        set {
            state.withLock { $0.pitch = newValue }
            route.setPitch(newValue)
        }
    }

    /// Whether the caller should enqueue more; false after a failure.
    public var isReadyForMoreData: Bool {
        let open = state.withLock { $0.status != .failed && !$0.wasStoppedInside && !$0.isHeld }
        return open && route.isReadyForMoreData
    }

    /// Returns whether a start at `time` need not wait for this queue. True after a failure, because then no
    /// data comes.
    public func hasSufficientData(at time: CMTime) -> Bool {
        status == .failed || route.hasSufficientData(at: time)
    }

    /// End of the enqueued sound that is ready to be heard; `nil`: all of it is ready. The encoder may hold back
    /// a little until more comes.
    package var playableEnd: CMTime? { route.playableEnd }

    /// Minimum lead, in seconds, by which sound must be enqueued before its time to be heard.
    package var leastLead: Double { route.leastLead }

    // MARK: Data

    /// Enqueues a buffer, also if ``isReadyForMoreData`` is false. Ignores it after a failure.
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

    /// Drops all queued sound, here and in the output, and clears a failure.
    public func flush() {
        state.withLock { state in
            (state.data, state.isComplete) = (nil, false)
            state.flushes += 1
        }
        // The route first, so that no buffer queued before can fail any more.
        route.flush()
        if status == .failed { change(to: .unknown, error: nil) }
        schedule()
    }

    /// Drops sound from `time` on while playback continues; see ``OutputRoute/flush(from:done:)``. Later
    /// calls, on any thread, take effect after it.
    public func flush(from time: CMTime, done: @escaping @Sendable (Bool) -> Void) {
        guard time.isNumeric, timeline != nil else { return done(false) }
        let flushes = state.withLock { $0.flushes }
        route.flush(from: time) { [weak self] isDone in
            if isDone { self?.forgetData(from: time, unlessFlushedSince: flushes) }
            done(isDone)
            self?.schedule()
        }
    }

    /// The async form of ``flush(from:done:)``: returns whether the sound was dropped.
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

    /// Calls `block` on `queue` whenever the route can take data, until ``stopRequesting()``. Replaces an
    /// earlier block.
    public func request(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        // Released outside the lock: the old block may be the last to hold an owner whose `deinit` calls this
        // queue.
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

    /// Ends the requests and signals the end of data.
    public func stopRequesting() {
        if endRequest(isComplete: true) { route.endOfData() }
    }

    /// Ends the requests without signalling the end of data, so that the last samples wait for more.
    package func pauseRequesting() { _ = endRequest(isComplete: false) }

    /// Removes the request.
    ///
    /// - Returns: whether there was a request.
    private func endRequest(isComplete: Bool) -> Bool {
        // Released outside the lock, like in ``request(on:using:)``.
        let request = state.withLock { state in
            let request = state.request
            state.request = nil
            state.isScheduled = false
            // Readiness reads false until the block returns, or a loop on the flag alone would never end.
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

    /// The timebase of the queue's timeline; `nil` without a timeline.
    public var currentTimebase: CMTimebase? { timeline?.timebase }

    func setTimeline(_ timeline: PlaybackTimeline?) { timelineBox.withLock { $0.value = timeline } }

    // MARK: Another output

    /// Moves to another output. Re-enqueues the queued sound if the old output still has it; otherwise asks
    /// the program to enqueue it again.
    func move(to next: any OutputRoute) {
        let time = timeline?.currentTime ?? .zero
        let old = routeBox.withLock { route in
            defer { route = next }
            return route
        }
        let kept = old.detach(at: time)
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

    /// Drops sound that was packed for another rate, and reports to the program the time from which it is
    /// missing.
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

    /// - Parameter condition: evaluated with the lock held, so a later flush finds the failure and clears it.
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
