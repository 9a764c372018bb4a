import Codecs
import CoreMedia
import Dispatch
import Foundation
import Playback

/// One track of an asset: a stream of sound, of pictures, of text.
///
/// A track comes from an asset that has been loaded, so all its values are there. Any thread.
open class AVAssetTrack: NSObject, NSCopying, AVAsynchronousKeyValueLoading, @unchecked Sendable {
    // Safe to share: nothing changes after `init` but the weak reference, which is safe by itself.

    /// The asset it belongs to, while that exists.
    public private(set) weak var asset: AVAsset?
    /// The file's own number for it.
    public let trackID: CMPersistentTrackID
    /// What it has.
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

    /// `nil` where there are no words for it.
    private static func describe(_ stream: MediaStream, _ sound: AudioStreamParameters?)
        -> CMFormatDescription?
    {
        switch stream.kind {
        case .audio:
            guard let sound else { return nil }
            // Sound without a name of its own is given out decoded, so that is its format.
            return (try? SoundDescription.stored(sound))
                ?? (try? SoundDescription.linear(sound.naturalFormat, channels: sound.channelLayout))
        case .video:
            return try? CMFormatDescription(
                videoCodecType: CMFormatDescription.MediaSubType(rawValue: stream.codecTag.byteSwapped),
                width: stream.width, height: stream.height)
        case .subtitle, .other:
            return nil
        }
    }

    /// The track itself, as it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether it is the one that the asset's length and words are about.
    private var isMain: Bool { stream.index == contents.info.streamIndex }

    // MARK: Values

    var range: CMTimeRange {
        if isMain { return CMTimeRange(start: .zero, duration: contents.duration) }
        guard let length = stream.length else {
            return CMTimeRange(start: .zero, duration: contents.duration)
        }
        return CMTimeRange(start: .zero, duration: CMTime(value: length.value, timescale: length.timescale))
    }

    var timescale: CMTimeScale {
        if let audio = stream.audio { return CMTimeScale(audio.sampleRate.hertz) }
        return stream.length?.timescale ?? 600
    }

    /// Bits per second.
    var dataRate: Float { Float(isMain ? contents.info.bitRate : stream.bitRate) }

    /// The media begins with what only primes the decoder.
    var timeSegments: [AVAssetTrackSegment] {
        let delay = isMain ? contents.info.encoderDelay ?? 0 : 0
        let heard = CMTimeRange(
            start: CMTime(value: Int64(delay), timescale: timescale), duration: range.duration)
        return [
            AVAssetTrackSegment(timeMapping: CMTimeMapping(source: heard, target: range), isEmpty: false)
        ]
    }

    /// As ISO 639-2 has it; `nil` where the file says nothing.
    var language: String? {
        guard let code = stream.language?.lowercased(), !code.isEmpty, code != "und" else { return nil }
        return code
    }

    /// The same with the two letters that most languages have.
    var languageTag: String? {
        language.map { Locale.LanguageCode($0).identifier(.alpha2) ?? $0 }
    }

    /// Whether the track offers something.
    open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
        switch mediaCharacteristic {
        case .audible: mediaType == .audio
        case .visual, .frameBased: mediaType == .video
        case .legible: mediaType == .subtitle
        default: false
        }
    }

    // MARK: By the names of properties

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
