import Codecs
import Foundation
import KeyValueObserving
import Playback
import Synchronization

/// A played track of an item. Callable from any thread.
open class AVPlayerItemTrack: NSObject, @unchecked Sendable {
    // Safe to share: `track` is immutable, and `enabled` has a lock.

    private let track: AVAssetTrack?
    private let enabled: ObservedValue<Bool>

    init(_ asset: AVAsset, _ info: MediaInfo?) {
        let contents = asset.loading.known ?? info.map { AssetContents($0) }
        let stream = contents.flatMap { contents in
            contents.info.streams.first { $0.index == info?.streamIndex ?? contents.info.streamIndex }
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

    /// Stored without effect: an item plays a single audio track, and the player's `isMuted` silences it.
    /// Observable.
    open var isEnabled: Bool {
        get { enabled.value }
        set { enabled.value = newValue }
    }

    /// Always 0: items have no video.
    open var currentVideoFrameRate: Float { 0 }
}
