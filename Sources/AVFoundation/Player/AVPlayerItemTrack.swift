import Codecs
import Foundation
import KeyValueObserving
import Playback
import Synchronization

/// A track of an item, as it is played. Any thread.
open class AVPlayerItemTrack: NSObject, @unchecked Sendable {
    // Safe to share: the track never changes, and the switch has a lock.

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

    /// The asset's own track.
    open var assetTrack: AVAssetTrack? { track }

    /// Kept and given back: there is one sound, and the player's `isMuted` silences it. Observable.
    open var isEnabled: Bool {
        get { enabled.value }
        set { enabled.value = newValue }
    }

    /// Pictures per second: none.
    open var currentVideoFrameRate: Float { 0 }
}
