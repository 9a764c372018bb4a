import Foundation
import Playback

// Package access to the cores, for programs of this package.

extension AVPlayer {
    /// The player's core.
    nonisolated package var playerCore: PlayerCore { core }
}

extension AVPlayerItem {
    /// The item's core.
    nonisolated package var playerItem: PlayerItem { core }

    /// Creates an item from a path or URL as a user typed it; errors quote the text unchanged.
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
