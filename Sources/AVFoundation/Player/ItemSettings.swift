import Codecs
import Foundation

/// The settings of an item that its player does not need, and its tracks.
struct ItemSettings {
    var reverseEnd = CMTime.invalid
    var peakBitRate = 0.0
    var pitch = AVAudioTimePitchAlgorithm.timeDomain
    var externalMetadata: [AVMetadataItem] = []
    var tracks = ItemTracks()

    /// The settings of a copy of the item, which makes tracks of its own.
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

    /// Returns the tracks; the same objects until another stream plays.
    mutating func of(_ info: MediaInfo?, _ asset: AVAsset) -> [AVPlayerItemTrack] {
        if tracks.isEmpty || stream != info?.streamIndex {
            (tracks, stream) = ([AVPlayerItemTrack(asset, info)], info?.streamIndex)
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
