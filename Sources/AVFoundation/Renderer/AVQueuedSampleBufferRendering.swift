@_exported import AudioToolbox
@_exported import CoreMedia
@_exported import Dispatch
@_exported import Foundation
@_exported import KeyValueObserving

/// What takes sample buffers in time order and renders them along a timebase.
public protocol AVQueuedSampleBufferRendering: NSObjectProtocol {
    /// The line the buffers are rendered along.
    var timebase: CMTimebase { get }
    /// Takes a buffer, to be rendered at its output presentation time. Any thread; never waits.
    func enqueue(_ sampleBuffer: CMSampleBuffer)
    /// Drops everything queued; time goes on.
    func flush()
    /// Whether the renderer wants more. Not observable by key-value observing.
    var isReadyForMoreMediaData: Bool { get }
    /// Runs the block on `queue` whenever the renderer wants data, until it is told to stop.
    @preconcurrency
    func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void)
    /// Ends the calls of the request block; nothing more is to come.
    func stopRequestingMediaData()
    /// Whether a start now would have no hole.
    var hasSufficientMediaDataForReliablePlaybackStart: Bool { get }
}

/// State of a renderer.
public enum AVQueuedSampleBufferRenderingStatus: Int, Sendable {
    /// Nothing has been enqueued yet.
    case unknown = 0
    /// At least one buffer has been taken.
    case rendering = 1
    /// Playback of the queue's content is not possible; ``AVSampleBufferAudioRenderer/error`` says why.
    case failed = 2
}
