import CoreMedia
import Dispatch
import Foundation
import MediaTime
import Playback
import Synchronization
import SystemIO

/// The core of a video renderer: a queue that hands each frame to the sink when the timebase reaches the
/// frame's time.
///
/// Callable from any thread; no callback runs while the lock is held. Only the wake-up hands out frames, one
/// at a time.
final class VideoFrameQueue: Sendable {
    /// Callbacks, called on the thread of the change or by the wake-up.
    struct Events: Sendable {
        /// Runs `change` and notifies observers of status and error before and after it.
        var changeStatus: @Sendable (_ change: () -> Void) -> Void = { $0() }
        /// Failure handlers, called after the change of status.
        var didFail: [@Sendable (any Error) -> Void] = []
        /// Called when the sink shows a frame or removes the image.
        var imageDidChange: @Sendable (_ isShown: Bool) -> Void = { _ in }
    }

    private struct State {
        var frames = VideoFrames()
        var status = AVQueuedSampleBufferRenderingStatus.unknown
        var error: (any Error)?
        weak var timeline: PlaybackTimeline?
        var controlTimebase: CMTimebase?
        var sink: (any TuttiVideoFrameSink)?
        var events = Events()
        /// Completion handlers of pending removals of the image.
        var removals: [(@Sendable () -> Void)?] = []
        /// The pending wake-up is due at once.
        var isTurnDue = false
        var observed: TimebaseObservation?
    }

    /// Seconds between checks of the timebase: its source may change rate without a notification.
    static let longestSleep = 1.0

    private let state = Mutex(State())
    private let request = MediaDataRequest()
    private let wakeUp: any WakeUp
    private let hostTimebase: CMTimebase

    convenience init() {
        self.init(
            wakeUp: QueueWakeUp(on: DispatchQueue(label: "tutti.video", qos: .userInteractive)),
            clock: .hostTimeClock)
    }

    /// - Parameter clock: the clock that times frames while no other timebase is set.
    init(wakeUp: any WakeUp, clock: CMClock) {
        self.wakeUp = wakeUp
        hostTimebase = CMTimebase(drivenOn: clock)
        let now = clock.time
        hostTimebase.drive(anchorTime: now, at: HostTime(nanoseconds: now.nanoseconds ?? 0), rate: 1)
        observeTimebase()
    }

    deinit { for done in state.withLock({ $0.removals }) { done?() } }

    func setEvents(_ events: Events) { state.withLock { $0.events = events } }

    /// Adds a handler for failures of the queue.
    func addFailureHandler(_ body: @escaping @Sendable (any Error) -> Void) {
        state.withLock { $0.events.didFail.append(body) }
    }

    var status: AVQueuedSampleBufferRenderingStatus { state.withLock { $0.status } }
    var error: (any Error)? { state.withLock { $0.error } }

    var sink: (any TuttiVideoFrameSink)? {
        get { state.withLock { $0.sink } }
        set { state.withLock { $0.sink = newValue } }
    }

    // MARK: Time

    /// The synchronizer's timebase, else ``controlTimebase``, else host time.
    var timebase: CMTimebase {
        let (timeline, control) = state.withLock { ($0.timeline, $0.controlTimebase) }
        return timeline?.timebase ?? control ?? hostTimebase
    }

    /// Sets the timebase to use outside a synchronizer.
    ///
    /// - Returns: `false`, without effect, if the queue belongs to a synchronizer.
    func setControlTimebase(_ timebase: CMTimebase?) -> Bool {
        let isSet = state.withLock { state in
            guard state.timeline == nil else { return false }
            state.controlTimebase = timebase
            return true
        }
        if isSet { observeTimebase() }
        return isSet
    }

    var controlTimebase: CMTimebase? { state.withLock { $0.controlTimebase } }

    /// - Returns: `false`, without effect, if the queue belongs to another timeline.
    func attach(to timeline: PlaybackTimeline) -> Bool {
        let (isOurs, isNew) = state.withLock { state in
            guard let owner = state.timeline else {
                state.timeline = timeline
                return (true, true)
            }
            return (owner === timeline, false)
        }
        if isNew { observeTimebase() }
        return isOurs
    }

    /// Leaves the timeline and drops the queued frames, whose times refer to that timeline.
    ///
    /// - Returns: `false` if the queue did not belong to `timeline`.
    func detach(from timeline: PlaybackTimeline) -> Bool {
        let wasThere = state.withLock { state in
            guard state.timeline === timeline else { return false }
            state.timeline = nil
            state.frames.removeAll()
            return true
        }
        if wasThere { observeTimebase() }
        return wasThere
    }

