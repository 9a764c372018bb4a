import CoreMedia
import TuttiCodecs

/// The volumes of an item's tracks over item time, as `AVAudioMix` gives them. A value.
package struct ItemMix: Hashable, Sendable {
    /// The volume of the track that plays, whichever it is; `nil` for 1.
    package var playing: VolumeCurve?
    /// The volumes of single tracks, by `AVAssetTrack.trackID`; these come before ``playing``.
    package var tracks: [Int32: VolumeCurve] = [:]

    /// Makes a mix that leaves all tracks as they are.
    package init() {}

    /// Returns the volume of the track that plays; `nil` for 1.
    func curve(of info: MediaInfo?) -> VolumeCurve? {
        if tracks.isEmpty { return playing }
        let stream = info?.streams.first { $0.index == info?.streamIndex }
        return stream.flatMap { tracks[$0.trackID] } ?? playing
    }
}
