// Keys of audio settings, as asset readers, files and formats take them. The values are numbers unless
// their lines say otherwise.

/// The encoding: an `AudioFormatID`.
public let AVFormatIDKey = "AVFormatIDKey"
/// Frames per second.
public let AVSampleRateKey = "AVSampleRateKey"
/// Channels of a frame.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// The arrangement of the channels: `Data` with an `AudioChannelLayout`.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
/// The type of a file: an `AudioFileTypeID`.
public let AVAudioFileTypeKey = "AVAudioFileTypeKey"

/// Bits of a linear PCM sample: 8, 16, 24 or 32; 64 for floating point as well.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Whether linear PCM samples have their highest byte first: a Boolean.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Whether linear PCM samples are floating-point numbers: a Boolean.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Whether each channel of linear PCM has a buffer of its own: a Boolean.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"

/// How good an encoding is to be: an ``AVAudioQuality``.
public let AVEncoderAudioQualityKey = "AVEncoderAudioQualityKey"
/// The same for a variable bit rate.
public let AVEncoderAudioQualityForVBRKey = "AVEncoderAudioQualityForVBRKey"
/// Bits per second of an encoding.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// Bits per second of each channel of an encoding.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// How an encoder spreads its bits: one of the `AVAudioBitRateStrategy` strings.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
/// Bits of the samples that a lossless encoder is given.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"

/// How rates are converted: one of the `AVSampleRateConverterAlgorithm` strings.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"
/// How good a rate conversion is to be: an ``AVAudioQuality``.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterAudioQualityKey"

/// The same number of bits all the time.
public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"
/// The same number of bits over a longer time.
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"
/// As many bits as the sound needs, inside limits.
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"
/// As many bits as the sound needs.
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"

/// The usual conversion.
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
/// The most careful conversion.
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
/// The conversion with the least delay.
public let AVSampleRateConverterAlgorithm_MinimumPhase = "AVSampleRateConverterAlgorithm_MinimumPhase"

/// How good, at which cost.
public enum AVAudioQuality: Int, Sendable {
    /// The cheapest.
    case min = 0
    /// Below the middle.
    case low = 0x20
    /// The middle.
    case medium = 0x40
    /// Above the middle.
    case high = 0x60
    /// The best.
    case max = 0x7F
}
