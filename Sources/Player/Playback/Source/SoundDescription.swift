import CoreMedia
import Foundation
import TuttiCodecs
import TuttiPCM

/// CoreMedia format descriptions for the sound of a file.
package enum SoundDescription {
    /// Returns the format of the sound as stored. `nil` if CoreMedia has no name for it, or if no decoder
    /// takes its packets without their file: such sound is decoded, in the format of ``linear(_:channels:)``.
    package static func stored(_ sound: AudioStreamParameters) throws -> CMFormatDescription? {
        if let samples = sound.storedPCM { return try uncompressed(samples, sound) }
        guard let form = compressed(sound) else { return nil }
        let description = AudioStreamBasicDescription(
            mSampleRate: Double(sound.sampleRate.hertz), mFormatID: form.format, mFormatFlags: form.flags,
            mBytesPerPacket: 0, mFramesPerPacket: form.framesPerPacket, mBytesPerFrame: 0,
            mChannelsPerFrame: UInt32(sound.channelCount), mBitsPerChannel: form.bits, mReserved: 0)
        return try CMFormatDescription(
            audioStreamBasicDescription: description, layout: layout(sound.channelLayout),
            magicCookie: Data(sound.cookie))
    }

    private struct Compressed {
        var format: AudioFormatID
        /// Frames per packet; 0 if variable.
        var framesPerPacket: UInt32 = 0
        var flags: AudioFormatFlags = 0
        var bits: UInt32 = 0
    }

    private static func compressed(_ sound: AudioStreamParameters) -> Compressed? {
        let bits = sound.bitDepth ?? 0
        switch (sound.codec, sound.aacProfile) {
        case (.aac, .lowComplexity): return Compressed(format: kAudioFormatMPEG4AAC, framesPerPacket: 1024)
        case (.aac, .highEfficiency):
            return Compressed(format: kAudioFormatMPEG4AAC_HE, framesPerPacket: 2048)
        case (.aac, .highEfficiencyV2):
            return Compressed(format: kAudioFormatMPEG4AAC_HE_V2, framesPerPacket: 2048)
        case (.alac, _):
            return Compressed(
                format: kAudioFormatAppleLossless, framesPerPacket: appleLosslessFrames(sound.cookie),
                flags: appleLosslessFlag(bits))
        case (.mp3, _):
            return Compressed(
                format: kAudioFormatMPEGLayer3, framesPerPacket: sound.sampleRate.hertz < 32_000 ? 576 : 1152)
        case (.flac, _): return Compressed(format: kAudioFormatFLAC, bits: UInt32(bits))
        case (.opus, _): return Compressed(format: kAudioFormatOpus)
        default: return nil
        }
    }

    private static func appleLosslessFlag(_ bits: Int) -> AudioFormatFlags {
        switch bits {
        case ...16: kAppleLosslessFormatFlag_16BitSourceData
        case ...20: kAppleLosslessFormatFlag_20BitSourceData
        case ...24: kAppleLosslessFormatFlag_24BitSourceData
        default: kAppleLosslessFormatFlag_32BitSourceData
        }
    }

    /// Reads the first number of the ALACSpecificConfig, which is the last 24 bytes of its atom.
    private static func appleLosslessFrames(_ cookie: [UInt8]) -> UInt32 {
        guard cookie.count == 24 || cookie.count == 36 else { return 0 }
        return cookie.suffix(24).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func uncompressed(
        _ samples: StoredPCM, _ sound: AudioStreamParameters
    ) throws -> CMFormatDescription {
        var flags = kAudioFormatFlagIsPacked
        if samples.isFloat { flags |= kAudioFormatFlagIsFloat }
        if samples.isSigned, !samples.isFloat { flags |= kAudioFormatFlagIsSignedInteger }
        if samples.isBigEndian { flags |= kAudioFormatFlagIsBigEndian }
        let bytes = UInt32(samples.bytesPerSample * sound.channelCount)
        return try CMFormatDescription(
            audioStreamBasicDescription: AudioStreamBasicDescription(
                mSampleRate: Double(sound.sampleRate.hertz), mFormatID: kAudioFormatLinearPCM,
                mFormatFlags: flags, mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
                mChannelsPerFrame: UInt32(sound.channelCount), mBitsPerChannel: UInt32(samples.bits),
                mReserved: 0), layout: layout(sound.channelLayout))
    }

    /// Returns the format of decoded sound.
    ///
    /// - Parameter channels: The channels' roles; `nil` leaves them open.
    package static func linear(
        _ format: PCMFormat, channels: ChannelLayout? = nil
    ) throws -> CMFormatDescription {
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
                mChannelsPerFrame: UInt32(format.channelCount), mBitsPerChannel: width, mReserved: 0),
            layout: channels.flatMap(layout))
    }

    /// Returns the CoreMedia layout; `nil` if the channel positions are unknown or have no name in CoreMedia.
    package static func layout(_ channels: ChannelLayout) -> ManagedAudioChannelLayout? {
        switch channels.positions {
        case []: return nil
        case [.frontCenter]: return ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_Mono)
        case [.frontLeft, .frontRight]:
            return ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_Stereo)
        case let places:
            // The first 18 bits mean the same in both numberings; CoreMedia has no names for the others.
            guard places.allSatisfy({ $0.rawValue < 18 }) else { return nil }
            let bits = places.reduce(UInt32(0)) { $0 | 1 << UInt32($1.rawValue) }
            return ManagedAudioChannelLayout(bitmap: AudioChannelBitmap(rawValue: bits))
        }
    }
}
