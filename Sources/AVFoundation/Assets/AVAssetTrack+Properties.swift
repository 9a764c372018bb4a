import CoreMedia
import Foundation

extension AVPartialAsyncProperty where Root: AVAssetTrack {
    /// The formats of the track's samples: one.
    public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
        AVAsyncProperty("formatDescriptions") { $0.descriptions }
    }

    /// When in the asset it is heard or seen.
    public static var timeRange: AVAsyncProperty<Root, CMTimeRange> {
        AVAsyncProperty("timeRange") { $0.range }
    }

    /// Units of time in a second that fit its samples.
    public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
        AVAsyncProperty("naturalTimeScale") { $0.timescale }
    }

    /// Bits per second; 0 where that is not known.
    public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("estimatedDataRate") { $0.dataRate }
    }

    /// The language as ISO 639-2 has it; `nil` where the file says nothing.
    public static var languageCode: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("languageCode") { $0.language }
    }

    /// The language as BCP 47 has it; `nil` where the file says nothing.
    public static var extendedLanguageTag: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("extendedLanguageTag") { $0.languageTag }
    }

    /// Whether the file wants it played unless the user chooses another one.
    public static var isEnabled: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("enabled") { $0.isPreferred }
    }

    /// Whether it can be played: sound can.
    public static var isPlayable: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("playable") { $0.isHeard }
    }

    /// Whether it can be decoded: sound can.
    public static var isDecodable: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("decodable") { $0.isHeard }
    }

    /// Whether all its samples are in this file.
    public static var isSelfContained: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("selfContained") { _ in true }
    }

    /// Which of its media is heard when.
    public static var segments: AVAsyncProperty<Root, [AVAssetTrackSegment]> {
        AVAsyncProperty("segments") { $0.timeSegments }
    }

    /// What is said about this track alone: nothing, as files say it all about the asset.
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        AVAsyncProperty("metadata") { _ in [] }
    }

    /// What has a common name among that.
    public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        AVAsyncProperty("commonMetadata") { _ in [] }
    }

    /// The formats of the metadata.
    public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
        AVAsyncProperty("availableMetadataFormats") { _ in [] }
    }

    /// The volume it is to be played at: 1.
    public static var preferredVolume: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("preferredVolume") { _ in 1 }
    }

    /// Pictures per second; 0 for sound.
    public static var nominalFrameRate: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("nominalFrameRate") { Float($0.stream.pictureRate) }
    }

    /// Of a picture, in pixels; zero for sound.
    public static var naturalSize: AVAsyncProperty<Root, CGSize> {
        AVAsyncProperty("naturalSize") { CGSize(width: $0.stream.width, height: $0.stream.height) }
    }
}

// The older getters. A track has all its values, so none of them waits.

extension AVAssetTrack {
    var isPreferred: Bool {
        let others = contents.info.streams.filter { $0.kind == stream.kind && $0.isDefault }
        return others.isEmpty ? isFirstOfItsKind : stream.isDefault
    }

    private var isFirstOfItsKind: Bool {
        contents.info.streams.first { $0.kind == stream.kind }?.index == stream.index
    }

    var isHeard: Bool { mediaType == .audio && !descriptions.isEmpty }

    /// The formats of the track's samples, `CMFormatDescription` objects.
    @available(*, deprecated, message: "Use load(.formatDescriptions) instead")
    public var formatDescriptions: [Any] { descriptions }

    /// When in the asset it is heard or seen.
    @available(*, deprecated, message: "Use load(.timeRange) instead")
    public var timeRange: CMTimeRange { range }

    /// Units of time in a second that fit its samples.
    @available(*, deprecated, message: "Use load(.naturalTimeScale) instead")
    public var naturalTimeScale: CMTimeScale { timescale }

    /// Bits per second.
    @available(*, deprecated, message: "Use load(.estimatedDataRate) instead")
    public var estimatedDataRate: Float { dataRate }

    /// The language as ISO 639-2 has it.
    @available(*, deprecated, message: "Use load(.languageCode) instead")
    public var languageCode: String? { language }

    /// The language as BCP 47 has it.
    @available(*, deprecated, message: "Use load(.extendedLanguageTag) instead")
    public var extendedLanguageTag: String? { languageTag }

    /// Whether the file wants it played.
    @available(*, deprecated, message: "Use load(.isEnabled) instead")
    public var isEnabled: Bool { isPreferred }

    /// Whether it can be played.
    @available(*, deprecated, message: "Use load(.isPlayable) instead")
    public var isPlayable: Bool { isHeard }

    /// Which of its media is heard when.
    @available(*, deprecated, message: "Use load(.segments) instead")
    public var segments: [AVAssetTrackSegment] { timeSegments }

    /// Pictures per second.
    @available(*, deprecated, message: "Use load(.nominalFrameRate) instead")
    public var nominalFrameRate: Float { Float(stream.pictureRate) }

    /// Of a picture, in pixels.
    @available(*, deprecated, message: "Use load(.naturalSize) instead")
    public var naturalSize: CGSize { CGSize(width: stream.width, height: stream.height) }
}
