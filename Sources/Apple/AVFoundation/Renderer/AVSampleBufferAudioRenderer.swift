import Playback
import Synchronization
import TuttiSystemIO

extension NSNotification.Name {
    /// Posted when the renderer dropped queued data on its own; the object is the renderer. Any thread.
    public static let AVSampleBufferAudioRendererWasFlushedAutomatically = NSNotification.Name(
        "AVSampleBufferAudioRendererWasFlushedAutomaticallyNotification")
    /// Posted when the route's device or format changed; the renderer keeps the queued data. Any thread.
    public static let AVSampleBufferAudioRendererOutputConfigurationDidChange = NSNotification.Name(
        "AVSampleBufferAudioRendererOutputConfigurationDidChangeNotification")
}

/// Key of the user info of an automatic flush: an `NSValue` of the `CMTime` of the first sample that was not
/// played.
public let AVSampleBufferAudioRendererFlushTimeKey = "AVSampleBufferAudioRendererFlushTimeKey"

/// A renderer of compressed or uncompressed audio buffers on the current output route.
///
/// Add the renderer to an ``AVSampleBufferRenderSynchronizer`` before enqueueing the first buffer. The
/// renderer schedules buffers by their output presentation time. It takes seconds of sound, or minutes on a
/// route whose speakers buffer minutes. Callable from any thread.
open class AVSampleBufferAudioRenderer: NSObject, AVQueuedSampleBufferRendering, @unchecked Sendable {
    // Safe to share: every stored property is immutable and Sendable.
    let queue: RenderQueue
    private let catalogue: RouteCatalogue
    private let observations = PropertyObservations()
    private let poster = NotificationPoster()
    private let detachedTimebase = CMTimebase(drivenOn: .hostTimeClock)

    /// Creates a renderer that follows the selected route.
    public override init() {
        catalogue = .shared
        queue = catalogue.makeQueue()
        super.init()
        listen()
    }

    /// Creates a renderer with a given queue, for tests.
    init(queue: RenderQueue, of catalogue: RouteCatalogue = .shared) {
        (self.queue, self.catalogue) = (queue, catalogue)
        super.init()
        listen()
    }

    private func listen() {
        var events = RenderQueue.Events()
        let observations = observations
        events.changeStatus = { change in observations.change("status", "error", by: change) }
        events.automaticallyFlushed = { [weak self] time, done in
            guard let self else { return done() }
            self.poster.post(
                .AVSampleBufferAudioRendererWasFlushedAutomatically, of: self,
                userInfo: { [AVSampleBufferAudioRendererFlushTimeKey: NSValue(time: time)] }, then: done)
        }
        events.outputChanged = { [weak self] in
            guard let self else { return }
            self.poster.post(.AVSampleBufferAudioRendererOutputConfigurationDidChange, of: self)
        }
        queue.setEvents(events)
    }

    // MARK: State

    /// The renderer's status. Observable by key-value observing, on any thread.
    open var status: AVQueuedSampleBufferRenderingStatus {
        observations.access("status")
        switch queue.status {
        case .unknown: return .unknown
        case .rendering: return .rendering
        case .failed: return .failed
        }
    }

    /// The cause of a `failed` ``status``, an ``AVError``; else `nil`.
    open var error: (any Error)? {
        observations.access("error")
        return queue.error.map { AVError(rendering: $0) }
    }

    open var timebase: CMTimebase { queue.currentTimebase ?? detachedTimebase }

    /// The linear gain of this renderer's samples, 0 ... 1; a speaker's own volume belongs to the route.
    open var volume: Float {
        get { queue.volume }
        set { queue.volume = newValue }
    }

    /// Whether this renderer is silent; muting keeps ``volume``.
    open var isMuted: Bool {
        get { queue.isMuted }
        set { queue.isMuted = newValue }
    }

    /// The treatment of pitch at rates other than 1; applies to buffers enqueued from now on.
    open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { settings.withLock { $0.pitchAlgorithm } }
        set {
            settings.withLock { $0.pitchAlgorithm = newValue }
            queue.pitch = newValue == .varispeed ? .varied : .kept
        }
    }

    /// The local device that this renderer is pinned to; `nil`, the initial value, follows the selected
    /// route.
    ///
    /// The value is the id of a local output of `RouteCatalogue` or of a sink of the sound server. Playback
    /// moves there after a moment. A device that is missing or lost makes ``status`` `failed`, on any thread;
    /// ``error`` names the device.
    open var audioOutputDeviceUniqueID: String? {
        get { settings.withLock { $0.device } }
        set {
            let isChange = settings.withLock { settings in
                defer { settings.device = newValue }
                return settings.device != newValue
            }
            if isChange { catalogue.pin(queue, to: newValue) }
        }
    }

    /// Stored without effect: output is stereo.
    open var allowedAudioSpatializationFormats: AVAudioSpatializationFormats {
        get { settings.withLock { $0.spatialization } }
        set { settings.withLock { $0.spatialization = newValue } }
    }

    private struct Settings {
        var pitchAlgorithm = AVAudioTimePitchAlgorithm.timeDomain
        var device: String?
        var spatialization = AVAudioSpatializationFormats.monoStereoAndMultichannel
    }

    private let settings = Mutex(Settings())

    // MARK: Data

    open func enqueue(_ sampleBuffer: CMSampleBuffer) { queue.enqueue(sampleBuffer) }

    open func flush() { queue.flush() }

    /// Drops buffers due at `time` or later while playback continues.
    ///
    /// - Parameter completionHandler: Called once, on any thread: `true` when data from `time` on may be
    ///   enqueued again; `false`, without effect, when `time` was too near or has passed.
    @preconcurrency
    open func flush(fromSourceTime time: CMTime, completionHandler: @escaping @Sendable (Bool) -> Void) {
        queue.flush(from: time, done: completionHandler)
    }

    /// See ``flush(fromSourceTime:completionHandler:)``.
    @discardableResult
    open func flush(fromSourceTime time: CMTime) async -> Bool { await queue.flush(from: time) }

    open var isReadyForMoreMediaData: Bool { queue.isReadyForMoreData }

    open var hasSufficientMediaDataForReliablePlaybackStart: Bool {
        queue.hasSufficientData(at: CMTimebaseGetTime(timebase))
    }

    @preconcurrency
    open func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void)
    {
        self.queue.request(on: SerialQueue(queue), using: block)
    }

    open func stopRequestingMediaData() { queue.stopRequesting() }
}
