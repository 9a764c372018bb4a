import CoreAudioTypes
import Foundation
import TuttiCodecs
import TuttiMediaTime

/// The interpretation of stream descriptions and magic cookies of compressed sound.
enum CompressedFormat {
    /// Returns the codec of an encoding; `nil` if the encoding is not supported.
    static func codec(of id: AudioFormatID) -> AudioCodec? {
        switch id {
        case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2,
            kAudioFormatMPEG4AAC_LD, kAudioFormatMPEG4AAC_ELD:
            .aac
        case kAudioFormatAppleLossless: .alac
        case kAudioFormatMPEGLayer3: .mp3
        case kAudioFormatFLAC: .flac
        case kAudioFormatOpus: .opus
        default: nil
        }
    }

    /// Returns the parameters for the decoder; `nil` if there is none, or if the description is invalid.
    static func parameters(
        of stream: AudioStreamBasicDescription, cookie: [UInt8]
    ) -> AudioStreamParameters? {
        guard let codec = codec(of: stream.mFormatID), stream.mSampleRate.isFinite,
            abs(stream.mSampleRate) < 1e9, let rate = SampleRate(hertz: Int(stream.mSampleRate.rounded())),
            (1...64).contains(stream.mChannelsPerFrame)
        else { return nil }
        var bytes = DecoderCookie.normalized(cookie, for: codec)
        if codec == .aac, bytes.isEmpty { bytes = presumedConfiguration(of: stream).bytes }
        return try? AudioStreamParameters(
            codec: codec, sampleRate: rate, channelCount: Int(stream.mChannelsPerFrame),
            bitDepth: bitDepth(of: stream), cookie: bytes)
    }

    /// Returns a presumed configuration for AAC that came without one.
    private static func presumedConfiguration(of stream: AudioStreamBasicDescription) -> AACConfiguration {
        var rate = Int(stream.mSampleRate.rounded())
        var channels = Int(stream.mChannelsPerFrame)
        if stream.mFormatID == kAudioFormatMPEG4AAC_HE || stream.mFormatID == kAudioFormatMPEG4AAC_HE_V2 {
            rate /= 2
            if stream.mFormatID == kAudioFormatMPEG4AAC_HE_V2 { channels = 1 }
        }
        let type =
            switch stream.mFormatID {
            case kAudioFormatMPEG4AAC_LD: 23
            default: 2
            }
        return AACConfiguration(
            objectType: type, sampleRate: rate, channelConfiguration: channels == 8 ? 7 : min(channels, 6))
    }

    /// Returns the bit depth of a lossless stream; `nil` for other encodings.
    static func bitDepth(of stream: AudioStreamBasicDescription) -> Int? {
        guard stream.mFormatID == kAudioFormatAppleLossless || stream.mFormatID == kAudioFormatFLAC else {
            return nil
        }
        switch stream.mFormatFlags {
        case kAppleLosslessFormatFlag_16BitSourceData: return 16
        case kAppleLosslessFormatFlag_20BitSourceData: return 20
        case kAppleLosslessFormatFlag_24BitSourceData: return 24
        case kAppleLosslessFormatFlag_32BitSourceData: return 32
        default: return (1...32).contains(stream.mBitsPerChannel) ? Int(stream.mBitsPerChannel) : 16
        }
    }

    /// Returns the flag of a lossless stream whose source had this bit depth.
    static func flags(bitDepth: Int) -> AudioFormatFlags {
        switch bitDepth {
        case ...16: kAppleLosslessFormatFlag_16BitSourceData
        case ...20: kAppleLosslessFormatFlag_20BitSourceData
        case ...24: kAppleLosslessFormatFlag_24BitSourceData
        default: kAppleLosslessFormatFlag_32BitSourceData
        }
    }

    /// Returns the formats in which a stream can be read, best first, from its cookie or else its
    /// description.
    static func formats(of stream: AudioStreamBasicDescription, cookie: [UInt8]) -> [AudioFormatListItem] {
        if codec(of: stream.mFormatID) == .aac, !cookie.isEmpty,
            let configuration = AACConfiguration(DecoderCookie.normalized(cookie, for: .aac))
        {
            return configuration.formats(channels: max(1, Int(clamping: stream.mChannelsPerFrame)))
        }
        let whole = completed(stream, cookie: cookie)
        let tag = AACConfiguration.layoutTag(channels: Int(clamping: whole.mChannelsPerFrame))
        return [AudioFormatListItem(mASBD: whole, mChannelLayoutTag: tag)]
    }

