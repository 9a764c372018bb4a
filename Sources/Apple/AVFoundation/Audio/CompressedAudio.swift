/// Stream descriptions of compressed audio: the properties that all packets share.
enum CompressedAudio {
    /// Returns the stream description of an encoding.
    ///
    /// - Parameter bitDepth: The bits per sample of a lossless encoder's input; 0 for other encoders.
    static func stream(
        _ format: AudioFormatID, sampleRate: Double, channels: UInt32, bitDepth: UInt32 = 0,
        framesPerPacket: UInt32? = nil
    ) -> AudioStreamBasicDescription {
        let isCompanded = format == kAudioFormatULaw || format == kAudioFormatALaw
        return AudioStreamBasicDescription(
            mSampleRate: sampleRate, mFormatID: format, mFormatFlags: sourceFlags(format, bitDepth),
            mBytesPerPacket: isCompanded ? channels : 0,
            mFramesPerPacket: framesPerPacket ?? usualFramesPerPacket(format, sampleRate: sampleRate),
            mBytesPerFrame: isCompanded ? channels : 0, mChannelsPerFrame: channels,
            mBitsPerChannel: isCompanded ? 8 : (format == kAudioFormatFLAC ? bitDepth : 0), mReserved: 0)
    }

    /// Returns the constant packet length in frames; 0 if the length varies or depends on the encoder.
    private static func usualFramesPerPacket(_ format: AudioFormatID, sampleRate: Double) -> UInt32 {
        switch format {
        case kAudioFormatMPEG4AAC: 1024
        case kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: 2048
        case kAudioFormatMPEG4AAC_LD, kAudioFormatMPEG4AAC_ELD: 512
        case kAudioFormatMPEGLayer3: sampleRate < 32_000 ? 576 : 1152
        case kAudioFormatMPEGLayer2: 1152
        case kAudioFormatMPEGLayer1: 384
        case kAudioFormatAppleLossless: 4096
        case kAudioFormatAC3, kAudioFormatEnhancedAC3: 1536
        case kAudioFormatULaw, kAudioFormatALaw: 1
        default: 0
        }
    }

    private static func keepsBitDepth(_ format: AudioFormatID) -> Bool {
        format == kAudioFormatAppleLossless || format == kAudioFormatFLAC
    }

    private static func sourceFlags(_ format: AudioFormatID, _ bitDepth: UInt32) -> AudioFormatFlags {
        guard keepsBitDepth(format), bitDepth > 0 else { return 0 }
        switch bitDepth {
        case ...16: return kAppleLosslessFormatFlag_16BitSourceData
        case ...20: return kAppleLosslessFormatFlag_20BitSourceData
        case ...24: return kAppleLosslessFormatFlag_24BitSourceData
        default: return kAppleLosslessFormatFlag_32BitSourceData
        }
    }

    /// Returns the bits per sample of a lossless stream; `nil` for other streams, or if the flags state none.
    static func bitDepth(of stream: AudioStreamBasicDescription) -> UInt32? {
        guard keepsBitDepth(stream.mFormatID) else { return nil }
        switch stream.mFormatFlags {
        case kAppleLosslessFormatFlag_16BitSourceData: return 16
        case kAppleLosslessFormatFlag_20BitSourceData: return 20
        case kAppleLosslessFormatFlag_24BitSourceData: return 24
        case kAppleLosslessFormatFlag_32BitSourceData: return 32
        default: return nil
        }
    }
}
