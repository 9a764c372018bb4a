import Foundation
import Playback
import Synchronization
import TuttiKeyValueObserving

/// A renderer that hands each video frame to a sink when the frame is due on a synchronizer's timeline.
///
/// A frame is due at its output presentation time. On a speaker's route too, the timeline shows the audible
/// time, so picture and sound match. The renderer takes about a second of frames, decodes encoded ones, and draws nothing: a
/// host toolkit with a screen sets ``tuttiFrameSink``. Callable from any thread.
open class AVSampleBufferVideoRenderer: NSObject, AVQueuedSampleBufferRendering, @unchecked Sendable {
    // Safe to share: every stored property is immutable and Sendable.
    let frames: VideoFrameQueue
    private let observations = PropertyObservations()
    private let isImageShown: ObservedValue<Bool>

    /// Posted when a frame could not be enqueued, with the renderer as object; any thread.
    public static let didFailToDecodeNotification = NSNotification.Name(
        "AVSampleBufferVideoRendererDidFailToDecodeNotification")
    /// Key of ``didFailToDecodeNotification``'s user info: the error.
    public static let didFailToDecodeNotificationErrorKey =
        "AVSampleBufferVideoRendererDidFailToDecodeNotificationErrorKey"
    /// Posted when ``requiresFlushToResumeDecoding`` changed, with the renderer as object.
    public static let requiresFlushToResumeDecodingDidChangeNotification = NSNotification.Name(
        "AVSampleBufferVideoRendererRequiresFlushToResumeDecodingDidChangeNotification")

    /// Creates a renderer without a sink, timed by the host clock until a synchronizer adds it.
    public convenience override init() { self.init(frames: VideoFrameQueue()) }

    init(frames: VideoFrameQueue) {
        self.frames = frames
        let isImageShown = ObservedValue(false, "isReadyForDisplay", in: observations)
        self.isImageShown = isImageShown
        super.init()
        let observations = observations
        var events = VideoFrameQueue.Events()
        events.changeStatus = { change in observations.change("status", "error", by: change) }
        events.imageDidChange = { isImageShown.update($0) }
        frames.setEvents(events)
        addFailureHandler { [weak self] error in
            guard let self else { return }
            NotificationCenter.default.post(
                name: Self.didFailToDecodeNotification, object: self,
                userInfo: [Self.didFailToDecodeNotificationErrorKey: error])
        }
    }

    func addFailureHandler(_ body: @escaping @Sendable (any Error) -> Void) { frames.addFailureHandler(body) }

    // MARK: State

    /// The renderer's status. Observable by key-value observing, on any thread.
    open var status: AVQueuedSampleBufferRenderingStatus {
        observations.access("status")
        return frames.status
    }

    /// The cause of a `failed` ``status``; else `nil`.
    open var error: (any Error)? {
        observations.access("error")
        return frames.error
    }

    /// The timebase of the frames: the synchronizer's, else the layer's control timebase, else host time.
    open var timebase: CMTimebase { frames.timebase }

    /// Whether decoding has stopped until a flush. Always `false`: nothing takes the decoder away.
    open var requiresFlushToResumeDecoding: Bool { false }

    /// Whether a frame is shown. Observable by key-value observing.
    var isReadyForDisplay: Bool { isImageShown.value }

    /// The picture of the frame that is shown now; `nil` without one, or if its encoding could not be decoded.
    open func copyDisplayedPixelBuffer() -> CVPixelBuffer? { frames.shownBuffer }

    /// The receiver of due frames; `nil` discards them. Tutti's extension.
    open var tuttiFrameSink: (any TuttiVideoFrameSink)? {
        get { frames.sink }
        set { frames.sink = newValue }
    }

    // MARK: Data

    /// Enqueues a frame. A frame whose data cannot be made ready fails the renderer. A frame without a numeric
    /// time is discarded unless marked to display immediately.
    open func enqueue(_ sampleBuffer: CMSampleBuffer) { frames.enqueue(sampleBuffer) }

    /// Drops all queued frames and clears a failure; the image stays.
    open func flush() { frames.flush() }

    /// Drops all queued frames and clears a failure; removes the image if `removingDisplayedImage`.
    ///
    /// - Parameter completionHandler: Called once, when done, on any thread.
    @preconcurrency
    open func flush(
        removingDisplayedImage: Bool, completionHandler: (@Sendable () -> Void)? = nil
    ) {
        if removingDisplayedImage { return frames.flushAndRemoveImage(completionHandler: completionHandler) }
        frames.flush()
        completionHandler?()
    }

    /// Whether the renderer wants more frames, until about a second of frames is queued.
    open var isReadyForMoreMediaData: Bool { frames.isReadyForMoreData }

    /// Whether a quarter of a second of frames is queued, or all remaining frames.
    open var hasSufficientMediaDataForReliablePlaybackStart: Bool { frames.hasSufficientData }

    /// See ``AVQueuedSampleBufferRendering/requestMediaDataWhenReady(on:using:)``.
    @preconcurrency
    open func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void)
    {
        frames.request(on: queue, using: block)
    }

    /// See ``AVQueuedSampleBufferRendering/stopRequestingMediaData()``.
    open func stopRequestingMediaData() { frames.stopRequesting() }
}
