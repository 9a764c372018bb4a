/// A track on the timeline, for displays.
package struct ScheduledTrack: Sendable, Equatable {
    /// The timeline frame at which the track becomes audible.
    package var frame: Int64
    /// The length in frames; 0 when unknown.
    package var frameCount: Int64
    /// The text and picture.
    package var metadata: TrackMetadata

    /// Creates a track that lasts `frameCount` frames from `frame` on.
    package init(frame: Int64, frameCount: Int64, metadata: TrackMetadata) {
        self.frame = frame
        self.frameCount = frameCount
        self.metadata = metadata
    }
}
