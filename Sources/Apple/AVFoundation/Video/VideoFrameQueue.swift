import CoreMedia
import Dispatch
import Foundation
import Playback
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

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
        /// Called before the sink shows a frame or removes the image.
        var imageDidChange: @Sendable (_ isShown: Bool) -> Void = { _ in }
    }

    private struct State {
        var frames = VideoFrames()
        var status = AVQueuedSampleBufferRenderingStatus.unknown
        var error: (any Error)?
        weak var timeline: PlaybackTimeline?
        var controlTimebase: CMTimebase?
        var sink: (any TuttiVideoFrameSink)?
        var settings = SinkSettings()
        var events = Events()
        /// Completion handlers of pending removals of the image.
        var removals: [(@Sendable () -> Void)?] = []
        /// The pending wake-up is due at once.
        var isTurnDue = false
        /// The clock's time until which further frames are awaited before the decoder is emptied.
        var quietTime = CMTime.zero
        /// Observations of the timebase and of those that it follows.
        var observed: [TimebaseObservation] = []
        /// The picture of the frame that was handed out last, also without a sink.
        var shown: CVPixelBuffer?
    }

    /// Seconds between checks of the timebase: its source may be replaced without a notification.
    static let longestSleep = 1.0
    /// Seconds without a new frame after which the decoder may be emptied. A frame that follows is costly:
    /// the decoder decodes a group of pictures again.
    static let quietSeconds = 0.1

    private let state = Mutex(State())
    private let request = MediaDataRequest()
    private let wakeUp: any WakeUp
    private let clock: CMClock
    private let hostTimebase: CMTimebase
    private let decoder: SampleBufferDecoder

    convenience init() {
        self.init(
            wakeUp: QueueWakeUp(on: SerialQueue(label: "tutti.video", qos: .userInteractive)),
            clock: .hostTimeClock)
    }

    /// - Parameters:
    ///   - clock: The clock that times frames while no other timebase is set.
    ///   - decodingQueue: A serial queue to decode on; `nil` for one of the decoder's own.
    init(wakeUp: any WakeUp, clock: CMClock, decodingOn decodingQueue: DispatchQueue? = nil) {
        (self.wakeUp, self.clock) = (wakeUp, clock)
        hostTimebase = CMTimebase(drivenOn: clock)
        let now = clock.time
        hostTimebase.drive(anchorTime: now, at: HostTime(nanoseconds: now.nanoseconds ?? 0), rate: 1)
        let queue = Mutex(WeakReference<VideoFrameQueue>(nil))
        decoder = SampleBufferDecoder(
            SampleBufferDecoder.Events(
                decoded: { buffer, generation in queue.withLock { $0 }.object?.take(buffer, of: generation) },
                failed: { error, generation in
                    queue.withLock { $0 }.object?.change(to: .failed, error: error, of: generation)
                },
                hasRoom: { queue.withLock { $0 }.object?.hasRoomForDecoded ?? false },
                progressed: { queue.withLock { $0 }.object?.wakeRequest() },
                ranOut: { queue.withLock { $0 }.object?.awaitFrame() }),
            on: decodingQueue)
        queue.withLock { $0 = WeakReference(self) }
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

    /// The picture of the frame that was handed out last.
    var shownBuffer: CVPixelBuffer? { state.withLock { $0.shown } }

    var sink: (any TuttiVideoFrameSink)? {
        get { state.withLock { $0.sink } }
        set {
            state.withLock { state in
                state.sink = newValue
                state.settings.restart()
            }
            turnSoon()
        }
    }

    /// The layer's settings for the sink.
    var sinkSettings: SinkSettings { state.withLock { $0.settings } }

    /// Changes the layer's settings, which the sink gets soon.
    func changeSinkSettings(_ change: @Sendable (inout SinkSettings) -> Void) {
        state.withLock { change(&$0.settings) }
        turnSoon()
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

    /// Leaves the timeline, drops the queued frames, whose times refer to that timeline, and requests others.
    ///
    /// - Returns: `false` if the queue did not belong to `timeline`.
    func detach(from timeline: PlaybackTimeline) -> Bool {
        let wasThere = state.withLock { state in
            guard state.timeline === timeline else { return false }
            state.timeline = nil
            dropFrames(&state)
            return true
        }
        if wasThere { observeTimebase() }
        return wasThere
    }

    private func observeTimebase() {
        // A timebase posts nothing when one that it follows changes.
        let observed = sequence(first: timebase) { $0.sourceTimebase }.map { timebase in
            TimebaseObservation(timebase) { [weak self] in self?.turnSoon() }
        }
        let old = state.withLock { state in
            defer { state.observed = observed }
            return state.observed
        }
        withExtendedLifetime(old) {}
        turnSoon()
    }

    // MARK: Data

    var isReadyForMoreData: Bool {
        let backlog = decoder.backlog
        return !request.isStopping
            && state.withLock { state in
                guard state.status != .failed, !state.frames.isFull else { return false }
                return backlog.seconds < VideoFrames.fullSeconds && backlog.count < VideoFrames.fullCount
                    && backlog.byteCount < VideoFrames.fullByteCount
            }
    }

    /// Whether decoded frames for a short time only are at hand, so that the memory of more is worth it.
    private var hasRoomForDecoded: Bool { state.withLock { $0.frames.decodedCount < Self.decodedCount } }

    /// Decoded frames to keep ahead: at 60 frames a second a quarter of a second of them.
    private static let decodedCount = 15

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
        if SampleBufferDecoder.takes(buffer) { decoder.enqueue(buffer) } else { take(buffer) }
    }

    /// Takes a frame that is shown as it is.
    ///
    /// - Parameter generation: The decoder's generation that a decoded frame belongs to.
    private func take(_ buffer: CMSampleBuffer, of generation: Int? = nil) {
        guard let frame = VideoFrames.Frame(buffer) else { return }
        let now = timebase.time
        let isNext = state.withLock { state in
            // A flush during the decoding has dropped this frame.
            if let generation, generation != decoder.generation { return false }
            let next = state.frames.nextTime
            state.frames.insert(frame, at: now)
            return next.map { frame.time < $0 } ?? true
        }
        if isNext { turnSoon() }
    }

    /// Drops all frames at once, so that no frame that is being decoded comes afterwards.
    ///
    /// The queue's lock is always taken before the decoder's.
    private func dropFrames(_ state: inout State) {
        decoder.flush()
        state.frames.removeAll()
    }

    func flush() {
        let wasFailed = state.withLock { state in
            dropFrames(&state)
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
        guard request.stop() else { return }
        state.withLock { $0.frames.isComplete = true }
        decoder.complete()
    }

    private func wakeRequest() {
        request.wake { [weak self] in self?.isReadyForMoreData ?? false }
    }

    /// - Parameter generation: The decoder's generation that an error of its belongs to; a flush since then voids it.
    private func change(
        to status: AVQueuedSampleBufferRenderingStatus, error: (any Error)?, of generation: Int? = nil
    ) {
        let (isChange, events) = state.withLock { ($0.status != status, $0.events) }
        guard isChange else { return }
        var isVoid = false
        events.changeStatus {
            state.withLock { state in
                isVoid = generation != nil && generation != decoder.generation
                if !isVoid { (state.status, state.error) = (status, error) }
            }
        }
        if let error, !isVoid { for body in events.didFail { body(error) } }
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

    /// Hands the sink the settings that it lacks.
    private func configureSink() {
        let isShowing = timebase.effectiveRate > 0
        let (sink, change) = state.withLock { state in
            // A change from here on needs another turn.
            state.isTurnDue = false
            let lacks = state.sink == nil ? SinkSettings.Change() : state.settings.take(isShowing: isShowing)
            return (state.sink, lacks)
        }
        if let sink { change.apply(to: sink) }
    }

    private func turn() {
        configureSink()
        let now = leadingTime
        let (removals, due, sink, events) = state.withLock { state in
            defer { state.removals = [] }
            return (state.removals, state.frames.takeDue(at: now), state.sink, state.events)
        }
        if !removals.isEmpty { state.withLock { $0.shown = nil } }
        for done in removals {
            events.imageDidChange(false)
            sink?.removeImage()
            done?()
        }
        for frame in due.skipped { sink?.skip(frame) }
        if let frame = due.shown {
            state.withLock { $0.shown = frame.imageBuffer }
            events.imageDidChange(true)
            let wait = (frame.outputPresentationTimeStamp - timebase.time).seconds / timebase.effectiveRate
            sink?.show(
                frame,
                at: wait.isFinite
                    ? CMClockGetTime(CMClockGetHostTimeClock())
                        + CMTime(seconds: wait, preferredTimescale: 1_000_000_000) : .invalid)
        }
        if due.shown != nil || !due.skipped.isEmpty { decoder.resume() }
        let clockTime = clock.time
        let isQuiet = state.withLock { $0.frames.isEmpty && $0.quietTime <= clockTime }
        if isQuiet { decoder.empty(at: now) }
        sleep(emptiedAt: isQuiet ? now : nil)
        wakeRequest()
    }

    /// Sets the wake-up for frames that the decoder holds back, if no other frame follows soon.
    private func awaitFrame() {
        let quietTime = clock.time + CMTime(seconds: Self.quietSeconds, preferredTimescale: 1_000_000_000)
        state.withLock { state in
            state.quietTime = quietTime
            guard !state.isTurnDue, state.frames.isEmpty else { return }
            setWakeUp(after: Self.quietSeconds)
        }
    }

    /// The time of the frames that are due: the timebase's, and what the sink wants to have earlier.
    private var leadingTime: CMTime {
        let (timebase, lead) = (timebase, sink?.leadTime.inSeconds ?? 0)
        let (now, rate) = (timebase.time, timebase.effectiveRate)
        guard lead > 0, rate > 0 else { return now }
        return now + CMTime(seconds: lead * rate, preferredTimescale: 1_000_000)
    }

    /// Sets the wake-up to the deadline of the next frame, which may be inside the decoder, unless it is due
    /// at once already.
    ///
    /// - Parameter emptied: The time up to which the decoder was told to let its frames out.
    private func sleep(emptiedAt emptied: CMTime?) {
        let (now, timebase, clockTime) = (leadingTime, timebase, clock.time)
        let (rate, isFollower) = (timebase.effectiveRate, timebase.sourceTimebase != nil)
        func seconds(until time: CMTime) -> Double {
            if time <= now { return 0 }
            if rate > 0 { return (time - now).seconds / rate }
            // A change wakes the queue, but a follower may start unnoticed.
            return isFollower ? Self.longestSleep : .infinity
        }
        // Set with the lock held, so that it cannot replace a newer wake-up.
        state.withLock { state in
            guard !state.isTurnDue else { return }
            if let time = state.frames.nextTime {
                setWakeUp(after: seconds(until: time))
            } else if let time = decoder.nextInside, emptied.map({ $0 < time }) ?? true {
                setWakeUp(after: max(seconds(until: time), (state.quietTime - clockTime).seconds))
            }
        }
    }

    /// Sets the wake-up after at most ``longestSleep``; does nothing if `seconds` is infinite.
    private func setWakeUp(after seconds: Double) {
        guard seconds.isFinite else { return }
        let delay = Duration.nanoseconds(
            Int64((min(max(0, seconds), Self.longestSleep) * 1e9).rounded(.up)))
        wakeUp.set(after: delay) { [weak self] in self?.turn() }
    }
}
