import CoreMedia
import Synchronization
import TuttiMediaTime

/// The state behind an audio renderer: readiness, request block, status and output route.
///
/// Safe from any thread; no callback runs while the lock is held. `RenderQueueState` decides, the queue
/// carries out.
package final class RenderQueue: OutputRouteClient {
    /// The status that a renderer reports as `AVQueuedSampleBufferRenderingStatus`.
    package enum Status: Sendable {
        /// Before the first buffer; while buffers are accepted; after an error, until a flush.
        case unknown, rendering, failed
    }

    /// Callbacks for status changes, automatic flushes and changes of the output. Called on any thread.
    package struct Events: Sendable {
        /// Applies the given change of status and error, and notifies observers around the change.
        package var changeStatus: @Sendable (_ change: () -> Void) -> Void = { $0() }
        /// Receives the first time that was dropped; no data is requested until the second parameter is
        /// called.
        package var automaticallyFlushed: @Sendable (CMTime, @escaping @Sendable () -> Void) -> Void = {
            $1()
        }
        /// Called before another party stops the timeline, on the thread of the stop.
        var halted: @Sendable () -> Void = {}
        /// The output has changed without loss of queued sound.
        package var outputChanged: @Sendable () -> Void = {}

        /// Creates callbacks that notify no observer.
        package init() {}
    }

    /// Callbacks of the routing that placed the queue.
    struct RoutingEvents: Sendable {
        /// Called when the queue's timeline begins to play, before the route starts, and when the timeline stops.
        var playingChanges: @Sendable (RenderQueue, _ isPlaying: Bool) -> Void = { _, _ in }
        /// Called after each change of the timeline's line, on the thread of the change, without a lock; calls for one
        /// timeline do not overlap.
        var lineDidChange: @Sendable (RenderQueue) -> Void = { _ in }
    }

    /// Everything behind the lock. Replaced objects are released outside the lock, because their `deinit` may
    /// call the queue.
    struct Guarded: Sendable {
        var state = RenderQueueState()
        var route: any OutputRoute
        var calls = RouteCalls()
        weak var timeline: PlaybackTimeline?
        var events = Events()
        var routingEvents = RoutingEvents()
        /// The playing state that the owner has set; `nil` follows the timeline.
        var wish: Bool?
    }

    let guarded: Mutex<Guarded>
    /// Whether the sound comes in real time, so that its route packs and sends it at once.
    let isLive: Bool

    /// Creates a queue and attaches it to `route`.
    package convenience init(route: any OutputRoute) { self.init(route: route, isLive: false) }

    init(route: any OutputRoute, isLive: Bool) {
        self.isLive = isLive
        guarded = Mutex(Guarded(route: route))
        route.attach(self)
    }

    deinit { _ = route.detach(at: .positiveInfinity) }

    /// The current output. A change of the output replaces it.
    package var route: any OutputRoute { guarded.withLock { $0.route } }

    private var events: Events { guarded.withLock { $0.events } }

    /// Replaces the callbacks. Thread-safe.
    package func setEvents(_ events: Events) {
        _ = guarded.withLock { guarded in
            defer { guarded.events = events }
            return guarded.events
        }
    }

    // MARK: Playing

    /// Replaces the callbacks of the routing. Thread-safe.
    func setRoutingEvents(_ events: RoutingEvents) {
        _ = guarded.withLock { guarded in
            defer { guarded.routingEvents = events }
            return guarded.routingEvents
        }
    }

    /// Notifies the routing that the timeline's line has changed, or that the queue has left the timeline.
    func lineDidChange() { guarded.withLock { $0.routingEvents.lineDidChange }(self) }

    /// The playing state that the owner has set; without one, whether the timeline plays or waits to play.
    var isPlaying: Bool { guarded.withLock { $0.wish } ?? timeline.map { $0.rate != 0 } ?? false }

    /// Notifies the routing that the timeline begins or ceases to play, unless the owner has set the state.
    func playingChanges(to isPlaying: Bool) {
        guarded.withLock { $0.wish == nil ? $0.routingEvents.playingChanges : nil }?(self, isPlaying)
    }

    /// Sets the playing state for an item player, which also plays while its time stands still for lack of
    /// data.
    package func setPlaying(_ isPlaying: Bool) {
        let playingChanges = guarded.withLock { guarded in
            defer { guarded.wish = isPlaying }
            return (guarded.wish ?? false) != isPlaying ? guarded.routingEvents.playingChanges : nil
        }
        playingChanges?(self, isPlaying)
    }

    /// Stops the timeline, because another client took the outputs or the outputs are gone; the owner must
    /// start again.
    func halt() {
        // The owner first: it is paused before the timeline reports the stop, which is no second pause then.
        events.halted()
        timeline?.setRate(0, time: .invalid, hostTime: nil)
    }

    /// Stops the timeline at the sound that was heard last, and asks for the later sound again: it was sent to outputs
    /// that nobody heard. Live sound, which cannot be given again, only stops.
    ///
    /// - Parameter host: Host time since which nothing is heard.
    func halt(silentSince host: HostTime) {
        guard !isLive, let timeline, timeline.line.rate != 0 else { return halt() }
        let place = timeline.line.time(at: host)
        // The time first: the owner then shows the place of the stop.
        timeline.setRate(0, time: place, hostTime: nil)
        events.halted()
        for queue in timeline.queues { queue.flushAutomatically(from: place) }
    }

    // MARK: State

    private var state: RenderQueueState { guarded.withLock { $0.state } }

    /// The current status. `failed` lasts until ``flush()``.
    package var status: Status { state.sound.status }
    /// The error behind the status `failed`, else `nil`.
    package var error: (any Error)? { if case .failed(let error, _) = state.sound { error } else { nil } }
    var failureTime: CMTime? { if case .failed(_, let time) = state.sound { time } else { nil } }

    /// The gain of this queue, clamped to 0 ... 1; NaN counts as 1.
    package var volume: Float {
        get { state.volume }
        set { setGain { $0.setVolume(newValue) } }
    }

    /// Whether the gain is 0 regardless of ``volume``.
    package var isMuted: Bool {
        get { state.isMuted }
        set { setGain { $0.isMuted = newValue } }
    }

    private func setGain(_ change: (inout RenderQueueState) -> Void) {
        let gain = guarded.withLock { guarded in
            change(&guarded.state)
            return guarded.state.gain
        }
        call(.gain(gain))
    }

    /// Pitch handling at rates other than 1, for buffers enqueued after a change.
    package var pitch: PitchTreatment {
        get { state.pitch }
        set {
            guarded.withLock { $0.state.pitch = newValue }
            call(.pitch(newValue))
        }
    }

    /// Whether the caller should enqueue more; false after a failure.
    package var isReadyForMoreData: Bool {
        let (isOpen, route) = guarded.withLock { ($0.state.isOpen, $0.route) }
        return isOpen && route.isReadyForMoreData
    }

    /// Returns whether a start at `time` need not wait for this queue. True after a failure, because then no
    /// data comes.
    package func hasSufficientData(at time: CMTime) -> Bool {
        status == .failed || route.hasSufficientData(at: time)
    }

    /// End of the enqueued sound that is ready to be heard; `nil`: all of it is ready. The encoder may hold back
    /// a little until more comes.
    package var playableEnd: CMTime? { route.playableEnd }

    /// Minimum lead, in seconds, by which sound must be enqueued before its time to be heard.
    package var leastLead: Double { route.leastLead }

    // MARK: Data

    /// Enqueues a buffer, also if ``isReadyForMoreData`` is false. Ignores it after a failure.
    package func enqueue(_ buffer: CMSampleBuffer) {
        let start = buffer.outputPresentationTimeStamp
        let end = start + buffer.outputDuration
        switch guarded.withLock({ $0.state.enqueue(from: start, to: end) }) {
        case .refused: return
        case .first: changeStatus { $0.beginRendering() }
        case .accepted: break
        }
        call(.enqueue(buffer))
    }

    /// Drops all queued sound, here and in the output, and clears a failure.
    package func flush() {
        guarded.withLock { $0.state.flush() }
        // The route first, so that no buffer queued before can fail any more.
        call(.flush)
        changeStatus { $0.recover() }
        schedule()
    }

    /// Drops sound from `time` on while playback continues; see ``OutputRoute/flush(from:done:)``. Later
    /// calls, on any thread, take effect after it.
    package func flush(from time: CMTime, done: @escaping @Sendable (Bool) -> Void) {
        guard time.isNumeric, timeline != nil else { return done(false) }
        let flushes = state.flushes
        call(
            .flushFrom(time) { [weak self] isDone in
                if isDone { self?.guarded.withLock { $0.state.cut(from: time, askedIn: flushes) } }
                done(isDone)
                self?.schedule()
            })
    }

    /// The async form of ``flush(from:done:)``: returns whether the sound was dropped.
    package func flush(from time: CMTime) async -> Bool {
        await withCheckedContinuation { continuation in
            flush(from: time) { continuation.resume(returning: $0) }
        }
    }

    // MARK: Timeline

    var timeline: PlaybackTimeline? { guarded.withLock { $0.timeline } }

    /// The timebase of the queue's timeline; `nil` without a timeline.
    package var currentTimebase: CMTimebase? { timeline?.timebase }

    func setTimeline(_ timeline: PlaybackTimeline?) { guarded.withLock { $0.timeline = timeline } }

    // MARK: Another output

    /// Moves to another output. Re-enqueues the queued sound if the old output still has it; otherwise asks
    /// the program to enqueue it again.
    func move(to next: any OutputRoute) {
        let time = timeline?.currentTime ?? .zero
        let old = guarded.withLock { guarded in
            defer { guarded.route = next }
            guarded.calls.beginMove()
            return guarded.route
        }
        let kept = old.detach(at: time)
        let (state, hasData) = guarded.withLock { guarded in
            let hasData = guarded.state.leave(at: time, isWhole: kept != nil)
            if kept == nil, hasData { guarded.calls.lose() }
            return (guarded.state, hasData)
        }
        next.attach(self)
        next.setGain(state.gain)
        next.setPitch(state.pitch)
        for buffer in kept ?? [] { next.enqueue(buffer) }
        if kept != nil, state.isComplete { next.endOfData() }
        makeWaitingCalls()
        timeline?.queueMoved(self, isWhole: kept != nil)
        if kept == nil, hasData {
            routeDidFlush(from: time)
        } else {
            guarded.withLock { $0.state.arrive() }
            events.outputChanged()
        }
        schedule()
    }

    /// Calls the route; while the queue moves, as soon as the new route has the sound of the old one.
    func call(_ call: RouteCall) {
        var tried: (any OutputRoute)?
        while true {
            let route = guarded.withLock { guarded -> (any OutputRoute)? in
                guard guarded.calls.isMoving else { return guarded.route }
                guarded.calls.wait(call)
                return nil
            }
            // A route that refuses was left since, and the next one needs the call.
            guard let route, route !== tried, !call.make(on: route) else { return }
            tried = route
        }
    }

    private func makeWaitingCalls() {
        while let (calls, route) = guarded.withLock({ guarded in
            guarded.calls.next().map { ($0, guarded.route) }
        }) {
            for call in calls { _ = call.make(on: route) }
        }
    }

    /// Drops sound that was packed for another rate, and reports to the program the time from which it is
    /// missing.
    func flushAutomatically(from time: CMTime) {
        guard guarded.withLock({ $0.state.lose(from: time) }) else { return }
        call(.flush)
        routeDidFlush(from: time)
    }

    // MARK: OutputRouteClient

    package func routeMayTakeMore() { schedule() }

    package func routeGainedData() { timeline?.queueGainedData() }

    package func routeDidFlush(from time: CMTime) {
        let hold = guarded.withLock { $0.state.hold() }
        events.automaticallyFlushed(time) { [weak self] in
            self?.guarded.withLock { $0.state.release(hold) }
            self?.schedule()
        }
    }

    package func routeDidFail(
        _ error: any Error, at time: CMTime?, isCurrent: @escaping @Sendable () -> Bool
    ) { changeStatus(if: isCurrent) { $0.fail(error, at: time) } }

    /// Makes a transition of the status, if it is a change, with observers notified around it.
    ///
    /// - Parameter condition: Evaluated with the lock held, so a later flush finds the failure and clears it.
    private func changeStatus(
        if condition: () -> Bool = { true }, _ transition: (inout RenderQueueState) -> Bool
    ) {
        var trial = state
        guard transition(&trial), condition() else { return }
        events.changeStatus { guarded.withLock { if condition() { _ = transition(&$0.state) } } }
    }
}
