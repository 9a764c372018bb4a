import Playback
import TuttiKeyValueObserving
import TuttiMediaTime
import TuttiSystemIO

extension NSNotification.Name {
    /// The former name of ``AVSampleBufferRenderSynchronizer/rateDidChangeNotification``.
    @available(*, deprecated, renamed: "AVSampleBufferRenderSynchronizer.rateDidChangeNotification")
    public static let AVSampleBufferRenderSynchronizerRateDidChange =
        AVSampleBufferRenderSynchronizer.rateDidChangeNotification
}

/// A synchronizer that runs renderers along one timeline.
///
/// The timeline starts at time 0, rate 0. It never stalls for missing data: a gap in the data is silence.
/// Callable from any thread.
open class AVSampleBufferRenderSynchronizer: NSObject, @unchecked Sendable {
    // Safe to share: `timeline` is Sendable and immutable, `attached` is guarded by its lock.
    private let timeline = PlaybackTimeline(machine: SystemMachine())
    private let attached = LockedRenderers()
    private let poster = NotificationPoster()

    /// Posted on every change of ``rate``, by the program or by the system; any thread.
    open class var rateDidChangeNotification: NSNotification.Name {
        NSNotification.Name("AVSampleBufferRenderSynchronizerRateDidChangeNotification")
    }

    /// Creates a synchronizer without renderers at time 0, rate 0.
    public override init() {
        super.init()
        var events = PlaybackTimeline.Events()
        events.rateDidChange = { [weak self] in
            guard let self else { return }
            self.poster.post(Self.rateDidChangeNotification, of: self)
        }
        timeline.setEvents(events)
    }

    // MARK: Time and rate

    /// The timeline's timebase; read-only.
    open var timebase: CMTimebase { timeline.timebase }

    /// The requested rate: 0 pauses, 1 is normal speed. Reads back at once, even while the start is pending.
    open var rate: Float {
        get { timeline.rate }
        set { setRate(newValue, time: .invalid) }
    }

    /// Returns the audible time.
    open func currentTime() -> CMTime { timeline.currentTime }

    /// Sets the time, unless `time` is invalid, and then the rate.
    open func setRate(_ rate: Float, time: CMTime) {
        guard isAcceptable(rate) else { return }
        timeline.setRate(rate, time: time, hostTime: nil)
    }

    /// Makes `time` audible when the host clock reads `hostTime`.
    open func setRate(_ rate: Float, time: CMTime, atHostTime hostTime: CMTime) {
        guard isAcceptable(rate) else { return }
        timeline.setRate(rate, time: time, hostTime: hostTime.nanoseconds.map { HostTime(nanoseconds: $0) })
    }

    private func isAcceptable(_ rate: Float) -> Bool {
        checkAPIUse(rate >= 0 && rate.isFinite, "a rate must be 0 or more")
    }

    /// Whether a start waits until the renderers have enough data.
    open var delaysRateChangeUntilHasSufficientMediaData: Bool {
        get { timeline.delaysRateChangeUntilHasSufficientMediaData }
        set { timeline.delaysRateChangeUntilHasSufficientMediaData = newValue }
    }

    // MARK: Renderers

    /// The attached renderers, in the order of ``addRenderer(_:)``.
    open var renderers: [any AVQueuedSampleBufferRendering] { attached.all }

    /// Adds a renderer, which joins at the current time if the timeline runs. Idempotent.
    ///
    /// With a long-form session (``AVAudioSession/RouteSharingPolicy/longFormAudio``) a synchronizer takes
    /// one audio renderer: adding a second audio renderer is API misuse and has no effect.
    open func addRenderer(_ renderer: any AVQueuedSampleBufferRendering) {
        guard let renderer = renderer as? any SynchronizedRenderer, !attached.contains(renderer) else {
            return
        }
        let isSecond =
            renderer is AVSampleBufferAudioRenderer
            && AVAudioSession.sharedInstance().routeSharingPolicy.isLongForm
            && attached.all.contains { $0 is AVSampleBufferAudioRenderer }
        guard checkAPIUse(!isSecond, "a long-form session allows one audio renderer in a synchronizer"),
            checkAPIUse(renderer.join(timeline), "the renderer is attached to another synchronizer")
        else { return }
        attached.add(renderer)
    }

    /// Removes a renderer when the timeline reaches `time`; at once if `time` has passed or is not numeric.
    ///
    /// - Parameter completionHandler: Called once, on any thread: `true` when the renderer is removed;
    ///   `false` when the renderer was not attached or a later call replaced this removal.
    @preconcurrency
    open func removeRenderer(
        _ renderer: any AVQueuedSampleBufferRendering, at time: CMTime,
        completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) {
        guard let renderer = renderer as? any SynchronizedRenderer, attached.contains(renderer) else {
            completionHandler?(false)
            return
        }
        let (timeline, attached) = (timeline, attached)
        attached.schedule(renderer, replaced: { completionHandler?(false) }) { finish in
            let remove: @Sendable () -> Void = {
                guard finish() else { return }
                attached.remove(renderer)
                completionHandler?(renderer.leave(timeline))
            }
            guard time.isNumeric, time > timeline.currentTime else { return remove() }
            let token = timeline.addArrivalObserver(
                at: time, queue: SerialQueue(.global(qos: .userInitiated)), body: remove)
            attached.remember(token, of: renderer) { timeline.removeObserver(token) }
        }
    }

    /// See ``removeRenderer(_:at:completionHandler:)``.
    @discardableResult
    open func removeRenderer(_ renderer: any AVQueuedSampleBufferRendering, at time: CMTime) async -> Bool {
        await withCheckedContinuation { continuation in
            removeRenderer(renderer, at: time) { continuation.resume(returning: $0) }
        }
    }

    // MARK: Observers

    /// Calls `block` at each interval of timeline time and at every jump, start and stop.
    ///
    /// - Parameter queue: The queue that runs `block`; `nil` means the main queue.
    /// - Returns: A token for ``removeTimeObserver(_:)``.
    @preconcurrency
    open func addPeriodicTimeObserver(
        forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping @Sendable (CMTime) -> Void
    ) -> Any {
        TimeObserverToken(
            timeline.addPeriodicObserver(every: interval, queue: SerialQueue(queue ?? .main), body: block))
    }

    /// Calls `block` once for each of `times`, `NSValue`s of `CMTime`, that playback crosses.
    ///
    /// - Parameter queue: The queue that runs `block`; `nil` means the main queue.
    /// - Returns: A token for ``removeTimeObserver(_:)``.
    @preconcurrency
    open func addBoundaryTimeObserver(
        forTimes times: [NSValue], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
    ) -> Any {
        TimeObserverToken(
            timeline.addBoundaryObserver(
                at: times.map(\.timeValue), queue: SerialQueue(queue ?? .main), body: block))
    }

    /// Removes the observer of this token. On the observer's own queue, no call follows the removal.
    open func removeTimeObserver(_ observer: Any) {
        if let token = observer as? TimeObserverToken { timeline.removeObserver(token.value) }
    }
}

/// The token of a time observer.
private final class TimeObserverToken: NSObject {
    let value: Int

    init(_ value: Int) { self.value = value }
}
