import TuttiCodecs
import TuttiPCM

/// The formats of a file's sound, in Core Media's terms.
enum FileSoundFormat {
    /// Returns the format of the data in the file.
    ///
    /// `nil` if the channels cannot be described, which cannot happen for a file that can be opened.
    static func fileFormat(of info: MediaInfo) -> AVAudioFormat? {
        let cookie = info.cookie.isEmpty || info.isUncompressed ? nil : Data(info.cookie)
        return AVAudioFormat(checking: stream(of: info), layout: layout(of: info), cookie: cookie)
    }

    /// Returns the PCM format of the frames that are read.
    static func processingFormat(
        of info: MediaInfo, _ format: AVAudioCommonFormat, interleaved: Bool
    ) -> AVAudioFormat? {
        let stream = format.stream(
            sampleRate: Double(info.sampleRate.hertz), channels: UInt32(info.channelCount),
            interleaved: interleaved)
        return stream.flatMap { AVAudioFormat(checking: $0, layout: layout(of: info)) }
    }

    private static func stream(of info: MediaInfo) -> AudioStreamBasicDescription {
        let (rate, channels) = (Double(info.sampleRate.hertz), UInt32(info.channelCount))
        switch info.codec {
        case .pcm(.integer(let bits)):
            let isSigned = !info.stream.codecName.hasPrefix("pcm_u")
            return linear(info, bits: bits, isSigned ? kAudioFormatFlagIsSignedInteger : 0)
        case .pcm(.float(let bits)): return linear(info, bits: bits, kAudioFormatFlagIsFloat)
        default:
            return CompressedAudio.stream(
                formatID(of: info), sampleRate: rate, channels: channels,
                bitDepth: UInt32(clamping: info.bitDepth ?? 0), framesPerPacket: framesPerPacket(of: info))
        }
    }

    private static func linear(
        _ info: MediaInfo, bits: Int, _ kind: AudioFormatFlags
    ) -> AudioStreamBasicDescription {
        let width = UInt32(bits / 8 * info.channelCount)
        let isBigEndian = info.stream.codecName.hasSuffix("be")
        return AudioStreamBasicDescription(
            mSampleRate: Double(info.sampleRate.hertz), mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kind | kAudioFormatFlagIsPacked | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0),
            mBytesPerPacket: width, mFramesPerPacket: 1, mBytesPerFrame: width,
            mChannelsPerFrame: UInt32(info.channelCount), mBitsPerChannel: UInt32(bits), mReserved: 0)
    }

    private static func formatID(of info: MediaInfo) -> AudioFormatID {
        switch info.codec {
        case .aac: aacFormatID(info.aacProfile)
        case .alac: kAudioFormatAppleLossless
        case .mp3: kAudioFormatMPEGLayer3
        case .flac: kAudioFormatFLAC
        case .opus: kAudioFormatOpus
        default: others[info.stream.codecName] ?? AudioFormatID(firstLettersOf: info.stream.codecName)
        }
    }

    private static func aacFormatID(_ profile: AACProfile?) -> AudioFormatID {
        switch profile {
        case .highEfficiency: kAudioFormatMPEG4AAC_HE
        case .highEfficiencyV2: kAudioFormatMPEG4AAC_HE_V2
        // FFmpeg's profile numbers are MPEG-4 audio object types minus 1.
        case .other(22): kAudioFormatMPEG4AAC_LD
        case .other(38): kAudioFormatMPEG4AAC_ELD
        default: kAudioFormatMPEG4AAC
        }
    }

    private static let others: [String: AudioFormatID] = [
        "pcm_alaw": kAudioFormatALaw, "pcm_mulaw": kAudioFormatULaw, "mp2": kAudioFormatMPEGLayer2,
        "mp1": kAudioFormatMPEGLayer1, "ac3": kAudioFormatAC3, "eac3": kAudioFormatEnhancedAC3,
        "amr_nb": kAudioFormatAMR, "amr_wb": kAudioFormatAMR_WB, "adpcm_ima_qt": kAudioFormatAppleIMA4,
    ]

    /// Returns the packet length in an Apple Lossless cookie; `nil` for other codecs.
    private static func framesPerPacket(of info: MediaInfo) -> UInt32? {
        guard info.codec == .alac else { return nil }
        // The packet length begins the configuration: a cookie of 24 bytes, or the end of a 36-byte atom.
        let start = info.cookie.count >= 36 ? 12 : 0
        guard info.cookie.count >= start + 24 else { return nil }
        return info.cookie[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Returns the layout of more than two channels; `nil` for mono and stereo.
    private static func layout(of info: MediaInfo) -> AVAudioChannelLayout? {
        let channels = info.stream.channelLayout
        guard channels.channelCount > 2 else { return nil }
        let places = Set(channels.positions)
        if places == surround || places == sideSurround {
            return AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A)
        }
        // Position numbers up to `topBackRight` are the bit numbers of the bitmap.
        if !places.isEmpty, places.allSatisfy({ $0.rawValue <= ChannelLayout.Position.topBackRight.rawValue })
        {
            let bits = places.reduce(0 as UInt32) { $0 | 1 << UInt32($1.rawValue) }
            return AVAudioChannelLayout(ManagedAudioChannelLayout(bitmap: AudioChannelBitmap(rawValue: bits)))
        }
        let tag = kAudioChannelLayoutTag_DiscreteInOrder | AudioChannelLayoutTag(channels.channelCount)
        return AVAudioChannelLayout(layoutTag: tag)
    }

    private static let surround: Set<ChannelLayout.Position> = [
        .frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight,
    ]
    private static let sideSurround: Set<ChannelLayout.Position> = [
        .frontLeft, .frontRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight,
    ]
}

extension MediaInfo {
    /// Whether the file stores PCM samples, which need no decoder configuration.
    fileprivate var isUncompressed: Bool {
        if case .pcm = codec { true } else { false }
    }
}

extension AudioFormatID {
    /// Creates a code for a codec without an Apple code: the first four letters of its name.
    fileprivate init(firstLettersOf name: String) {
        let letters = Array(name.utf8.prefix(4)) + Array(repeating: UInt8(ascii: " "), count: 4)
        self = letters.prefix(4).reduce(0) { $0 << 8 | AudioFormatID($1) }
    }
}
