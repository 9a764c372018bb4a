import CoreMedia
import Foundation

extension AVAsyncProperty where Root: AVAsset {
    /// Something that is known once the asset's source has been opened.
    convenience init(_ key: String, contents read: @escaping @Sendable (Root, AssetContents) -> Value) {
        self.init(key, loading: { $0.loading }, read: { root in root.loading.loaded.map { read(root, $0) } })
    }
}

extension AVPartialAsyncProperty where Root: AVAsset {
    /// How long it plays; indefinite for a live stream. Where a file does not say, an estimate, unless
    /// ``AVURLAssetPreferPreciseDurationAndTimingKey`` asked for better.
    public static var duration: AVAsyncProperty<Root, CMTime> {
        AVAsyncProperty("duration") { _, contents in contents.duration }
    }

    /// Whether ``duration`` is exact.
    public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("providesPreciseDurationAndTiming") { _, contents in contents.isPrecise }
    }

    /// The tracks of all kinds, in the order of the file.
    public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> {
        AVAsyncProperty("tracks") { asset, contents in asset.tracks(of: contents) }
    }

    /// Everything the asset says about itself, in its own words.
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        AVAsyncProperty("metadata") { _, contents in contents.metadata }
    }

    /// What has a common name among that, under it.
    public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        AVAsyncProperty("commonMetadata") { _, contents in contents.commonMetadata }
    }

    /// The formats of the metadata.
    public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
        AVAsyncProperty("availableMetadataFormats") { _, contents in contents.metadataFormats }
    }

    /// When the asset was made, as it says itself.
    public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> {
        AVAsyncProperty("creationDate") { _, contents in
            contents.metadata.first { $0.commonKey == .commonKeyCreationDate }
        }
    }

    /// The words of the song.
    public static var lyrics: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("lyrics") { _, contents in
            contents.metadata.first { $0.isLyrics }?.content.stringValue
        }
    }

    /// Whether it can be played.
    public static var isPlayable: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("playable") { _, _ in true }
    }

    /// Whether an ``AVAssetReader`` can read it.
    public static var isReadable: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("readable") { _, _ in true }
    }

    /// Whether its content is protected; what can be opened here is not.
    public static var hasProtectedContent: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("hasProtectedContent") { _, _ in false }
    }

    /// The rate it is to be played at: 1.
    public static var preferredRate: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("preferredRate") { _, _ in 1 }
    }

    /// The volume it is to be played at: 1.
    public static var preferredVolume: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("preferredVolume") { _, _ in 1 }
    }
}
