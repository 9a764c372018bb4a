import CoreMedia
import Foundation

/// A time range of a track, with the range of the media that plays in it.
open class AVAssetTrackSegment: NSObject, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// The mapping from the time of the media to the time of the track.
    public let timeMapping: CMTimeMapping
    /// Whether the segment plays no media.
    public let isEmpty: Bool

    init(timeMapping: CMTimeMapping, isEmpty: Bool) {
        self.timeMapping = timeMapping
        self.isEmpty = isEmpty
        super.init()
    }
}
