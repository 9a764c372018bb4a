/// The change of a room's sound that its user wants: equaliser and night mode.
public struct SoundTreatment: Sendable, Hashable {
    /// Decibels, one for each of `GraphicEqualizer.frequencies`; `nil` for no equaliser.
    public var equalizer: [Double]?
    /// Whether loud sound is made softer and soft sound louder, see `NightCompressor`.
    public var isNightMode: Bool

    /// Makes a treatment.
    public init(equalizer: [Double]? = nil, isNightMode: Bool = false) {
        (self.equalizer, self.isNightMode) = (equalizer, isNightMode)
    }

    /// The sound as it is.
    public static let none = SoundTreatment()

    /// Whether the sound stays as it is.
    public var isNone: Bool {
        !isNightMode && GraphicEqualizer.valid(equalizer ?? []).allSatisfy { $0 == 0 }
    }
}
