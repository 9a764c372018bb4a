// Keys of audio settings for asset readers, files and formats. Values are numbers unless stated otherwise.

/// The encoding: an `AudioFormatID`.
public let AVFormatIDKey = "AVFormatIDKey"
/// Frames per second.
public let AVSampleRateKey = "AVSampleRateKey"
/// Channels per frame.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// The channel layout: `Data` with an `AudioChannelLayout`.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
/// The type of a file: an `AudioFileTypeID`.
public let AVAudioFileTypeKey = "AVAudioFileTypeKey"

/// Bits per linear PCM sample: 8, 16, 24 or 32; in floating point 32 or 64.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Whether linear PCM samples are big-endian: a Boolean.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Whether linear PCM samples are floating-point numbers: a Boolean.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Whether each channel of linear PCM has its own buffer: a Boolean.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"

/// The encoding quality: an ``AVAudioQuality``.
public let AVEncoderAudioQualityKey = "AVEncoderAudioQualityKey"
/// The encoding quality at a variable bit rate: an ``AVAudioQuality``.
public let AVEncoderAudioQualityForVBRKey = "AVEncoderAudioQualityForVBRKey"
/// Bits per second of an encoding.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// Bits per second of each channel of an encoding.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// The bit rate strategy of an encoder: one of the `AVAudioBitRateStrategy` strings.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
/// Bits per sample of a lossless encoder's input.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"

/// The sample rate conversion: one of the `AVSampleRateConverterAlgorithm` strings.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"
/// The quality of the sample rate conversion: an ``AVAudioQuality``.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterAudioQualityKey"

/// A constant bit rate.
public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"
/// A constant bit rate on long-term average.
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"
/// A variable bit rate within limits.
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"
/// A variable bit rate.
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"

/// The normal conversion.
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
/// The conversion with the highest quality.
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
/// The conversion with the least delay.
public let AVSampleRateConverterAlgorithm_MinimumPhase = "AVSampleRateConverterAlgorithm_MinimumPhase"

/// A quality level; higher quality costs more CPU time.
public enum AVAudioQuality: Int, Sendable {
    /// The lowest quality.
    case min = 0
    /// Low quality.
    case low = 0x20
    /// Medium quality.
    case medium = 0x40
    /// High quality.
    case high = 0x60
    /// The highest quality.
    case max = 0x7F
}
