import Foundation
import Playback
import Synchronization
import TuttiCodecs
import TuttiKeyValueObserving

/// A played track of an item. Callable from any thread.
open class AVPlayerItemTrack: NSObject, @unchecked Sendable {
    // Safe to share: `track` is immutable, and `enabled` has a lock.

    private let track: AVAssetTrack?
    private let enabled: ObservedValue<Bool>
    /// The item's pictures, if this is their track.
    private let pictures: ItemPictures?

    /// - Parameters:
    ///   - index: The index of the stream; `nil` for the one that the asset plays.
    ///   - pictures: The item's pictures, if this is their track.
    init(_ asset: AVAsset, _ info: MediaInfo?, stream index: Int?, pictures: ItemPictures?) {
        self.pictures = pictures
        let contents = asset.loading.known ?? info.map { AssetContents($0) }
        let stream = contents.flatMap { contents in
            contents.info.streams.first { $0.index == index ?? contents.info.streamIndex }
        }
        track = stream.flatMap { stream in
            guard asset.loading.known != nil else {
                return contents.map {
                    AVAssetTrack(asset: asset, contents: $0.withoutPicture, stream: stream)
                }
            }
            return contents.map { asset.tracks(of: $0) }?.first { $0.trackID == stream.trackID }
        }
        enabled = ObservedValue(true, "isEnabled", in: AVPlayer.observationChoice.makeObservations())
        super.init()
    }

    /// The asset's track that this track plays.
    open var assetTrack: AVAssetTrack? { track }

    /// Whether the track is played. Layers and outputs have no pictures of a disabled track; for the track of sound the value
    /// is stored without effect, as the player's `isMuted` silences it. Observable.
    open var isEnabled: Bool {
        get { enabled.value }
        set {
            enabled.value = newValue
            pictures?.isEnabled = newValue
        }
    }

    /// Pictures per second of a track of pictures that a layer or an output shows, by the file; else 0.
    open var currentVideoFrameRate: Float {
        guard let rate = pictures?.feed?.state.parameters?.pictureRate else { return 0 }
        return Float(rate)
    }
}
