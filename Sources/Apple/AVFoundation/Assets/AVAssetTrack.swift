import CoreMedia
import Dispatch
import Foundation
import Playback
import TuttiCodecs

/// One track of an asset: a stream of sound, pictures or text.
///
/// A track comes from a loaded asset and has all its values from the start. Any thread.
open class AVAssetTrack: NSObject, NSCopying, AVAsynchronousKeyValueLoading, @unchecked Sendable {
    // Safe to share: nothing changes after `init` except the weak reference, which is thread-safe.

    /// The asset of the track; `nil` after the asset is deallocated.
    public private(set) weak var asset: AVAsset?
    /// The track number in the file, or the position from 1 on if the file has no track numbers.
    public let trackID: CMPersistentTrackID
    /// The kind of media in the track.
    public let mediaType: AVMediaType

    let source: AssetSource
    let contents: AssetContents
    let stream: MediaStream
    let descriptions: [CMFormatDescription]

    init(asset: AVAsset, contents: AssetContents, stream: MediaStream) {
        self.asset = asset
        self.contents = contents
        self.stream = stream
        source = asset.source
        trackID = stream.trackID
        mediaType =
            switch stream.kind {
            case .audio: .audio
            case .video: .video
            case .subtitle: .subtitle
            case .other: .metadata
            }
        let sound = stream.index == contents.info.streamIndex ? contents.info.stream : stream.audio
        descriptions = Self.describe(stream, sound).map { [$0] } ?? []
        super.init()
    }

    /// Returns the format of a stream; `nil` for text, data and formats that Core Media cannot describe.
    private static func describe(_ stream: MediaStream, _ sound: AudioStreamParameters?)
        -> CMFormatDescription?
    {
        switch stream.kind {
        case .audio:
            guard let sound else { return nil }
            // A codec that Core Media cannot name is delivered decoded, so the format is linear PCM.
            return (try? SoundDescription.stored(sound))
                ?? (try? SoundDescription.linear(sound.naturalFormat, channels: sound.channelLayout))
        case .video:
            return stream.video.flatMap { try? VideoDescription.stored($0) }
        case .subtitle, .other:
            return nil
        }
    }

    /// Returns the track itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the asset's duration and metadata describe this track.
    private var isMain: Bool { stream.index == contents.info.streamIndex }

    // MARK: Values

    var range: CMTimeRange {
        let whole = CMTimeRange(start: .zero, duration: contents.duration)
        if isMain { return whole }
        let start = mediaType == .video ? stream.start.map { CMTime($0) - contents.zeroTime } ?? .zero : .zero
        guard let length = stream.length else {
            // The track ends with the asset as far as anybody knows.
            return whole.duration.isNumeric && start > .zero && start < whole.end
                ? CMTimeRange(start: start, end: whole.end) : whole
        }
        // Samples before time 0 are not presented, nor are those that edit lists leave out at the end.
        let end = min(max(.zero, start + CMTime(length)), presentedEnd ?? .positiveInfinity)
        return CMTimeRange(start: min(max(.zero, start), end), end: end)
    }

    /// The time at which edit lists end the track before its last samples; `nil` if they do not.
    var presentedEnd: CMTime? { contents.presentedEnd(of: stream) }

    var timescale: CMTimeScale {
        if let audio = stream.audio { return CMTimeScale(audio.sampleRate.hertz) }
        return stream.length?.timescale ?? stream.start?.timescale ?? 600
    }

    /// The data rate in bits per second; 0 if unknown.
    var dataRate: Float { Float(isMain ? contents.info.bitRate : stream.bitRate) }

    /// One segment; its media range begins after the encoder delay, which is not heard.
    var timeSegments: [AVAssetTrackSegment] {
        let delay = isMain ? contents.info.encoderDelay ?? 0 : 0
        let heard = CMTimeRange(
            start: CMTime(value: Int64(delay), timescale: timescale), duration: range.duration)
        return [
            AVAssetTrackSegment(timeMapping: CMTimeMapping(source: heard, target: range), isEmpty: false)
        ]
    }

    /// The ISO 639-2 language code; `nil` if the file states no language.
    var language: String? {
        guard let code = stream.language?.lowercased(), !code.isEmpty, code != "und" else { return nil }
        return code
    }

    /// The two-letter language code if there is one, else the code in the file.
    var languageTag: String? {
        language.map { Locale.LanguageCode($0).identifier(.alpha2) ?? $0 }
    }

    /// Returns whether the track has a characteristic.
    open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
        switch mediaCharacteristic {
        case .audible: mediaType == .audio
        case .visual, .frameBased: mediaType == .video
        case .legible: mediaType == .subtitle
        case .containsHDRVideo: stream.video?.isHighDynamicRange ?? false
        case .usesWideGamutColorSpace: stream.video?.hasWideGamut ?? false
        default: false
        }
    }

    // MARK: String keys

    open func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus {
        outError?.pointee = nil
        return .loaded
    }

    @preconcurrency
    open func loadValuesAsynchronously(
        forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil
    ) {
        if let handler { DispatchQueue.global().async(execute: handler) }
    }
}

extension CMTime {
    /// Creates the time of a length in a stream's own unit.
    init(_ length: MediaStream.Length) { self.init(value: length.value, timescale: length.timescale) }
}
