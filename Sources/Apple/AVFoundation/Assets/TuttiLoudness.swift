import Foundation
import TuttiCodecs

/// The loudness of a track and of its album, as tags of ReplayGain or R128 tell it. Tutti's extension.
///
/// Gains are in decibels and bring the sound to −18 LUFS. Peaks are the largest sample values; full scale is 1. A
/// value; safe to use on any thread.
public struct TuttiLoudness: Sendable, Hashable, Codable {
    /// The gain of the track in decibels; `nil` if unknown.
    public var trackGain: Double?
    /// The peak of the track; `nil` if unknown.
    public var trackPeak: Double?
    /// The gain of the album in decibels; `nil` if unknown.
    public var albumGain: Double?
    /// The peak of the album; `nil` if unknown.
    public var albumPeak: Double?

    /// Creates values that are all unknown.
    public init() {}

    init(_ tags: LoudnessTags) {
        (trackGain, trackPeak) = (tags.trackGain, tags.trackPeak)
        (albumGain, albumPeak) = (tags.albumGain, tags.albumPeak)
    }

    /// The volume that brings the track to −18 LUFS; 1 if no gain is known.
    ///
    /// A volume above 1 is no larger than the peak allows. Without a known peak, the pipeline limits samples that
    /// would exceed full scale.
    public var trackVolume: Float { Self.volume(trackGain, trackPeak) }

    /// The volume that brings the album to −18 LUFS and keeps the differences of its tracks; ``trackVolume`` if no
    /// gain of the album is known.
    public var albumVolume: Float {
        albumGain == nil ? trackVolume : Self.volume(albumGain, albumPeak ?? trackPeak)
    }

    /// The greatest volume of a track without a known peak, 12 dB: its tag may be wrong.
    private static let loudestWithoutPeak = 4.0

    private static func volume(_ gain: Double?, _ peak: Double?) -> Float {
        guard let gain, gain.isFinite else { return 1 }
        let wanted = pow(10, max(-60, min(gain, 60)) / 20)
        guard wanted > 1 else { return Float(wanted) }
        guard let peak, peak.isFinite, peak > 0 else { return Float(min(wanted, loudestWithoutPeak)) }
        return Float(min(wanted, max(1, 1 / peak)))
    }
}
