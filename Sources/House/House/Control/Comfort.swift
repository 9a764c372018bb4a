/// The loudness to which a zone brings its tracks.
public enum VolumeLevelling: String, Codable, Sendable, CaseIterable {
    /// Tracks play unchanged.
    case off
    /// Every track is as loud as the others.
    case track
    /// Every album is as loud as the others; within it tracks keep their differences.
    case album
}

/// A room's equaliser: a gain for each of ten bands, an octave apart.
public struct Equalizer: Codable, Hashable, Sendable {
    /// The middle of the bands, in hertz.
    public static let frequencies = [31.25, 62.5, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000]
    /// The range of a gain, in decibels.
    public static let range = -12.0...12.0

    /// Decibels, one for each of ``frequencies``.
    public var gains: [Double]

    /// Makes an equaliser.
    public init(gains: [Double]) { self.gains = gains }
}
