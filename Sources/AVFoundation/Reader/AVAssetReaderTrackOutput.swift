import CoreMedia
import Foundation
import Playback
import Synchronization

/// The sound of one track: packets as they are stored, or linear PCM.
///
/// Stored packets come about a second in a buffer, at the asset's own times. What only primes the decoder or
/// pads the end is marked by trim attachments, so that what is heard of the first buffer begins exactly with
/// the track, or with the range that is read, and what is heard of the last ends with it. Sound that
/// CoreMedia has no name for is given as linear PCM instead; the track's format description says so.
///
/// Linear PCM holds exactly the frames that are heard, about half a second in a buffer.
open class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
    // Safe to share: the algorithm has a lock, track and settings are set by `init` alone.

    /// What is read.
    open private(set) var track: AVAssetTrack
    /// What the sound is to be; `nil` for the stored packets.
    open private(set) var outputSettings: [String: Any]?

    private let algorithm = Mutex(AVAudioTimePitchAlgorithm.spectral)

    /// - Parameter outputSettings: `nil`, or `kAudioFormatLinearPCM` under ``AVFormatIDKey`` with the other
    ///   keys of audio settings; what they leave out is as in the track, with 16 bit integers. What cannot be
    ///   done makes ``AVAssetReader/canAdd(_:)`` false.
    public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
        self.track = track
        self.outputSettings = outputSettings
        super.init()
    }

    open override var mediaType: AVMediaType { track.mediaType }

    /// How sound is read at another speed; kept, and without effect as there are no scaled edits here.
    open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { algorithm.withLock { $0 } }
        set { algorithm.withLock { $0 = newValue } }
    }

    /// What the settings come to; `nil` for the stored form.
    ///
    /// - Throws: for settings, or a track, that cannot be read.
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
