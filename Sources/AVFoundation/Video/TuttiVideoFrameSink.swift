import CoreMedia

/// Where the frames of a video renderer go: what a host toolkit adopts to show pictures. Not Apple's.
///
/// Calls come one at a time on a queue of the renderer's, with no lock held. They should return within the
/// time between two frames, or later frames come late.
public protocol TuttiVideoFrameSink: AnyObject, Sendable {
    /// It is time to show a frame, as it was enqueued; frames of a codec come encoded.
    func show(_ frame: CMSampleBuffer)

    /// A frame is not to be shown, as the one after it is due as well or as it says so itself. A decoder may
    /// need it all the same.
    func skip(_ frame: CMSampleBuffer)

    /// The picture that is being shown is to go away.
    func removeImage()
}

extension TuttiVideoFrameSink {
    public func skip(_ frame: CMSampleBuffer) {}
}
