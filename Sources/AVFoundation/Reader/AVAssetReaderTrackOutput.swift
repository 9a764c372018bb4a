import CoreMedia
import Foundation
import Playback
import Synchronization

/// An output of one track's sound, as stored packets or as linear PCM.
///
/// A buffer of stored packets holds about a second, with presentation times in asset time. Trim attachments
/// mark packets that only prime the decoder or pad the end, so the audible sound begins and ends exactly with
/// the track or the read range. A format that CoreMedia has no name for comes as linear PCM instead; the
/// track's format description then says so.
///
/// A buffer of linear PCM holds about half a second and only audible frames.
open class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
    // Safe to share: `algorithm` has a lock; only `init` sets track and settings.

    /// The track to read.
    open private(set) var track: AVAssetTrack
    /// The output format; `nil` for stored packets.
    open private(set) var outputSettings: [String: Any]?

    private let algorithm = Mutex(AVAudioTimePitchAlgorithm.spectral)

    /// - Parameter outputSettings: `nil`, or `kAudioFormatLinearPCM` under ``AVFormatIDKey`` with other keys
    ///   of audio settings. Missing keys default to the track's values and 16-bit integers (32-bit if float).
    ///   Unsupported settings make ``AVAssetReader/canAdd(_:)`` return `false`.
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

    /// Returns the PCM format of the settings; `nil` for stored packets.
    ///
    /// - Throws: an `AVError` if the settings or the track are not supported.
    func target() throws(AVError) -> LinearPCMTarget? {
        let main = track.contents.info.streamIndex == track.stream.index ? track.contents.info.stream : nil
        guard track.mediaType == .audio, let sound = main ?? track.stream.audio else {
            throw AVError(
                .operationNotSupportedForAsset, reason: "only tracks of sound can be read here")
        }
        guard let outputSettings else { return nil }
        return try LinearPCMSettings(outputSettings, for: sound).target
    }

    override func open(interrupt state: ReadingState) throws(AVError) -> TrackReading {
        try TrackReading(track, target: target(), interrupt: state.interrupt)
    }
}