    private func observeTimebase() {
        let observation = TimebaseObservation(timebase) { [weak self] in self?.turnSoon() }
        let old = state.withLock { state in
            defer { state.observed = observation }
            return state.observed
        }
        withExtendedLifetime(old) {}
        turnSoon()
    }

    // MARK: Data

    var isReadyForMoreData: Bool {
        !request.isStopping && state.withLock { $0.status != .failed && !$0.frames.isFull }
    }

    var hasSufficientData: Bool {
        let now = timebase.time
        return state.withLock { $0.frames.hasSufficient(at: now) }
    }

    func enqueue(_ buffer: CMSampleBuffer) {
        guard status != .failed else { return }
        do {
            try buffer.makeDataReady()
        } catch {
            return change(to: .failed, error: AVError(.decodeFailed, userInfo: [NSUnderlyingErrorKey: error]))
        }
        request.noteData()
        if status == .unknown { change(to: .rendering, error: nil) }
        guard let frame = VideoFrames.Frame(buffer) else { return }
        let now = timebase.time
        let isNext = state.withLock { state in
            let next = state.frames.nextTime
            state.frames.insert(frame, at: now)
            return next.map { frame.time < $0 } ?? true
        }
        if isNext { turnSoon() }
    }

    func flush() {
        let wasFailed = state.withLock { state in
            state.frames.removeAll()
            return state.status == .failed
        }
        if wasFailed { change(to: .unknown, error: nil) }
        wakeRequest()
    }

    /// Drops all frames and, after frames already being handed out, removes the image.
    func flushAndRemoveImage(completionHandler: (@Sendable () -> Void)?) {
        flush()
        state.withLock { $0.removals.append(completionHandler) }
        turnSoon()
    }

    func request(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        request.set(on: queue, block: block)
        wakeRequest()
    }

    func stopRequesting() {
        if request.stop() { state.withLock { $0.frames.isComplete = true } }
    }

    private func wakeRequest() {
        request.wake { [weak self] in self?.isReadyForMoreData ?? false }
    }

    private func change(to status: AVQueuedSampleBufferRenderingStatus, error: (any Error)?) {
        let (isChange, events) = state.withLock { ($0.status != status, $0.events) }
        guard isChange else { return }
        events.changeStatus {
            state.withLock { state in
                state.status = status
                state.error = error
            }
        }
        if let error { for body in events.didFail { body(error) } }
    }

    // MARK: Handing out frames

    /// Hands out due frames as soon as possible.
    private func turnSoon() {
        state.withLock { state in
            guard !state.isTurnDue else { return }
            state.isTurnDue = true
            wakeUp.set(after: .zero) { [weak self] in self?.turn() }
        }
    }

    private func turn() {
        let now = timebase.time
        let (removals, due, sink, events) = state.withLock { state in
            defer { (state.isTurnDue, state.removals) = (false, []) }
            return (state.removals, state.frames.takeDue(at: now), state.sink, state.events)
        }
        for done in removals {
            events.imageDidChange(false)
            sink?.removeImage()
            done?()
        }
        for frame in due.skipped { sink?.skip(frame) }
        if let frame = due.shown {
            sink?.show(frame)
            events.imageDidChange(true)
        }
        sleep()
        wakeRequest()
    }

    /// Sets the wake-up to the next frame's deadline, unless it is due at once already.
    private func sleep() {
        let timebase = timebase
        let (now, rate) = (timebase.time, timebase.effectiveRate)
        // Set with the lock held, so that it cannot replace a newer wake-up.
        state.withLock { state in
            // A timebase that stands or runs backwards makes no frame due; its next change wakes the queue.
            guard !state.isTurnDue, rate > 0, let time = state.frames.nextTime else { return }
            let seconds = min(max(0, (time - now).seconds / rate), Self.longestSleep)
            let delay = Duration.nanoseconds(Int64((seconds * 1e9).rounded(.up)))
            wakeUp.set(after: delay) { [weak self] in self?.turn() }
        }
    }
}

/// An observation of one timebase's rate changes and jumps, until deallocated.
private final class TimebaseObservation: Sendable {
    private let tokens: Mutex<[any NSObjectProtocol]>

    init(_ timebase: CMTimebase, changed: @escaping @Sendable () -> Void) {
        let names = [CMTimebase.effectiveRateChanged, CMTimebase.timeJumped]
        tokens = Mutex(
            names.map { name in
                NotificationCenter.default.addObserver(forName: name, object: timebase, queue: nil) { _ in
                    changed()
                }
            })
    }

    deinit {
        let tokens = tokens.withLock { $0 }
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }
}