    /// Returns the description with the fields filled in that follow from its encoding and its cookie.
    static func completed(
        _ stream: AudioStreamBasicDescription, cookie: [UInt8] = []
    ) -> AudioStreamBasicDescription {
        var result = stream
        switch stream.mFormatID {
        case kAudioFormatLinearPCM: return completedPCM(stream)
        case kAudioFormatAppleLossless:
            fill(&result, appleLossless: DecoderCookie.normalized(cookie, for: .alac))
        case kAudioFormatFLAC: fill(&result, flac: DecoderCookie.normalized(cookie, for: .flac))
        case kAudioFormatOpus: fill(&result, opus: DecoderCookie.normalized(cookie, for: .opus))
        default:
            if codec(of: stream.mFormatID) == .aac, !cookie.isEmpty,
                let configuration = AACConfiguration(DecoderCookie.normalized(cookie, for: .aac))
            {
                let formats = configuration.formats(channels: max(1, Int(clamping: stream.mChannelsPerFrame)))
                // Prefer the caller's own encoding if the configuration offers it.
                result = (formats.first { $0.mASBD.mFormatID == stream.mFormatID } ?? formats[0]).mASBD
            }
        }
        if result.mFramesPerPacket == 0 {
            result.mFramesPerPacket = framesPerPacket(of: result.mFormatID, rate: result.mSampleRate)
        }
        if result.mFormatID == kAudioFormatULaw || result.mFormatID == kAudioFormatALaw {
            (result.mBytesPerPacket, result.mBytesPerFrame) = (
                result.mChannelsPerFrame, result.mChannelsPerFrame
            )
            result.mBitsPerChannel = 8
        } else {
            (result.mBytesPerPacket, result.mBytesPerFrame) = (0, 0)
            if result.mFormatID != kAudioFormatFLAC { result.mBitsPerChannel = 0 }
        }
        return result
    }

    /// Returns the frames in every packet; 0 if they vary or the encoding is unknown.
    static func framesPerPacket(of id: AudioFormatID, rate: Double) -> UInt32 {
        switch id {
        case kAudioFormatMPEG4AAC, kAudioFormatMPEGD_USAC: 1024
        case kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: 2048
        case kAudioFormatMPEG4AAC_LD, kAudioFormatMPEG4AAC_ELD: 512
        case kAudioFormatMPEGLayer3: rate > 0 && rate < 32_000 ? 576 : 1152
        case kAudioFormatMPEGLayer2: 1152
        case kAudioFormatMPEGLayer1: 384
        case kAudioFormatAppleLossless: 4096
        case kAudioFormatAC3, kAudioFormatEnhancedAC3: 1536
        case kAudioFormatULaw, kAudioFormatALaw: 1
        default: 0
        }
    }

    private static func completedPCM(_ stream: AudioStreamBasicDescription) -> AudioStreamBasicDescription {
        var result = stream
        let bytes = ((stream.mBitsPerChannel & 0xFF) + 7) / 8
        let channels =
            stream.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0 ? 1 : stream.mChannelsPerFrame
        if result.mBytesPerFrame == 0 { result.mBytesPerFrame = bytes &* channels }
        result.mFramesPerPacket = 1
        if result.mBytesPerPacket == 0 { result.mBytesPerPacket = result.mBytesPerFrame }
        return result
    }

    /// Layout of the 24 bytes: frames per packet (32), version, bit depth, three factors, channels, longest
    /// run (16), largest packet, bit rate, sample rate (32 each). An atom of 36 bytes contains them here.
    private static func fill(_ stream: inout AudioStreamBasicDescription, appleLossless atom: [UInt8]) {
        guard atom.count >= 36 else { return }
        stream.mFramesPerPacket = bigEndian(atom[12..<16])
        stream.mFormatFlags = flags(bitDepth: Int(atom[17]))
        stream.mChannelsPerFrame = UInt32(atom[21])
        stream.mSampleRate = Double(bigEndian(atom[32..<36]))
    }

    /// Layout of STREAMINFO: least and most frames of a packet (16 each), least and most bytes (24), rate (20 bits),
    /// channels minus 1 (3), bits minus 1 (5), frames (36), checksum. Source: RFC 9639, 8.2.
    private static func fill(_ stream: inout AudioStreamBasicDescription, flac info: [UInt8]) {
        guard info.count >= 34 else { return }
        let (least, most) = (bigEndian(info[0..<2]), bigEndian(info[2..<4]))
        stream.mFramesPerPacket = least == most ? most : 0
        let packed = bigEndian(info[10..<14])
        stream.mSampleRate = Double(packed >> 12)
        stream.mChannelsPerFrame = (packed >> 9 & 7) + 1
        stream.mBitsPerChannel = (packed >> 4 & 31) + 1
        stream.mFormatFlags = flags(bitDepth: Int(stream.mBitsPerChannel))
    }

    private static func fill(_ stream: inout AudioStreamBasicDescription, opus head: [UInt8]) {
        guard head.count >= 10 else { return }
        stream.mSampleRate = 48_000
        stream.mChannelsPerFrame = UInt32(head[9])
    }

    private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
