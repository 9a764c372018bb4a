import CoreMedia
import Foundation

extension AVPartialAsyncProperty where Root: AVAssetTrack {
    /// The format of the track's samples; empty if Core Media cannot describe the format.
    public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
        AVAsyncProperty("formatDescriptions") { $0.descriptions }
    }

    /// The time range of the track, in the time of the asset.
    public static var timeRange: AVAsyncProperty<Root, CMTimeRange> {
        AVAsyncProperty("timeRange") { $0.range }
    }

    /// The timescale of the track in units per second; the sample rate for sound.
    public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
        AVAsyncProperty("naturalTimeScale") { $0.timescale }
    }

    /// The data rate in bits per second; 0 if unknown.
    public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("estimatedDataRate") { $0.dataRate }
    }

    /// The ISO 639-2 language code; `nil` if the file states no language.
    public static var languageCode: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("languageCode") { $0.language }
    }

    /// The BCP 47 language tag; `nil` if the file states no language.
    public static var extendedLanguageTag: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("extendedLanguageTag") { $0.languageTag }
    }

    /// Whether the file wants the track played by default.
    public static var isEnabled: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("enabled") { $0.isPreferred }
    }

    /// Whether the track can be played: true for sound and pictures with a known format.
    public static var isPlayable: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("playable") { $0.canBeDecoded }
    }

    /// Whether the track can be decoded: true for sound and pictures with a known format.
    public static var isDecodable: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("decodable") { $0.canBeDecoded }
    }

    /// Whether all samples of the track are in this file: always true.
    public static var isSelfContained: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("selfContained") { _ in true }
    }

    /// The segments that map the track's media to the asset's time: always one.
    public static var segments: AVAsyncProperty<Root, [AVAssetTrackSegment]> {
        AVAsyncProperty("segments") { $0.timeSegments }
    }

    /// The metadata of this track alone: always empty, because all metadata belongs to the asset.
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        AVAsyncProperty("metadata") { _ in [] }
    }

    /// The track's metadata that has common names: always empty.
    public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        AVAsyncProperty("commonMetadata") { _ in [] }
    }

    /// The formats of the track's metadata: always empty.
    public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
        AVAsyncProperty("availableMetadataFormats") { _ in [] }
    }

    /// The preferred volume of the track: always 1.
    public static var preferredVolume: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("preferredVolume") { _ in 1 }
    }
}

// Deprecated getters. None of them blocks, because a track has all its values from the start.

extension AVAssetTrack {
    var isPreferred: Bool {
        let others = contents.info.streams.filter { $0.kind == stream.kind && $0.isDefault }
        return others.isEmpty ? isFirstOfItsKind : stream.isDefault
    }

    private var isFirstOfItsKind: Bool {
        contents.info.streams.first { $0.kind == stream.kind }?.index == stream.index
    }

    var canBeDecoded: Bool {
        switch mediaType {
        case .audio: !descriptions.isEmpty
        case .video: stream.video?.hasDecoder ?? false
        default: false
        }
    }

    /// The formats of the track's samples, `CMFormatDescription` objects.
    @available(*, deprecated, message: "Use load(.formatDescriptions) instead")
    public var formatDescriptions: [Any] { descriptions }

    /// The time range of the track, in the time of the asset.
    @available(*, deprecated, message: "Use load(.timeRange) instead")
    public var timeRange: CMTimeRange { range }

    /// The timescale of the track in units per second.
    @available(*, deprecated, message: "Use load(.naturalTimeScale) instead")
    public var naturalTimeScale: CMTimeScale { timescale }

    /// The data rate in bits per second; 0 if unknown.
    @available(*, deprecated, message: "Use load(.estimatedDataRate) instead")
    public var estimatedDataRate: Float { dataRate }

    /// The ISO 639-2 language code; `nil` if the file states no language.
    @available(*, deprecated, message: "Use load(.languageCode) instead")
    public var languageCode: String? { language }

    /// The BCP 47 language tag; `nil` if the file states no language.
    @available(*, deprecated, message: "Use load(.extendedLanguageTag) instead")
    public var extendedLanguageTag: String? { languageTag }

    /// Whether the file wants the track played by default.
    @available(*, deprecated, message: "Use load(.isEnabled) instead")
    public var isEnabled: Bool { isPreferred }

    /// Whether the track can be played.
    @available(*, deprecated, message: "Use load(.isPlayable) instead")
    public var isPlayable: Bool { canBeDecoded }

    /// The segments that map the track's media to the asset's time.
    @available(*, deprecated, message: "Use load(.segments) instead")
    public var segments: [AVAssetTrackSegment] { timeSegments }
}
