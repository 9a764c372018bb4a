import AirPlaySender
import CoreMedia

/// A track on the timeline, for the speakers' displays.
package struct PresentedTrack: Sendable {
    /// Presentation time of the track's first sample.
    package var start: CMTime
    /// Invalid if unknown.
    package var duration: CMTime
    /// The texts and the picture to show.
    package var metadata: TrackMetadata

    /// Makes a track.
    package init(start: CMTime, duration: CMTime, metadata: TrackMetadata) {
        self.start = start
        self.duration = duration
        self.metadata = metadata
    }

    /// Returns the track in frames, with no length if the duration is unknown.
    func scheduled(_ frame: (CMTime) -> Int64) -> ScheduledTrack {
        let start = frame(self.start)
        let end = duration.isNumeric ? frame(self.start + duration) : start
        return ScheduledTrack(frame: start, frameCount: end - start, metadata: metadata)
    }
}

/// The tracks that a program placed on the timeline, and those made from its publications.
struct DisplayedTracks {
    var listed: [PresentedTrack] = []
    /// Empty until the first publication.
    var published: [PresentedTrack] = []

    /// The published tracks; the listed tracks if the publication was cleared.
    var current: [PresentedTrack] {
        let isTakenBack = published.allSatisfy { $0.metadata == .nothing }
        return isTakenBack && !listed.isEmpty ? listed : published
    }
}
