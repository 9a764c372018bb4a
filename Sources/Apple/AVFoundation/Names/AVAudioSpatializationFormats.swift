/// The channel arrangements that may be spatialized.
public struct AVAudioSpatializationFormats: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Creates a set from bits; keeps bits without a name.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// One or two channels.
    public static let monoAndStereo = AVAudioSpatializationFormats(rawValue: 3)
    /// More than two channels.
    public static let multichannel = AVAudioSpatializationFormats(rawValue: 4)
    /// All channel arrangements.
    public static let monoStereoAndMultichannel: AVAudioSpatializationFormats = [
        .monoAndStereo, .multichannel,
    ]
}
