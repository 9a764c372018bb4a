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
        var request: Request?
        var requestCount = 0
        var isScheduled = false
        /// Identity of the thread inside the block, to tell a stop from inside.
        var isRunning = false
        var wasStoppedInside = false
        var enqueuedCount = 0
        var flushPending = 0
        var pendingFlush: (id: Int, isCancelled: Bool)?
        /// Held back while the notification of an automatic flush is being posted.
        var isHeld = false
        var volume: Float = 1
        var isMuted = false
        var pitch = PitchTreatment.kept
        /// Nothing more will come, as far as was said.
        var isComplete = false
        /// Something was enqueued since the last flush.
        var hasData = false
    }

    private let state = Mutex(State())
    private let routeBox: Mutex<any OutputRoute>
    private let timelineBox = Mutex<WeakTimeline>(WeakTimeline())

    /// Told of status changes, of data, and of automatic flushes.
    public struct Events: Sendable {
        /// Runs the change of status and error that it is given, and tells observers around it.
        public var changeStatus: @Sendable (_ change: () -> Void) -> Void = { $0() }
        public var automaticallyFlushed: @Sendable (CMTime) -> Void = { _ in }
        /// Sound goes to another output, and nothing queued was lost.
        public var outputChanged: @Sendable () -> Void = {}

        public init() {}
    }

    private let events = Mutex(Events())

    /// How long a request block that brings nothing is left alone before it is asked again.
    static let idlePause = DispatchTimeInterval.milliseconds(10)

    public init(route: any OutputRoute) {
        routeBox = Mutex(route)
        route.attach(self)
    }

    deinit { _ = route.giveUp(at: .positiveInfinity) }

    public var route: any OutputRoute { routeBox.withLock { $0 } }

    public func setEvents(_ events: Events) { self.events.withLock { $0 = events } }

    // MARK: State

    public var status: Status { state.withLock { $0.status } }
    public var error: (any Error)? { state.withLock { $0.error } }

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

    // MARK: Data

    public func enqueue(_ buffer: CMSampleBuffer) {
        let (isAccepted, isFirst) = state.withLock { state in
            guard state.status != .failed else { return (false, false) }
            state.enqueuedCount += 1
            (state.hasData, state.isComplete) = (true, false)
            return (true, state.status == .unknown)
        }
        guard isAccepted else { return }
        if isFirst { change(to: .rendering, error: nil) }
        route.enqueue(buffer)
    }

    public func flush() {
        let wasFailed = state.withLock { state in
            state.pendingFlush?.isCancelled = true
            (state.hasData, state.isComplete) = (false, false)
            return state.status == .failed
        }
        if wasFailed { change(to: .unknown, error: nil) }
        route.flush()
        schedule()
    }

    /// See ``OutputRoute/flush(from:)``. A later call, or a plain ``flush()``, makes an unfinished one false.
    public func flush(from time: CMTime) async -> Bool {
        guard time.isNumeric, timeline != nil else { return false }
        let id = state.withLock { state in
            state.pendingFlush?.isCancelled = true
            state.flushPending += 1
            state.pendingFlush = (state.flushPending, false)
            return state.flushPending
        }
        let done = await route.flush(from: time)
        let wasCancelled = state.withLock { state in
            guard let pending = state.pendingFlush, pending.id == id else { return !done }
            state.pendingFlush = nil
            return pending.isCancelled && !done
        }
        schedule()
        return done && !wasCancelled
    }

    // MARK: Requests

    public func request(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.requestCount += 1
            state.request = Request(id: state.requestCount, queue: queue, block: block)
            state.isScheduled = false
            state.wasStoppedInside = false
        }
        schedule()
    }

    public func stopRequesting() {
        let hadRequest = state.withLock { state in
            let had = state.request != nil
            state.request = nil
            state.isScheduled = false
            // Until the block returns the flag reads false, or a loop on the flag alone would never end.
            if state.isRunning { state.wasStoppedInside = true }
            if had { state.isComplete = true }
            return had
        }
        if hadRequest { route.endOfData() }
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
            let hasData = state.hasData
            if kept == nil { (state.hasData, state.isHeld) = (false, true) }
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
            defer { (state.hasData, state.isHeld) = (false, state.hasData) }
            return state.hasData
        }
        guard hadData else { return }
        route.flush()
        routeDidFlush(from: time)
    }

    // MARK: OutputRouteClient

    public func routeMayTakeMore() { schedule() }

    public func routeGainedData() { timeline?.queueGainedData() }

    public func routeDidFlush(from time: CMTime) {
        state.withLock { $0.isHeld = true }
        events.withLock { $0 }.automaticallyFlushed(time)
        state.withLock { $0.isHeld = false }
        schedule()
    }

    public func routeDidFail(_ error: any Error) { change(to: .failed, error: error) }

    private func change(to status: Status, error: (any Error)?) {
        let events = events.withLock { $0 }
        let isChange = state.withLock { $0.status != status }
        guard isChange else { return }
        events.changeStatus {
            state.withLock { state in
                state.status = status
                state.error = error
            }
        }
    }
}
