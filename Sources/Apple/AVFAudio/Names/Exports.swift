// The parts of AVFoundation that Apple's module AVFAudio owns: sound files, their player,
// buffers, formats and the session. Formats have descriptions of Core Media, which comes with them, as on Apple's platforms.

@_exported import CoreMedia
@_exported import Foundation
@_exported import class AVFoundation.AVAudioBuffer
@_exported import class AVFoundation.AVAudioChannelLayout
@_exported import class AVFoundation.AVAudioCompressedBuffer
@_exported import class AVFoundation.AVAudioFile
@_exported import class AVFoundation.AVAudioFormat
@_exported import class AVFoundation.AVAudioPCMBuffer
@_exported import class AVFoundation.AVAudioPlayer
@_exported import class AVFoundation.AVAudioSession
@_exported import class AVFoundation.AVAudioSessionChannelDescription
@_exported import class AVFoundation.AVAudioSessionDataSourceDescription
@_exported import class AVFoundation.AVAudioSessionPortDescription
@_exported import class AVFoundation.AVAudioSessionRouteDescription
@_exported import enum AVFoundation.AVAudioCommonFormat
@_exported import enum AVFoundation.AVAudioQuality
@_exported import protocol AVFoundation.AVAudioPlayerDelegate
@_exported import typealias AVFoundation.AVAudioChannelCount
@_exported import typealias AVFoundation.AVAudioFrameCount
@_exported import typealias AVFoundation.AVAudioFramePosition
@_exported import typealias AVFoundation.AVAudioPacketCount
@_exported import let AVFoundation.AVFormatIDKey
@_exported import let AVFoundation.AVSampleRateKey
@_exported import let AVFoundation.AVNumberOfChannelsKey
@_exported import let AVFoundation.AVChannelLayoutKey
@_exported import let AVFoundation.AVAudioFileTypeKey
@_exported import let AVFoundation.AVLinearPCMBitDepthKey
@_exported import let AVFoundation.AVLinearPCMIsBigEndianKey
@_exported import let AVFoundation.AVLinearPCMIsFloatKey
@_exported import let AVFoundation.AVLinearPCMIsNonInterleaved
@_exported import let AVFoundation.AVEncoderAudioQualityKey
@_exported import let AVFoundation.AVEncoderAudioQualityForVBRKey
@_exported import let AVFoundation.AVEncoderBitRateKey
@_exported import let AVFoundation.AVEncoderBitRatePerChannelKey
@_exported import let AVFoundation.AVEncoderBitRateStrategyKey
@_exported import let AVFoundation.AVEncoderBitDepthHintKey
@_exported import let AVFoundation.AVSampleRateConverterAlgorithmKey
@_exported import let AVFoundation.AVSampleRateConverterAudioQualityKey
@_exported import let AVFoundation.AVAudioBitRateStrategy_Constant
@_exported import let AVFoundation.AVAudioBitRateStrategy_LongTermAverage
@_exported import let AVFoundation.AVAudioBitRateStrategy_VariableConstrained
@_exported import let AVFoundation.AVAudioBitRateStrategy_Variable
@_exported import let AVFoundation.AVSampleRateConverterAlgorithm_Normal
@_exported import let AVFoundation.AVSampleRateConverterAlgorithm_Mastering
@_exported import let AVFoundation.AVSampleRateConverterAlgorithm_MinimumPhase
@_exported import let AVFoundation.AVAudioSessionRouteChangeReasonKey
@_exported import let AVFoundation.AVAudioSessionRouteChangePreviousRouteKey
@_exported import let AVFoundation.AVAudioSessionInterruptionTypeKey
@_exported import let AVFoundation.AVAudioSessionInterruptionOptionKey
@_exported import let AVFoundation.AVAudioSessionInterruptionReasonKey
@_exported import let AVFoundation.AVAudioSessionInterruptionWasSuspendedKey
@_exported import let AVFoundation.AVAudioSessionSilenceSecondaryAudioHintTypeKey
