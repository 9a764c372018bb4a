import CoreMedia
import Foundation

/// A stretch of a track's time, and which stretch of its media is heard then.
open class AVAssetTrackSegment: NSObject, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// From the time of the media to that of the track.
    public let timeMapping: CMTimeMapping
    /// Whether nothing is heard then.
    public let isEmpty: Bool

    init(timeMapping: CMTimeMapping, isEmpty: Bool) {
        self.timeMapping = timeMapping
        self.isEmpty = isEmpty
        super.init()
    }
}
