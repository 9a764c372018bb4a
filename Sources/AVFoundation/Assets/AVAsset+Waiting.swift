import CoreMedia
import Foundation

// The older getters. Each waits on the calling thread until the asset's source has been opened; what could
// not be opened has no tracks, no words and no length. Not for the main thread, nor for tasks.

extension AVAsset {
    var contents: AssetContents? {
        // Why it failed is told by the calls that load.
        try? loading.waitForContents()
    }

    /// How long it plays; zero if it cannot be opened.
    @available(*, deprecated, message: "Use load(.duration) instead")
    public var duration: CMTime { contents?.duration ?? .zero }

    /// Whether ``duration`` is exact.
    @available(*, deprecated, message: "Use load(.providesPreciseDurationAndTiming) instead")
    public var providesPreciseDurationAndTiming: Bool { contents?.isPrecise ?? false }

    /// The tracks of all kinds.
    @available(*, deprecated, message: "Use load(.tracks) instead")
    public var tracks: [AVAssetTrack] { contents.map(tracks(of:)) ?? [] }

    /// The tracks of a kind.
    @available(*, deprecated, message: "Use loadTracks(withMediaType:) instead")
    public func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
        contents.map(tracks(of:))?.filter { $0.mediaType == mediaType } ?? []
    }

    /// The tracks that offer something.
    @available(*, deprecated, message: "Use loadTracks(withMediaCharacteristic:) instead")
    public func tracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) -> [AVAssetTrack] {
        contents.map(tracks(of:))?.filter { $0.hasMediaCharacteristic(mediaCharacteristic) } ?? []
    }

    /// The track of a number; `nil` if there is none.
    @available(*, deprecated, message: "Use loadTrack(withTrackID:) instead")
    public func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
        contents.map(tracks(of:))?.first { $0.trackID == trackID }
    }

    /// Everything the asset says about itself.
    @available(*, deprecated, message: "Use load(.metadata) instead")
    public var metadata: [AVMetadataItem] { contents?.metadata ?? [] }

    /// What has a common name among that.
    @available(*, deprecated, message: "Use load(.commonMetadata) instead")
    public var commonMetadata: [AVMetadataItem] { contents?.commonMetadata ?? [] }

    /// The formats of the metadata.
    @available(*, deprecated, message: "Use load(.availableMetadataFormats) instead")
    public var availableMetadataFormats: [AVMetadataFormat] { contents?.metadataFormats ?? [] }

    /// The metadata of one format.
    @available(*, deprecated, message: "Use loadMetadata(for:) instead")
    public func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
        contents?.metadata.filter { $0.format == format } ?? []
    }

    /// When the asset was made, as it says itself.
    @available(*, deprecated, message: "Use load(.creationDate) instead")
    public var creationDate: AVMetadataItem? {
        contents?.metadata.first { $0.commonKey == .commonKeyCreationDate }
    }

    /// The words of the song.
    @available(*, deprecated, message: "Use load(.lyrics) instead")
    public var lyrics: String? { contents?.metadata.first { $0.isLyrics }?.content.stringValue }

    /// Whether it can be played.
    @available(*, deprecated, message: "Use load(.isPlayable) instead")
    public var isPlayable: Bool { contents != nil }

    /// Whether an ``AVAssetReader`` can read it.
    @available(*, deprecated, message: "Use load(.isReadable) instead")
    public var isReadable: Bool { contents != nil }

    /// Whether its content is protected.
    @available(*, deprecated, message: "Use load(.hasProtectedContent) instead")
    public var hasProtectedContent: Bool { false }

    /// The rate it is to be played at.
    @available(*, deprecated, message: "Use load(.preferredRate) instead")
    public var preferredRate: Float { 1 }

    /// The volume it is to be played at.
    @available(*, deprecated, message: "Use load(.preferredVolume) instead")
    public var preferredVolume: Float { 1 }
}
