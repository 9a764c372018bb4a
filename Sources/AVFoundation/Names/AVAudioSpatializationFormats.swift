/// Which channel arrangements may be placed around the listener.
public struct AVAudioSpatializationFormats: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// One or two channels.
    public static let monoAndStereo = AVAudioSpatializationFormats(rawValue: 3)
    /// More than two channels.
    public static let multichannel = AVAudioSpatializationFormats(rawValue: 4)
    /// All.
    public static let monoStereoAndMultichannel: AVAudioSpatializationFormats = [
        .monoAndStereo, .multichannel,
    ]
}
