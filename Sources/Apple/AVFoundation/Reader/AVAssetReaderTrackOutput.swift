import CoreMedia
import Foundation
import Playback
import Synchronization
import TuttiCodecs

/// An output of one track's sound or pictures, as stored packets or decoded.
///
/// A buffer of stored packets of sound holds about a second, with presentation times in asset time. Trim attachments
/// mark packets that only prime the decoder or pad the end, so the audible sound begins and ends exactly with
/// the track or the read range. A format that CoreMedia has no name for comes as linear PCM instead; the
/// track's format description then says so.
///
/// A buffer of linear PCM holds about half a second and only audible frames.
///
/// A buffer of pictures holds one. Stored ones come in the order of decoding, from a key picture on; those outside the
/// read range are marked with `kCMSampleAttachmentKey_DoNotDisplay`. Decoded ones come in the order of their times, from
/// the one shown at the range's start to the last one that begins before its end. A picture keeps its own time, which may
/// be before the range's start.
open class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
    // Safe to share: `algorithm` has a lock; only `init` sets track and settings.

    /// The track to read.
    open private(set) var track: AVAssetTrack
    /// The output format; `nil` for stored packets.
    open private(set) var outputSettings: [String: Any]?

    private let algorithm = Mutex(AVAudioTimePitchAlgorithm.spectral)

    /// - Parameter outputSettings: `nil` for stored packets. For sound, `kAudioFormatLinearPCM` under
    ///   ``AVFormatIDKey`` with other keys of audio settings; missing keys default to the track's values and 16-bit
    ///   integers (32-bit if float). For pictures, `kCVPixelBufferPixelFormatTypeKey` and the other keys of pixel
    ///   buffers; without a format the pictures keep their own where Core Video has it. Unsupported settings make ``AVAssetReader/canAdd(_:)`` return `false`.
    public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
        self.track = track
        self.outputSettings = outputSettings
        super.init()
    }

    open override var mediaType: AVMediaType { track.mediaType }

    /// The time-stretching algorithm for scaled edits. Stored without effect: Tutti has no scaled edits.
    open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { algorithm.withLock { $0 } }
        set { algorithm.withLock { $0 = newValue } }
    }

    /// The form of the buffers.
    enum Form {
        case storedSound
        case linearSound(LinearPCMTarget)
        case storedPictures(VideoStreamParameters, CMFormatDescription)
        case decodedPictures(PictureSettings)
    }

    /// Returns the form that the settings ask for.
    ///
    /// - Throws: An `AVError` if the settings or the track are not supported.
    func form() throws(AVError) -> Form {
        switch track.mediaType {
        case .audio: return try soundForm()
        case .video: return try pictureForm()
        default:
            throw AVError(
                .operationNotSupportedForAsset, reason: "only tracks of sound and pictures can be read here")
        }
    }

    private func soundForm() throws(AVError) -> Form {
        let main = track.contents.info.streamIndex == track.stream.index ? track.contents.info.stream : nil
        guard let sound = main ?? track.stream.audio else {
            throw AVError(.operationNotSupportedForAsset, reason: "the format of the sound is not supported")
        }
        guard let outputSettings else { return .storedSound }
        return .linearSound(try LinearPCMSettings(outputSettings, for: sound).target)
    }

    private func pictureForm() throws(AVError) -> Form {
        guard let video = track.stream.video, let description = track.descriptions.first else {
            throw AVError(
                .operationNotSupportedForAsset, reason: track.stream.sizeRefusal, url: track.source.url)
        }
        guard let outputSettings else { return .storedPictures(video, description) }
        guard video.hasDecoder else {
            throw AVError(
                .decoderNotFound, reason: "there is no decoder for \(video.codecName)", url: track.source.url)
        }
        return .decodedPictures(try PictureSettings(outputSettings))
    }

    override func open(interrupt state: ReadingState) throws(AVError) -> any TrackReading {
        switch try form() {
        case .storedSound: try SoundReading(track, target: nil, interrupt: state.interrupt)
        case .linearSound(let target): try SoundReading(track, target: target, interrupt: state.interrupt)
        case .storedPictures(let video, let description):
            try StoredPictureReading(track, video, description, interrupt: state.interrupt)
        case .decodedPictures(let settings):
            try PictureReading(track, settings, isCopied: alwaysCopiesSampleData, interrupt: state.interrupt)
        }
    }
}
