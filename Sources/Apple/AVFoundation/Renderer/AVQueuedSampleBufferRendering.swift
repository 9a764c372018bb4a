@_exported import AudioToolbox
@_exported import CoreMedia
@_exported import Dispatch
@_exported import Foundation
@_exported import TuttiKeyValueObserving

/// A renderer that takes sample buffers in time order and renders them along a timebase.
public protocol AVQueuedSampleBufferRendering: NSObjectProtocol {
    /// The timebase of the buffers' presentation times.
    var timebase: CMTimebase { get }
    /// Enqueues a buffer to render at its output presentation time. Callable from any thread; never blocks.
    func enqueue(_ sampleBuffer: CMSampleBuffer)
    /// Drops all queued buffers; time continues.
    func flush()
    /// Whether the renderer wants more data. Not observable by key-value observing.
    var isReadyForMoreMediaData: Bool { get }
    /// Runs `block` on `queue` whenever the renderer wants data, until ``stopRequestingMediaData()``.
    @preconcurrency
    func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void)
    /// Stops the calls of the request block and signals the end of the data.
    func stopRequestingMediaData()
    /// Whether enough data is queued for a start without a gap.
    var hasSufficientMediaDataForReliablePlaybackStart: Bool { get }
}

/// The status of a renderer.
public enum AVQueuedSampleBufferRenderingStatus: Int, Sendable {
    /// Nothing has been enqueued yet.
    case unknown = 0
    /// At least one buffer has been enqueued.
    case rendering = 1
    /// The renderer cannot play its queue; ``AVSampleBufferAudioRenderer/error`` has the cause.
    case failed = 2
}
