import CoreMedia
import Foundation

// Deprecated getters. Each blocks the calling thread until the asset's source is open, so do not call them
// on the main thread or in a task. An asset that cannot be opened has no tracks, metadata or duration.

extension AVAsset {
    var contents: AssetContents? {
        // Discards the error, which `load(_:)` throws.
        try? loading.waitForContents()
    }

    /// The duration of the asset; zero if the asset cannot be opened.
    @available(*, deprecated, message: "Use load(.duration) instead")
    public var duration: CMTime { contents?.duration ?? .zero }

    /// Whether ``duration`` is exact.
    @available(*, deprecated, message: "Use load(.providesPreciseDurationAndTiming) instead")
    public var providesPreciseDurationAndTiming: Bool { contents?.isPrecise ?? false }

    /// The tracks of all media types, in the order of the file.
    @available(*, deprecated, message: "Use load(.tracks) instead")
    public var tracks: [AVAssetTrack] { contents.map(tracks(of:)) ?? [] }

    /// Returns the tracks of one media type.
    @available(*, deprecated, message: "Use loadTracks(withMediaType:) instead")
    public func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
        contents.map(tracks(of:))?.filter { $0.mediaType == mediaType } ?? []
    }

    /// Returns the tracks with a characteristic.
    @available(*, deprecated, message: "Use loadTracks(withMediaCharacteristic:) instead")
    public func tracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) -> [AVAssetTrack] {
        contents.map(tracks(of:))?.filter { $0.hasMediaCharacteristic(mediaCharacteristic) } ?? []
    }

    /// Returns the track with an ID; `nil` if there is none.
    @available(*, deprecated, message: "Use loadTrack(withTrackID:) instead")
    public func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
        contents.map(tracks(of:))?.first { $0.trackID == trackID }
    }

    /// All metadata of the asset.
    @available(*, deprecated, message: "Use load(.metadata) instead")
    public var metadata: [AVMetadataItem] { contents?.metadata ?? [] }

    /// The metadata that has common names, under those names.
    @available(*, deprecated, message: "Use load(.commonMetadata) instead")
    public var commonMetadata: [AVMetadataItem] { contents?.commonMetadata ?? [] }

    /// The formats of the metadata.
    @available(*, deprecated, message: "Use load(.availableMetadataFormats) instead")
    public var availableMetadataFormats: [AVMetadataFormat] { contents?.metadataFormats ?? [] }

    /// Returns the metadata of one format.
    @available(*, deprecated, message: "Use loadMetadata(for:) instead")
    public func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
        contents?.metadata.filter { $0.format == format } ?? []
    }

    /// The creation date that the asset states.
    @available(*, deprecated, message: "Use load(.creationDate) instead")
    public var creationDate: AVMetadataItem? {
        contents?.metadata.first { $0.commonKey == .commonKeyCreationDate }
    }

    /// The lyrics of the song.
    @available(*, deprecated, message: "Use load(.lyrics) instead")
    public var lyrics: String? { contents?.metadata.first { $0.isLyrics }?.content.stringValue }

    /// Whether the asset can be played: true if it can be opened.
    @available(*, deprecated, message: "Use load(.isPlayable) instead")
    public var isPlayable: Bool { contents != nil }

    /// Whether an ``AVAssetReader`` can read the asset: true if it can be opened.
    @available(*, deprecated, message: "Use load(.isReadable) instead")
    public var isReadable: Bool { contents != nil }

    /// Whether the content is protected: always false.
    @available(*, deprecated, message: "Use load(.hasProtectedContent) instead")
    public var hasProtectedContent: Bool { false }

    /// The preferred rate of the asset: always 1.
    @available(*, deprecated, message: "Use load(.preferredRate) instead")
    public var preferredRate: Float { 1 }

    /// The preferred volume of the asset: always 1.
    @available(*, deprecated, message: "Use load(.preferredVolume) instead")
    public var preferredVolume: Float { 1 }
}
