/// An algorithm to play sound at another rate than 1.
public struct AVAudioTimePitchAlgorithm: RawRepresentable, Hashable, Sendable {
    /// The name of the algorithm.
    public let rawValue: String

    /// Creates the algorithm of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Time-domain stretching: cheap, good for voices; preserves the pitch.
    public static let timeDomain = AVAudioTimePitchAlgorithm(rawValue: "TimeDomain")
    /// Spectral stretching: expensive, good for music; preserves the pitch.
    public static let spectral = AVAudioTimePitchAlgorithm(rawValue: "Spectral")
    /// Resampling, like a tape: the pitch follows the rate.
    public static let varispeed = AVAudioTimePitchAlgorithm(rawValue: "Varispeed")
    /// The cheapest algorithm; here the same as ``timeDomain``.
    public static let lowQualityZeroLatency = AVAudioTimePitchAlgorithm(rawValue: "LowQualityZeroLatency")
}

/// Time-domain stretching.
@available(*, deprecated, renamed: "AVAudioTimePitchAlgorithm.timeDomain")
public let AVAudioTimePitchAlgorithmTimeDomain = AVAudioTimePitchAlgorithm.timeDomain
/// Spectral stretching.
@available(*, deprecated, renamed: "AVAudioTimePitchAlgorithm.spectral")
public let AVAudioTimePitchAlgorithmSpectral = AVAudioTimePitchAlgorithm.spectral
/// Resampling; the pitch follows the rate.
@available(*, deprecated, renamed: "AVAudioTimePitchAlgorithm.varispeed")
public let AVAudioTimePitchAlgorithmVarispeed = AVAudioTimePitchAlgorithm.varispeed
