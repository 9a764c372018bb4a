import Foundation
import TuttiCodecs

/// The settings of an item that its player does not need, and its tracks.
struct ItemSettings {
    var reverseEnd = CMTime.invalid
    var peakBitRate = 0.0
    var expensiveResolution = CGSize.zero
    var pitch = AVAudioTimePitchAlgorithm.timeDomain
    var externalMetadata: [AVMetadataItem] = []
    var tracks = ItemTracks()
    /// An immutable copy.
    var audioMix: AVAudioMix?

    /// The settings of a copy of the item, which makes its own tracks.
    var copied: ItemSettings {
        var copy = self
        copy.tracks = ItemTracks()
        return copy
    }
}

/// The tracks of an item, made when a program first asks for them.
struct ItemTracks {
    private var tracks: [AVPlayerItemTrack] = []
    /// Index of the stream that `tracks` describes.
    private var stream: Int?

    /// Returns the tracks, the sound before the pictures; the same objects until another stream plays.
    mutating func of(_ info: MediaInfo?, _ asset: AVAsset, _ pictures: ItemPictures) -> [AVPlayerItemTrack] {
        if tracks.isEmpty || stream != info?.streamIndex {
            let sound = AVPlayerItemTrack(asset, info, stream: info?.streamIndex, pictures: nil)
            let film = info?.stream(within: .zero).map {
                AVPlayerItemTrack(asset, info, stream: $0.index, pictures: pictures)
            }
            tracks = (info?.isSilent == true ? [] : [sound]) + [film].compactMap(\.self)
            stream = info?.streamIndex
        }
        return tracks
    }
}

/// A locked store of an item's now-playing values.
final class NowPlayingValues: @unchecked Sendable {
    // Safe to share: `stored` is touched only with the lock held; a program must not mutate values after
    // setting them.
    private let lock = NSLock()
    private var stored: [String: Any]?

    var value: [String: Any]? {
        get { lock.withLock { stored } }
        set {
            // Release the old values outside the lock: their deinitializers may run any code.
            let old = lock.withLock {
                defer { stored = newValue }
                return stored
            }
            withExtendedLifetime(old) {}
        }
    }
}
