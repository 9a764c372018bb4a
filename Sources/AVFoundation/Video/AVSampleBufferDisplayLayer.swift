import Foundation
import KeyValueObserving
import Synchronization

extension NSNotification.Name {
    /// A frame could not be taken; the object is the layer.
    public static let AVSampleBufferDisplayLayerFailedToDecode = NSNotification.Name(
        "AVSampleBufferDisplayLayerFailedToDecodeNotification")
    /// Posted when ``AVSampleBufferDisplayLayer/requiresFlushToResumeDecoding`` changed.
    public static let AVSampleBufferDisplayLayerRequiresFlushToResumeDecodingDidChange = NSNotification.Name(
        "AVSampleBufferDisplayLayerRequiresFlushToResumeDecodingDidChangeNotification")
}

/// Key of the user info of a failed layer: the error.
public let AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey =
    "AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey"

/// The place where the frames of a ``AVSampleBufferVideoRenderer`` are shown.
///
/// The layer forwards to its ``sampleBufferRenderer`` and may be added to a synchronizer in its place. It draws
/// nothing by itself: a host toolkit shows what reaches ``tuttiFrameSink`` inside ``CALayer/frame``. Any thread.
open class AVSampleBufferDisplayLayer: CALayer, AVQueuedSampleBufferRendering, @unchecked Sendable {
    // Safe to share: every stored property is immutable and Sendable.

    private struct Settings {
        var videoGravity = AVLayerVideoGravity.resizeAspect
        var preventsDisplaySleep = true
        var preventsCapture = false
    }

    private let settings = Mutex(Settings())

    /// What times the frames.
    public let sampleBufferRenderer: AVSampleBufferVideoRenderer

    /// A layer without a size, timed by the host clock.
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

    // MARK: Showing

    /// How a picture fills the bounds; the host toolkit's to follow.
    open var videoGravity: AVLayerVideoGravity {
        get { settings.withLock { $0.videoGravity } }
        set { settings.withLock { $0.videoGravity = newValue } }
    }

    /// Whether the display should stay awake meanwhile; kept for the host toolkit.
    open var preventsDisplaySleepDuringVideoPlayback: Bool {
        get { settings.withLock { $0.preventsDisplaySleep } }
        set { settings.withLock { $0.preventsDisplaySleep = newValue } }
    }

    /// Whether pictures should not be recorded; kept for the host toolkit.
    open var preventsCapture: Bool {
        get { settings.withLock { $0.preventsCapture } }
        set { settings.withLock { $0.preventsCapture = newValue } }
    }

    /// Where frames go when they are due; `nil` throws them away. Not Apple's.
    open var tuttiFrameSink: (any TuttiVideoFrameSink)? {
        get { sampleBufferRenderer.tuttiFrameSink }
        set { sampleBufferRenderer.tuttiFrameSink = newValue }
    }

    /// Whether a frame was shown and not removed since. Observable by key-value observing.
    open var isReadyForDisplay: Bool { sampleBufferRenderer.isReadyForDisplay }

    // MARK: State

    /// What times the frames outside a synchronizer; `nil` for host time.
    ///
    /// It cannot be set while the layer is in a synchronizer.
    open var controlTimebase: CMTimebase? {
        get { sampleBufferRenderer.frames.controlTimebase }
        set {
            let isSet = sampleBufferRenderer.frames.setControlTimebase(newValue)
            isRightUse(isSet, "the synchronizer's timebase controls the layer")
        }
    }

    /// The line the frames are due along: the synchronizer's, else ``controlTimebase``, else host time.
    open var timebase: CMTimebase { sampleBufferRenderer.timebase }

    /// Observable by key-value observing, on any thread.
    open var status: AVQueuedSampleBufferRenderingStatus { sampleBufferRenderer.status }

    /// Why ``status`` is `failed`; else `nil`.
    open var error: (any Error)? { sampleBufferRenderer.error }

    /// Whether decoding stopped until a flush. Always `false`: nothing here loses its decoder.
    open var requiresFlushToResumeDecoding: Bool { sampleBufferRenderer.requiresFlushToResumeDecoding }

    // MARK: Data

    /// See ``AVSampleBufferVideoRenderer/enqueue(_:)``.
    open func enqueue(_ sampleBuffer: CMSampleBuffer) { sampleBufferRenderer.enqueue(sampleBuffer) }

    /// Drops everything queued and ends a failure; the picture stays.
    open func flush() { sampleBufferRenderer.flush() }

    /// Drops everything queued, and the picture too.
    open func flushAndRemoveImage() { sampleBufferRenderer.flush(removingDisplayedImage: true) }

    /// Whether more frames are wanted: until about a second of them is queued.
    open var isReadyForMoreMediaData: Bool { sampleBufferRenderer.isReadyForMoreMediaData }

    /// Whether a quarter of a second is queued, or all there is.
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
