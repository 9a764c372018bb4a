import CoreMedia

/// A receiver of a video renderer's frames, which a host toolkit adopts to show them. Tutti's extension.
///
/// The renderer makes one call at a time, on its own queue and without a lock held. A call should return
/// within the time between two frames; otherwise later frames are late.
public protocol TuttiVideoFrameSink: AnyObject, Sendable {
    /// Shows a frame that is due. The frame is as enqueued: an encoded frame stays encoded.
    func show(_ frame: CMSampleBuffer)

    /// Skips a frame because a later frame is due too, or because the frame is marked not to be shown. A
    /// decoder may still need the frame.
    func skip(_ frame: CMSampleBuffer)

    /// Removes the shown image.
    func removeImage()
}

extension TuttiVideoFrameSink {
    public func skip(_ frame: CMSampleBuffer) {}
}
