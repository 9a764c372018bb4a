import AVFoundation
import Codecs
import PCM

/// The format description of a file's sound, and a decoder when the renderer has none for it.
enum SourceDescription {
    static func make(_ info: MediaInfo) throws -> (CMFormatDescription, AudioDecoder?) {
        if let packets = try compressed(info) { return (packets, nil) }
        let decoder = try AudioDecoder(info.stream)
        return (try linear(decoder.outputFormat, bits: info.bitDepth), decoder)
    }

    private static func compressed(_ info: MediaInfo) throws -> CMFormatDescription? {
        let (format, framesPerPacket): (AudioFormatID, UInt32)
        switch info.codec {
        case .aac where info.aacProfile == .lowComplexity:
            (format, framesPerPacket) = (kAudioFormatMPEG4AAC, 1024)
        case .alac: (format, framesPerPacket) = (kAudioFormatAppleLossless, 0)
        case .mp3: (format, framesPerPacket) = (kAudioFormatMPEGLayer3, 0)
        case .flac: (format, framesPerPacket) = (kAudioFormatFLAC, 0)
        default: return nil
        }
        let bits = info.bitDepth ?? 0
        return try CMFormatDescription(
            audioStreamBasicDescription: AudioStreamBasicDescription(
                mSampleRate: Double(info.sampleRate.hertz), mFormatID: format,
                mFormatFlags: format == kAudioFormatAppleLossless ? appleLosslessFlag(bits) : 0,
                mBytesPerPacket: 0, mFramesPerPacket: framesPerPacket, mBytesPerFrame: 0,
                mChannelsPerFrame: UInt32(info.channelCount),
                mBitsPerChannel: format == kAudioFormatFLAC ? UInt32(bits) : 0,
                mReserved: 0),
            magicCookie: Data(info.cookie))
    }

    private static func appleLosslessFlag(_ bits: Int) -> AudioFormatFlags {
        switch bits {
        case ...16: 1
        case ...20: 2
        case ...24: 3
        default: 4
        }
    }

    private static func linear(_ format: PCMFormat, bits: Int?) throws -> CMFormatDescription {
        let bytes = UInt32(format.bytesPerFrame)
        var flags = kAudioFormatFlagIsPacked
        var width = UInt32(format.sampleFormat.bytesPerSample * 8)
        switch format.sampleFormat {
        case .float32: flags |= kAudioFormatFlagIsFloat
        case .int16, .int32: flags |= kAudioFormatFlagIsSignedInteger
        case .int24in32:
            flags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsAlignedHigh
            width = 24
        }
        return try CMFormatDescription(
            audioStreamBasicDescription: AudioStreamBasicDescription(
                mSampleRate: Double(format.sampleRate.hertz), mFormatID: kAudioFormatLinearPCM,
                mFormatFlags: flags,
                mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
                mChannelsPerFrame: UInt32(format.channelCount), mBitsPerChannel: width, mReserved: 0))
    }
}
