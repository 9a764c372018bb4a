import Foundation
import Synchronization
import TuttiKeyValueObserving

extension NSNotification.Name {
    /// Posted when a frame could not be enqueued; the object is the layer. Any thread.
    public static let AVSampleBufferDisplayLayerFailedToDecode = NSNotification.Name(
        "AVSampleBufferDisplayLayerFailedToDecodeNotification")
    /// Posted when ``AVSampleBufferDisplayLayer/requiresFlushToResumeDecoding`` changed.
    public static let AVSampleBufferDisplayLayerRequiresFlushToResumeDecodingDidChange = NSNotification.Name(
        "AVSampleBufferDisplayLayerRequiresFlushToResumeDecodingDidChangeNotification")
}

/// Key of the user info of `AVSampleBufferDisplayLayerFailedToDecode`: the error.
public let AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey =
    "AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey"

/// The layer that shows the frames of an ``AVSampleBufferVideoRenderer``.
///
/// The layer forwards to its ``sampleBufferRenderer`` and may be added to a synchronizer instead of the
/// renderer. Encoded frames are decoded. The layer draws nothing: a host toolkit shows the frames that reach
/// ``tuttiFrameSink`` inside ``CALayer/frame``. Callable from any thread.
open class AVSampleBufferDisplayLayer: CALayer, AVQueuedSampleBufferRendering, @unchecked Sendable {
    // Safe to share: every stored property is immutable and Sendable.

    private let isCapturePrevented = Mutex(false)

    /// The renderer that times the frames.
    public let sampleBufferRenderer: AVSampleBufferVideoRenderer

    /// Creates a layer without a size, timed by the host clock.
    public override init() {
        sampleBufferRenderer = AVSampleBufferVideoRenderer()
        super.init()
        sampleBufferRenderer.addFailureHandler { [weak self] error in
            guard let self else { return }
            NotificationCenter.default.post(
                name: .AVSampleBufferDisplayLayerFailedToDecode, object: self,
                userInfo: [AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey: error])
        }
    }

    // MARK: Appearance

    /// The scaling of a frame to the bounds. The sink applies it once the program has set the property; until then the sink
    /// scales in its own way.
    open var videoGravity: AVLayerVideoGravity {
        get { sampleBufferRenderer.frames.sinkSettings.gravity ?? .resizeAspect }
        set { sampleBufferRenderer.frames.changeSinkSettings { $0.gravity = newValue } }
    }

    /// Whether the sink should keep the display awake while the ``timebase`` runs; `true` at first.
    open var preventsDisplaySleepDuringVideoPlayback: Bool {
        get { sampleBufferRenderer.frames.sinkSettings.wantsDisplayAwake }
        set { sampleBufferRenderer.frames.changeSinkSettings { $0.wantsDisplayAwake = newValue } }
    }

    /// Whether screen capture should exclude the frames; stored for the host toolkit.
    open var preventsCapture: Bool {
        get { isCapturePrevented.withLock { $0 } }
        set { isCapturePrevented.withLock { $0 = newValue } }
    }

    /// The receiver of due frames; `nil` discards them. Tutti's extension.
    open var tuttiFrameSink: (any TuttiVideoFrameSink)? {
        get { sampleBufferRenderer.tuttiFrameSink }
        set { sampleBufferRenderer.tuttiFrameSink = newValue }
    }

    /// Whether a frame is shown. Observable by key-value observing.
    open var isReadyForDisplay: Bool { sampleBufferRenderer.isReadyForDisplay }

    // MARK: State

    /// The timebase of the frames outside a synchronizer; `nil` for host time.
    ///
    /// Do not set the property while the layer is in a synchronizer.
    open var controlTimebase: CMTimebase? {
        get { sampleBufferRenderer.frames.controlTimebase }
        set {
            let isSet = sampleBufferRenderer.frames.setControlTimebase(newValue)
            checkAPIUse(isSet, "the synchronizer's timebase controls the layer")
        }
    }

    /// The timebase of the frames: the synchronizer's, else ``controlTimebase``, else host time.
    open var timebase: CMTimebase { sampleBufferRenderer.timebase }

    /// The renderer's status. Observable by key-value observing, on any thread.
    open var status: AVQueuedSampleBufferRenderingStatus { sampleBufferRenderer.status }

    /// The cause of a `failed` ``status``; else `nil`.
    open var error: (any Error)? { sampleBufferRenderer.error }

    /// Whether decoding has stopped until a flush. Always `false`: nothing takes the decoder away.
    open var requiresFlushToResumeDecoding: Bool { sampleBufferRenderer.requiresFlushToResumeDecoding }

    // MARK: Data

    /// See ``AVSampleBufferVideoRenderer/enqueue(_:)``.
    open func enqueue(_ sampleBuffer: CMSampleBuffer) { sampleBufferRenderer.enqueue(sampleBuffer) }

    /// Drops all queued frames and clears a failure; the image stays.
    open func flush() { sampleBufferRenderer.flush() }

    /// Drops all queued frames, clears a failure and removes the image.
    open func flushAndRemoveImage() { sampleBufferRenderer.flush(removingDisplayedImage: true) }

    /// Whether the renderer wants more frames, until about a second of frames is queued.
    open var isReadyForMoreMediaData: Bool { sampleBufferRenderer.isReadyForMoreMediaData }

    /// Whether a quarter of a second of frames is queued, or all remaining frames.
    open var hasSufficientMediaDataForReliablePlaybackStart: Bool {
        sampleBufferRenderer.hasSufficientMediaDataForReliablePlaybackStart
    }

    /// See ``AVQueuedSampleBufferRendering/requestMediaDataWhenReady(on:using:)``.
    @preconcurrency
    open func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void)
    {
        sampleBufferRenderer.requestMediaDataWhenReady(on: queue, using: block)
    }

    /// See ``AVQueuedSampleBufferRendering/stopRequestingMediaData()``.
    open func stopRequestingMediaData() { sampleBufferRenderer.stopRequestingMediaData() }
}
