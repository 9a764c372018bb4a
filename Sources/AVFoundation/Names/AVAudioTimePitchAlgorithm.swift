/// How sound is played at another speed than its own.
public struct AVAudioTimePitchAlgorithm: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Cuts and joins in time: cheap, good for voices; the pitch stays.
    public static let timeDomain = AVAudioTimePitchAlgorithm(rawValue: "TimeDomain")
    /// Works on the spectrum: dear, good for music; the pitch stays.
    public static let spectral = AVAudioTimePitchAlgorithm(rawValue: "Spectral")
    /// As a tape does: the pitch goes with the speed.
    public static let varispeed = AVAudioTimePitchAlgorithm(rawValue: "Varispeed")
    /// The cheapest; here the same as ``timeDomain``.
    public static let lowQualityZeroLatency = AVAudioTimePitchAlgorithm(rawValue: "LowQualityZeroLatency")
}

/// Cuts and joins in time.
@available(*, deprecated, renamed: "AVAudioTimePitchAlgorithm.timeDomain")
public let AVAudioTimePitchAlgorithmTimeDomain = AVAudioTimePitchAlgorithm.timeDomain
/// Works on the spectrum.
@available(*, deprecated, renamed: "AVAudioTimePitchAlgorithm.spectral")
public let AVAudioTimePitchAlgorithmSpectral = AVAudioTimePitchAlgorithm.spectral
/// The pitch goes with the speed.
@available(*, deprecated, renamed: "AVAudioTimePitchAlgorithm.varispeed")
public let AVAudioTimePitchAlgorithmVarispeed = AVAudioTimePitchAlgorithm.varispeed
