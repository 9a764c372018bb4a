import Playback
import Synchronization

extension NSNotification.Name {
    /// Queued data was thrown away without the program's asking; the object is the renderer.
    public static let AVSampleBufferAudioRendererWasFlushedAutomatically = NSNotification.Name(
        "AVSampleBufferAudioRendererWasFlushedAutomaticallyNotification")
    /// The route's device or format changed; queued data was kept.
    public static let AVSampleBufferAudioRendererOutputConfigurationDidChange = NSNotification.Name(
        "AVSampleBufferAudioRendererOutputConfigurationDidChangeNotification")
}

/// Key of the user info of an automatic flush: an `NSValue` with the time of the first sample not heard.
public let AVSampleBufferAudioRendererFlushTimeKey = "AVSampleBufferAudioRendererFlushTimeKey"

/// Renders compressed or uncompressed audio buffers on the current output route.
///
/// Add it to a ``AVSampleBufferRenderSynchronizer`` before the first buffer is enqueued. Buffers are
/// scheduled by their output presentation time. How much it takes depends on the route: seconds, or
/// minutes where a speaker holds them. Any thread.
open class AVSampleBufferAudioRenderer: NSObject, AVQueuedSampleBufferRendering, @unchecked Sendable {
    // Safe to share: every stored property is immutable and Sendable.
    let queue: RenderQueue
    private let catalogue: RouteCatalogue
    private let observations = PropertyObservations()
    private let detachedTimebase = CMTimebase(drivenOn: .hostTimeClock)

    /// A renderer on the route that is selected, now and later.
    public override init() {
        catalogue = .shared
        queue = catalogue.makeQueue()
        super.init()
        listen()
    }

    /// A renderer with a queue of its own, for tests.
    init(queue: RenderQueue, of catalogue: RouteCatalogue = .shared) {
        (self.queue, self.catalogue) = (queue, catalogue)
        super.init()
        listen()
    }

    private func listen() {
        var events = RenderQueue.Events()
        let observations = observations
        events.changeStatus = { change in observations.change("status", "error", by: change) }
        events.automaticallyFlushed = { [weak self] time in
            guard let self else { return }
            NotificationCenter.default.post(
                name: .AVSampleBufferAudioRendererWasFlushedAutomatically, object: self,
                userInfo: [AVSampleBufferAudioRendererFlushTimeKey: NSValue(time: time)])
        }
        events.outputChanged = { [weak self] in
            guard let self else { return }
            NotificationCenter.default.post(
                name: .AVSampleBufferAudioRendererOutputConfigurationDidChange, object: self)
        }
        queue.setEvents(events)
    }

    // MARK: State

    /// Observable by key-value observing, on any thread.
    open var status: AVQueuedSampleBufferRenderingStatus {
        observations.access("status")
        switch queue.status {
        case .unknown: return .unknown
        case .rendering: return .rendering
        case .failed: return .failed
        }
    }

    /// Why ``status`` is `failed`, an ``AVError``; else `nil`.
    open var error: (any Error)? {
        observations.access("error")
        return queue.error.map { AVError(rendering: $0) }
    }

    open var timebase: CMTimebase { queue.currentTimebase ?? detachedTimebase }

    /// Scale of this renderer's samples, 0 ... 1; a speaker's own volume belongs to the route.
    open var volume: Float {
        get { queue.volume }
        set { queue.volume = newValue }
    }

    /// Whether nothing of this renderer is heard; its volume stays.
    open var isMuted: Bool {
        get { queue.isMuted }
        set { queue.isMuted = newValue }
    }

    /// How the pitch is treated at rates other than 1; for buffers that are enqueued from now on.
    open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { settings.withLock { $0.pitchAlgorithm } }
        set {
            settings.withLock { $0.pitchAlgorithm = newValue }
            queue.pitch = newValue == .varispeed ? .varied : .kept
        }
    }

    /// The device of this machine that this renderer plays on; `nil`, as at first, for the route that is chosen.
    ///
    /// The id of a local output among `RouteCatalogue`'s, or of a sink of the sound server. What plays goes on there,
    /// after a moment. One that is not there, or is lost, makes ``status`` `failed`, on any thread; ``error`` names it.
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

    /// Kept and given back; sound is stereo here.
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

    /// Drops what is due at `time` or later while playback goes on.
    ///
    /// - Parameter completionHandler: called once, on any thread: `true`, data from `time` on may be enqueued
    ///   again; `false`, the time was too near or has passed, and nothing has changed.
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
        self.queue.request(on: queue, using: block)
    }

    open func stopRequestingMediaData() { queue.stopRequesting() }
}
