import Foundation
import Playback

// For the programs of this package: what the public names have no word for.

extension AVPlayer {
    /// What plays behind it.
    nonisolated package var playerCore: PlayerCore { core }
}

extension AVPlayerItem {
    /// What its player plays.
    nonisolated package var playerItem: PlayerItem { core }

    /// An item of a path or an address as a user wrote it; errors name it so.
    nonisolated package convenience init(location: String) {
        self.init(
            asset: AVAsset(source: AssetSource(location: location)),
            automaticallyLoadedAssetKeys: [String]?.none)
    }
}

extension AssetSource {
    fileprivate init(location: String) {
        (self.location, loader, isProvided) = (location, nil, false)
        url =
            location.contains("://")
            ? URL(string: location) ?? URL(fileURLWithPath: location) : URL(fileURLWithPath: location)
    }
}
