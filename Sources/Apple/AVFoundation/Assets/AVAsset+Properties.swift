import CoreMedia
import Foundation

extension AVAsyncProperty where Root: AVAsset {
    /// Creates a property that is loaded by opening the asset's source.
    convenience init(_ key: String, contents read: @escaping @Sendable (Root, AssetContents) -> Value) {
        self.init(key, loading: { $0.loading }, read: { root in root.loading.loaded.map { read(root, $0) } })
    }
}

extension AVPartialAsyncProperty where Root: AVAsset {
    /// The duration of the asset; indefinite for a live stream. An estimate if the file does not state the
    /// duration, unless ``AVURLAssetPreferPreciseDurationAndTimingKey`` is set.
    public static var duration: AVAsyncProperty<Root, CMTime> {
        AVAsyncProperty("duration") { _, contents in contents.duration }
    }

    /// Whether ``duration`` is exact.
    public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("providesPreciseDurationAndTiming") { _, contents in contents.isPrecise }
    }

    /// The tracks of all media types, in the order of the file.
    public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> {
        AVAsyncProperty("tracks") { asset, contents in asset.tracks(of: contents) }
    }

    /// All metadata of the asset, under the names of its own format.
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        AVAsyncProperty("metadata") { _, contents in contents.metadata }
    }

    /// The metadata that has common names, under those names.
    public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        AVAsyncProperty("commonMetadata") { _, contents in contents.commonMetadata }
    }

    /// The formats of the metadata.
    public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
        AVAsyncProperty("availableMetadataFormats") { _, contents in contents.metadataFormats }
    }

    /// The creation date that the asset states.
    public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> {
        AVAsyncProperty("creationDate") { _, contents in
            contents.metadata.first { $0.commonKey == .commonKeyCreationDate }
        }
    }

    /// The lyrics of the song.
    public static var lyrics: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("lyrics") { _, contents in
            contents.metadata.first { $0.isLyrics }?.content.stringValue
        }
    }

    /// Whether the asset can be played: true once it is open.
    public static var isPlayable: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("playable") { _, _ in true }
    }

    /// Whether an ``AVAssetReader`` can read the asset: true once it is open.
    public static var isReadable: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("readable") { _, _ in true }
    }

    /// Whether the content is protected: always false, because protected content cannot be opened.
    public static var hasProtectedContent: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("hasProtectedContent") { _, _ in false }
    }

    /// The preferred rate of the asset: always 1.
    public static var preferredRate: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("preferredRate") { _, _ in 1 }
    }

    /// The preferred volume of the asset: always 1.
    public static var preferredVolume: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("preferredVolume") { _, _ in 1 }
    }
}
