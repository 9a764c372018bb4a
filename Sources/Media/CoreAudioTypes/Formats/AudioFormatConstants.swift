/// Uncompressed samples.
public let kAudioFormatLinearPCM = AudioFormatID(fourCharacters: "lpcm")
/// AAC, low complexity.
public let kAudioFormatMPEG4AAC = AudioFormatID(fourCharacters: "aac ")
/// High-efficiency AAC: low complexity with spectral band replication.
public let kAudioFormatMPEG4AAC_HE = AudioFormatID(fourCharacters: "aach")
/// High-efficiency AAC, second version: with parametric stereo as well.
public let kAudioFormatMPEG4AAC_HE_V2 = AudioFormatID(fourCharacters: "aacp")
/// AAC, low delay.
public let kAudioFormatMPEG4AAC_LD = AudioFormatID(fourCharacters: "aacl")
/// AAC, enhanced low delay.
public let kAudioFormatMPEG4AAC_ELD = AudioFormatID(fourCharacters: "aace")
/// AAC, enhanced low delay, with spectral band replication.
public let kAudioFormatMPEG4AAC_ELD_SBR = AudioFormatID(fourCharacters: "aacf")
/// AAC, enhanced low delay, second version.
public let kAudioFormatMPEG4AAC_ELD_V2 = AudioFormatID(fourCharacters: "aacg")
/// AAC with MPEG Surround.
public let kAudioFormatMPEG4AAC_Spatial = AudioFormatID(fourCharacters: "aacs")
/// Extended high-efficiency AAC: unified speech and audio coding.
public let kAudioFormatMPEGD_USAC = AudioFormatID(fourCharacters: "usac")
/// Apple Lossless.
public let kAudioFormatAppleLossless = AudioFormatID(fourCharacters: "alac")
/// MPEG audio, layer 1.
public let kAudioFormatMPEGLayer1 = AudioFormatID(fourCharacters: ".mp1")
/// MPEG audio, layer 2.
public let kAudioFormatMPEGLayer2 = AudioFormatID(fourCharacters: ".mp2")
/// MPEG audio, layer 3.
public let kAudioFormatMPEGLayer3 = AudioFormatID(fourCharacters: ".mp3")
/// Free Lossless Audio Codec.
public let kAudioFormatFLAC = AudioFormatID(fourCharacters: "flac")
/// Opus.
public let kAudioFormatOpus = AudioFormatID(fourCharacters: "opus")
/// AC-3.
public let kAudioFormatAC3 = AudioFormatID(fourCharacters: "ac-3")
/// Enhanced AC-3.
public let kAudioFormatEnhancedAC3 = AudioFormatID(fourCharacters: "ec-3")
/// μ-law.
public let kAudioFormatULaw = AudioFormatID(fourCharacters: "ulaw")
/// A-law.
public let kAudioFormatALaw = AudioFormatID(fourCharacters: "alaw")

/// Adaptive multi-rate speech, narrow band.
public let kAudioFormatAMR = AudioFormatID(fourCharacters: "samr")
/// Adaptive multi-rate speech, wide band.
public let kAudioFormatAMR_WB = AudioFormatID(fourCharacters: "sawb")
/// Apple's ADPCM, four bits a sample.
public let kAudioFormatAppleIMA4 = AudioFormatID(fourCharacters: "ima4")

/// Samples are floating-point numbers.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1 << 0
/// Samples are big-endian.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 1 << 1
/// Samples are signed integers.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 1 << 2
/// The bits of a sample fill its bytes.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 1 << 3
/// The bits of a sample that does not fill its bytes are at the upper end.
public let kAudioFormatFlagIsAlignedHigh: AudioFormatFlags = 1 << 4
/// Each channel has its own buffer.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 1 << 5
/// Samples must not be mixed with other sound.
public let kAudioFormatFlagIsNonMixable: AudioFormatFlags = 1 << 6
/// No other flag applies; zero would mean that the flags are unknown.
public let kAudioFormatFlagsAreAllClear: AudioFormatFlags = 1 << 31
/// The byte order of this machine.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0
/// Packed floating-point numbers in the byte order of this machine.
public let kAudioFormatFlagsNativeFloatPacked: AudioFormatFlags =
    kAudioFormatFlagIsFloat | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked

/// Samples are floating-point numbers; this and the following names repeat the flags above for linear PCM.
public let kLinearPCMFormatFlagIsFloat = kAudioFormatFlagIsFloat
/// Samples are big-endian.
public let kLinearPCMFormatFlagIsBigEndian = kAudioFormatFlagIsBigEndian
/// Samples are signed integers.
public let kLinearPCMFormatFlagIsSignedInteger = kAudioFormatFlagIsSignedInteger
/// The bits of a sample fill its bytes.
public let kLinearPCMFormatFlagIsPacked = kAudioFormatFlagIsPacked
/// The bits of a sample that does not fill its bytes are at the upper end.
public let kLinearPCMFormatFlagIsAlignedHigh = kAudioFormatFlagIsAlignedHigh
/// Each channel has its own buffer.
public let kLinearPCMFormatFlagIsNonInterleaved = kAudioFormatFlagIsNonInterleaved
/// Samples must not be mixed with other sound.
public let kLinearPCMFormatFlagIsNonMixable = kAudioFormatFlagIsNonMixable
/// No other flag applies; zero would mean that the flags are unknown.
public let kLinearPCMFormatFlagsAreAllClear = kAudioFormatFlagsAreAllClear

/// Apple Lossless made from 16-bit samples.
public let kAppleLosslessFormatFlag_16BitSourceData: AudioFormatFlags = 1
/// Apple Lossless made from 20-bit samples.
public let kAppleLosslessFormatFlag_20BitSourceData: AudioFormatFlags = 2
/// Apple Lossless made from 24-bit samples.
public let kAppleLosslessFormatFlag_24BitSourceData: AudioFormatFlags = 3
/// Apple Lossless made from 32-bit samples.
public let kAppleLosslessFormatFlag_32BitSourceData: AudioFormatFlags = 4
