import CoreMedia
import Dispatch
import Foundation
import MediaTime
import Playback
import Synchronization

/// What stands behind a video renderer: frames in, each handed to the sink when the timebase shows its time.
///
/// Safe from any thread; no callback runs while the lock is held. Frames are handed out by the alarm alone,
/// so they come one at a time.
final class VideoFrameQueue: Sendable {
    /// Called on the thread of the change, or by the alarm.
    struct Events: Sendable {
        /// Runs the change it is given, and tells observers of status and error around it.
        var changeStatus: @Sendable (_ change: () -> Void) -> Void = { $0() }
        /// The queue failed; called after the change of status.
        var didFail: [@Sendable (any Error) -> Void] = []
        /// Whether there is a picture now.
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
        /// Counts what makes an older wake-up void.
        var round = 0
        var observed: TimebaseObservation?
    }

    /// A timebase may hang on another that changes its rate without our being told: look again after this.
    static let longestSleep = 1.0

    private let state = Mutex(State())
    private let request = MediaDataRequest()
    private let alarm: any FrameAlarm
    private let hostTimebase: CMTimebase

    /// - Parameter clock: what frames are timed by while nothing else is set.
    init(alarm: any FrameAlarm = DispatchFrameAlarm(), clock: CMClock = .hostTimeClock) {
        self.alarm = alarm
        hostTimebase = CMTimebase(drivenOn: clock)
        let now = clock.time
        hostTimebase.drive(anchorTime: now, at: HostTime(nanoseconds: now.nanoseconds ?? 0), rate: 1)
        observeTimebase()
    }

    func setEvents(_ events: Events) { state.withLock { $0.events = events } }

    /// Calls `body` too when the queue fails.
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

    /// The synchronizer's, else the one that was set, else host time.
    var timebase: CMTimebase {
        let (timeline, control) = state.withLock { ($0.timeline, $0.controlTimebase) }
        return timeline?.timebase ?? control ?? hostTimebase
    }

    /// The timebase in use outside a synchronizer.
    ///
    /// - Returns: `false`, and nothing changes, if there is a synchronizer.
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

    /// - Returns: `false` if the queue stands in another timeline.
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

    /// Drops what is queued: it was meant for the timeline.
    ///
    /// - Returns: `false` if the queue was not there.
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

    /// Drops everything, and the picture too, after the frames that are being handed out.
    func flushAndRemoveImage(completionHandler: (@Sendable () -> Void)?) {
        flush()
        alarm.wake(after: 0) { [weak self] in
            if let self {
                let (sink, events) = state.withLock { ($0.sink, $0.events) }
                events.imageDidChange(false)
                sink?.removeImage()
            }
            completionHandler?()
        }
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

    // MARK: Turns

    /// Lets the alarm look at once what is due.
    private func turnSoon() {
        let round = state.withLock { state in
            state.round += 1
            return state.round
        }
        alarm.wake(after: 0) { [weak self] in self?.turn(round: round) }
    }

    private func turn(round: Int) {
        let now = timebase.time
        let due: (frames: VideoFrames.Due, sink: (any TuttiVideoFrameSink)?, events: Events)? =
            state.withLock { state in
                guard state.round == round else { return nil }
                return (state.frames.takeDue(at: now), state.sink, state.events)
            }
        guard let due else { return }
        for frame in due.frames.skipped { due.sink?.skip(frame) }
        if let frame = due.frames.shown {
            due.sink?.show(frame)
            due.events.imageDidChange(true)
        }
        sleep(round: round)
        wakeRequest()
    }

    /// Has the alarm call again when the next frame is due, unless a newer turn is coming anyway.
    private func sleep(round: Int) {
        let timebase = timebase
        let (now, rate) = (timebase.time, timebase.effectiveRate)
        let next: (seconds: Double, round: Int)? = state.withLock { state in
            // A timebase that stands or runs backwards brings no frame; its change wakes us.
            guard state.round == round, rate > 0, let time = state.frames.nextTime else { return nil }
            state.round += 1
            return (max(0, (time - now).seconds / rate), state.round)
        }
        guard let next else { return }
        alarm.wake(after: min(next.seconds, Self.longestSleep)) { [weak self] in self?.turn(round: next.round)
        }
    }
}

/// Tells of changes of one timebase, as long as it lives.
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
