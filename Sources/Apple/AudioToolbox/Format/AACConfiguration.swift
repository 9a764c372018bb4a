import CoreAudioTypes

/// The AudioSpecificConfig of AAC.
///
/// Layout: object type (5 bits, 31 means 32 plus 6 more), index of the rate (4, 15 means 24 bits of rate),
/// channels (4); object types 5 and 29 announce spectral band replication, with the doubled rate and the type
/// below it; then, for the types of AAC, a bit that is set for frames of 960, which the low delay kinds halve.
/// A sync word 0x2B7 at the end announces spectral band replication in a way that older decoders skip. Source:
/// ISO/IEC 14496-3, 1.6.2.1, 4.4.1 and 4.6.20.
struct AACConfiguration: Equatable {
    /// The object type of the core: 2 for low complexity, 23 and 39 for the low delay kinds, 42 for USAC.
    var objectType: Int
    /// The sample rate of the core in Hz.
    var sampleRate: Int
    /// The channel code: 7 stands for eight channels, 0 for a list that is not read here.
    var channelConfiguration: Int
    /// The sample rate of the decoded sound in Hz, if spectral band replication is announced.
    var extensionRate: Int?
    var hasParametricStereo = false
    var framesPerCorePacket = 1024

    static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
    ]

    init(objectType: Int, sampleRate: Int, channelConfiguration: Int) {
        self.objectType = objectType
        self.sampleRate = sampleRate
        self.channelConfiguration = channelConfiguration
    }

    /// Returns `nil` for bytes that are no such configuration.
    init?(_ bytes: some Sequence<UInt8>) {
        var bits = BitReader(bytes)
        guard var type = bits.objectType(), let rate = bits.rate(), let channels = bits.read(4) else {
            return nil
        }
        sampleRate = rate
        channelConfiguration = channels
        if type == 5 || type == 29 {
            guard let doubled = bits.rate(), let core = bits.objectType() else { return nil }
            hasParametricStereo = type == 29
            (extensionRate, type) = (doubled, core)
        }
        objectType = type
        guard sampleRate > 0, extensionRate.map({ $0 > 0 }) ?? true else { return nil }
        if [1, 2, 3, 4, 6, 7, 17, 19, 20, 21, 22, 23].contains(type) {
            if bits.read(1) == 1 { framesPerCorePacket = 960 }
            readBackwardCompatibleExtension(&bits)
        } else if type == 39, bits.read(1) == 1 {
            framesPerCorePacket = 960
        }
        if type == 23 || type == 39 { framesPerCorePacket = framesPerCorePacket / 2 }
    }

    private mutating func readBackwardCompatibleExtension(_ bits: inout BitReader) {
        guard extensionRate == nil else { return }
        // Depends on core coder (1 bit, 14 more if set), extension (1): both are clear in all streams of
        // players.
        guard bits.read(1) == 0, bits.read(1) == 0, bits.read(11) == 0x2B7, bits.objectType() == 5,
            bits.read(1) == 1, let doubled = bits.rate(), doubled > 0
        else { return }
        extensionRate = doubled
        if bits.read(11) == 0x548 { hasParametricStereo = bits.read(1) == 1 }
    }

    var channelCount: Int {
        switch channelConfiguration {
        case 1...6: channelConfiguration
        case 7: 8
        default: 0
        }
    }

    /// The encoded configuration without extensions: two bytes for a rate of the table, else five.
    var bytes: [UInt8] {
        let index = Self.rates.firstIndex(of: sampleRate) ?? 15
        if index < 15 {
            let bits =
                UInt16(objectType & 31) << 11 | UInt16(index) << 7 | UInt16(channelConfiguration & 15) << 3
            return [UInt8(bits >> 8), UInt8(bits & 0xFF)]
        }
        let bits =
            UInt64(objectType & 31) << 35 | 15 << 31 | UInt64(sampleRate & 0xFF_FFFF) << 7
            | UInt64(channelConfiguration & 15) << 3
        return [32, 24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
    }

    /// Returns the stream descriptions, best first: with all extensions, down to the core alone.
    ///
    /// - Parameter channels: The count to use if the configuration does not state it.
    func formats(channels fallback: Int = 2) -> [AudioFormatListItem] {
        let channels = channelCount == 0 ? fallback : channelCount
        let core = item(coreFormat, rate: sampleRate, channels: channels, frames: framesPerCorePacket)
        guard let extensionRate else { return [core] }
        let doubled = framesPerCorePacket * 2
        let replicated = item(
            kAudioFormatMPEG4AAC_HE, rate: extensionRate, channels: channels, frames: doubled)
        guard hasParametricStereo, channels == 1 else { return [replicated, core] }
        return [
            item(kAudioFormatMPEG4AAC_HE_V2, rate: extensionRate, channels: 2, frames: doubled), replicated,
            core,
        ]
    }

    private var coreFormat: AudioFormatID {
        switch objectType {
        case 23: kAudioFormatMPEG4AAC_LD
        case 39: kAudioFormatMPEG4AAC_ELD
        case 42: kAudioFormatMPEGD_USAC
        default: kAudioFormatMPEG4AAC
        }
    }

    private func item(_ id: AudioFormatID, rate: Int, channels: Int, frames: Int) -> AudioFormatListItem {
        var stream = AudioStreamBasicDescription()
        stream.mSampleRate = Double(rate)
        stream.mFormatID = id
        stream.mFramesPerPacket = UInt32(frames)
        stream.mChannelsPerFrame = UInt32(channels)
        return AudioFormatListItem(mASBD: stream, mChannelLayoutTag: Self.layoutTag(channels: channels))
    }

    /// Returns the layout that AAC uses for this many channels.
    static func layoutTag(channels: Int) -> AudioChannelLayoutTag {
        let tags = [
            kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_AAC_3_0,
            kAudioChannelLayoutTag_AAC_4_0, kAudioChannelLayoutTag_AAC_5_0, kAudioChannelLayoutTag_AAC_5_1,
        ]
        if channels == 8 { return kAudioChannelLayoutTag_AAC_7_1 }
        return tags.indices.contains(channels - 1)
            ? tags[channels - 1]
            : kAudioChannelLayoutTag_Unknown | UInt32(truncatingIfNeeded: channels & 0xFFFF)
    }
}

extension BitReader {
    fileprivate mutating func objectType() -> Int? {
        guard let type = read(5) else { return nil }
        return type == 31 ? read(6).map { 32 + $0 } : type
    }

    /// Returns the rate in Hz; 0 for an index without a rate.
    fileprivate mutating func rate() -> Int? {
        guard let index = read(4) else { return nil }
        if index == 15 { return read(24) }
        return AACConfiguration.rates.indices.contains(index) ? AACConfiguration.rates[index] : 0
    }
}

/// A reader of numbers of a few bits, most significant bit first.
struct BitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes.prefix(256)) }

    /// Returns `nil` past the end, and for every later read.
    mutating func read(_ count: Int) -> Int? {
        guard position + count <= bytes.count * 8 else {
            position = bytes.count * 8
            return count == 0 ? 0 : nil
        }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
            position += 1
        }
        return value
    }
}
