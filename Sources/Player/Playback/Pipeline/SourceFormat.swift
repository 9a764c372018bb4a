import CoreMedia
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM

/// Conversions from a format description.
enum SourceFormat {
    /// Returns the properties that decide the wire format.
    static func sound(of format: CMFormatDescription) throws -> SourceSound {
        guard let description = format.audioStreamBasicDescription,
            let rate = SampleRate(description.mSampleRate)
        else { throw RenderError("the buffer's format has no sample rate") }
        return SourceSound(
            coding: coding(of: description), sampleRate: rate,
            channelCount: Int(description.mChannelsPerFrame))
    }

    private static func coding(of description: AudioStreamBasicDescription) -> SourceSound.Coding {
        switch description.mFormatID {
        case kAudioFormatMPEG4AAC where description.mFramesPerPacket == 1024: .aacLC
        case kAudioFormatLinearPCM:
            description.mFormatFlags & kAudioFormatFlagIsFloat != 0
                ? .floatSamples : .lossless(bits: Int(description.mBitsPerChannel))
        case kAudioFormatAppleLossless: .lossless(bits: appleLosslessBits(description.mFormatFlags))
        case kAudioFormatFLAC:
            .lossless(
                bits: (1...32).contains(description.mBitsPerChannel) ? Int(description.mBitsPerChannel) : 16)
        default: .lossy(codec: codecName(of: description.mFormatID))
        }
    }

    private static func codecName(of format: UInt32) -> String {
        switch format {
        case kAudioFormatMPEGLayer3: "MP3"
        case kAudioFormatOpus: "Opus"
        case kAudioFormatMPEG4AAC: "AAC that is not AAC-LC"
        case kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: "HE-AAC"
        default: "format '\(fourCharacters(format))'"
        }
    }

    private static func appleLosslessBits(_ flags: UInt32) -> Int {
        switch flags {
        case 2: 20
        case 3: 24
        case 4: 32
        default: 16
        }
    }

    /// Returns the decoder's parameters.
    static func parameters(of format: CMFormatDescription) throws -> AudioStreamParameters {
        guard let description = format.audioStreamBasicDescription,
            let rate = SampleRate(description.mSampleRate)
        else { throw RenderError("the buffer's format has no sample rate") }
        let codec: AudioCodec
        switch description.mFormatID {
        case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: codec = .aac
        case kAudioFormatAppleLossless: codec = .alac
        case kAudioFormatMPEGLayer3: codec = .mp3
        case kAudioFormatFLAC: codec = .flac
        case kAudioFormatOpus: codec = .opus
        default:
            throw RenderError("no decoder for format '\(fourCharacters(description.mFormatID))'")
        }
        let bits: Int? =
            if case .lossless(let bits) = coding(of: description) { bits } else { nil }
        return try AudioStreamParameters(
            codec: codec, sampleRate: rate, channelCount: Int(description.mChannelsPerFrame), bitDepth: bits,
            cookie: DecoderCookie.normalized(format.magicCookie.map { Array($0) } ?? [], for: codec))
    }

    private static func fourCharacters(_ code: UInt32) -> String {
        String(
            [24, 16, 8, 0].map { shift in
                let byte = UInt8(truncatingIfNeeded: code >> shift)
                return (32..<127).contains(byte) ? Character(UnicodeScalar(byte)) : "?"
            })
    }
}

extension SampleRate {
    /// Rounds to the nearest whole rate; `nil` if not finite or out of range.
    init?(_ hertz: Double) {
        guard hertz.isFinite, abs(hertz) < 1e9 else { return nil }
        self.init(hertz: Int(hertz.rounded()))
    }
}
