import Foundation
import KeyValueObserving
import Playback
import Synchronization

/// Times frames along a synchronizer's timeline and hands each to a sink when it is due.
///
/// Frames are due at their output presentation time, also on a speaker's route: the timeline shows what is
/// heard. About a second of them is taken. There is no screen here: whoever has one sets
/// ``tuttiFrameSink``. Any thread.
open class AVSampleBufferVideoRenderer: NSObject, AVQueuedSampleBufferRendering, @unchecked Sendable {
    // Safe to share: every stored property is immutable and Sendable.
    let frames: VideoFrameQueue
    private let observations = PropertyObservations()
    private let isImageShown: ObservedValue<Bool>

    /// Posted when a frame could not be taken, with the renderer as object; any thread.
    public static let didFailToDecodeNotification = NSNotification.Name(
        "AVSampleBufferVideoRendererDidFailToDecodeNotification")
    /// Key of that notification's user info: the error.
    public static let didFailToDecodeNotificationErrorKey =
        "AVSampleBufferVideoRendererDidFailToDecodeNotificationErrorKey"
    /// Posted when ``requiresFlushToResumeDecoding`` changed, with the renderer as object.
    public static let requiresFlushToResumeDecodingDidChangeNotification = NSNotification.Name(
        "AVSampleBufferVideoRendererRequiresFlushToResumeDecodingDidChangeNotification")

    /// A renderer without a sink, timed by the host clock until it is added to a synchronizer.
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

    /// Observable by key-value observing, on any thread.
    open var status: AVQueuedSampleBufferRenderingStatus {
        observations.access("status")
        return frames.status
    }

    /// Why ``status`` is `failed`; else `nil`.
    open var error: (any Error)? {
        observations.access("error")
        return frames.error
    }

    /// The line the frames are due along: the synchronizer's, or host time.
    open var timebase: CMTimebase { frames.timebase }

    /// Whether decoding stopped until a flush. Always `false`: nothing here loses its decoder.
    open var requiresFlushToResumeDecoding: Bool { false }

    /// Whether a frame was shown and not removed since. Observable by key-value observing.
    var isReadyForDisplay: Bool { isImageShown.value }

    /// Where frames go when they are due; `nil` throws them away. Not Apple's.
    open var tuttiFrameSink: (any TuttiVideoFrameSink)? {
        get { frames.sink }
        set { frames.sink = newValue }
    }

    // MARK: Data

    /// Takes a frame. One whose data cannot be made ready fails the renderer; one without a time is thrown
    /// away, unless it says that it is to be shown at once.
    open func enqueue(_ sampleBuffer: CMSampleBuffer) { frames.enqueue(sampleBuffer) }

    /// Drops everything queued and ends a failure; the picture stays.
    open func flush() { frames.flush() }

    /// Drops everything queued, and the picture too if `removingDisplayedImage`.
    ///
    /// - Parameter completionHandler: called once that is done, on any thread.
    @preconcurrency
    open func flush(
        removingDisplayedImage: Bool, completionHandler: (@Sendable () -> Void)? = nil
    ) {
        if removingDisplayedImage { return frames.flushAndRemoveImage(completionHandler: completionHandler) }
        frames.flush()
        completionHandler?()
    }

    /// Whether more frames are wanted: until about a second of them is queued.
    open var isReadyForMoreMediaData: Bool { frames.isReadyForMoreData }

    /// Whether a quarter of a second is queued, or all there is.
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
