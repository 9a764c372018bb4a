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
        let tracks = info.map { asset.tracks(of: AssetContents($0)) } ?? []
        track = tracks.first { $0.stream.index == info?.streamIndex }
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
