import Foundation

/// The loudness of a track and of its album, as the tags of its file tell it. A value.
///
/// Gains are in decibels and bring the sound to −18 LUFS, the reference of ReplayGain 2. Peaks are the largest sample
/// values; full scale is 1.
package struct LoudnessTags: Hashable, Sendable {
    /// The gain of the track in decibels; `nil` if no tag has it.
    package var trackGain: Double?
    /// The peak of the track; `nil` if no tag has it.
    package var trackPeak: Double?
    /// The gain of the album in decibels; `nil` if no tag has it.
    package var albumGain: Double?
    /// The peak of the album; `nil` if no tag has it.
    package var albumPeak: Double?

    /// Creates empty tags.
    package init() {}

    /// Whether no tag has a value.
    package var isEmpty: Bool { self == LoudnessTags() }

    /// The gains that are believed, in decibels.
    static let gainRange = -60.0...60.0
    /// The peaks that are believed. A decoder of lossy sound may exceed full scale.
    static let peakRange = 1e-6...32.0
    /// The reference of R128 tags is −23 LUFS, that of ReplayGain −18.
    static let r128Offset = 5.0
    /// The longest text of a tag.
    private static let textLimit = 32

    /// Reads the tags of ReplayGain and R128. Tags of ReplayGain come before those of R128.
    ///
    /// - Parameter value: Returns the text of a tag by its name, whatever its case.
    init(value: (String) -> String?) {
        trackGain =
            value("REPLAYGAIN_TRACK_GAIN").flatMap(Self.gain)
            ?? value("R128_TRACK_GAIN").flatMap(Self.r128Gain)
        albumGain =
            value("REPLAYGAIN_ALBUM_GAIN").flatMap(Self.gain)
            ?? value("R128_ALBUM_GAIN").flatMap(Self.r128Gain)
        trackPeak = value("REPLAYGAIN_TRACK_PEAK").flatMap(Self.peak)
        albumPeak = value("REPLAYGAIN_ALBUM_PEAK").flatMap(Self.peak)
    }

    /// Takes values from another source where no tag has them.
    mutating func complete(from other: LoudnessTags) {
        // A gain and its peak belong together.
        if trackGain == nil, trackPeak == nil { (trackGain, trackPeak) = (other.trackGain, other.trackPeak) }
        if albumGain == nil, albumPeak == nil { (albumGain, albumPeak) = (other.albumGain, other.albumPeak) }
    }

    /// Reads a gain in 100,000ths of a decibel and a peak in those of full scale, as in an MP3's first frame.
    static func stored(gain: Int32, peak: UInt32) -> (gain: Double?, peak: Double?) {
        let (gain, peak) = (Double(gain) / 100_000, Double(peak) / 100_000)
        return (gainRange.contains(gain) ? gain : nil, peakRange.contains(peak) ? peak : nil)
    }

    /// Reads "-7.03 dB", in any case and with or without the unit.
    static func gain(_ text: String) -> Double? {
        var text = text.prefix(textLimit + 1).trimmingCharacters(in: .whitespacesAndNewlines)
        if text.lowercased().hasSuffix("db") { text = text.dropLast(2).trimmingCharacters(in: .whitespaces) }
        return number(text).flatMap { gainRange.contains($0) ? $0 : nil }
    }

    /// Reads a peak, such as "0.988553".
    static func peak(_ text: String) -> Double? {
        number(text.trimmingCharacters(in: .whitespacesAndNewlines)).flatMap {
            peakRange.contains($0) ? $0 : nil
        }
    }

    /// Reads a gain in 256ths of a decibel, such as "-1234".
    static func r128Gain(_ text: String) -> Double? {
        guard text.utf8.count <= textLimit,
            let value = Int16(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return nil }
        let gain = Double(value) / 256 + r128Offset
        return gainRange.contains(gain) ? gain : nil
    }

    /// Reads a decimal number of digits, a sign and a point; some programs write a comma.
    private static func number(_ text: String) -> Double? {
        guard (1...textLimit).contains(text.utf8.count) else { return nil }
        let isPlain = text.utf8.allSatisfy { byte in
            (48...57).contains(byte) || [43, 44, 45, 46].contains(byte)
        }
        guard isPlain, let value = Double(text.replacingOccurrences(of: ",", with: ".")), value.isFinite
        else {
            return nil
        }
        return value
    }
}
