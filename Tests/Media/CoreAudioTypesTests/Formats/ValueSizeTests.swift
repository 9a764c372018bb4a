import CoreAudioTypes
import Testing

@Suite("Sizes and codes of audio types")
struct ValueSizeTests {
    static let sizes: [(name: String, size: Int, expected: Int)] = [
        ("AudioStreamBasicDescription", MemoryLayout<AudioStreamBasicDescription>.size, 40),
        ("AudioStreamPacketDescription", MemoryLayout<AudioStreamPacketDescription>.size, 16),
        ("AudioBuffer", MemoryLayout<AudioBuffer>.size, 16),
        ("AudioBufferList", MemoryLayout<AudioBufferList>.size, 24),
        ("AudioChannelDescription", MemoryLayout<AudioChannelDescription>.size, 20),
        ("AudioChannelLayout", MemoryLayout<AudioChannelLayout>.size, 32),
        ("AudioFormatListItem", MemoryLayout<AudioFormatListItem>.size, 48),
        ("AudioClassDescription", MemoryLayout<AudioClassDescription>.size, 12),
        ("AudioValueRange", MemoryLayout<AudioValueRange>.size, 16),
        ("SMPTETime", MemoryLayout<SMPTETime>.size, 24),
        ("AudioTimeStamp", MemoryLayout<AudioTimeStamp>.size, 64),
        ("DarwinBoolean", MemoryLayout<DarwinBoolean>.size, 1),
    ]

    @Test("values have the sizes of their C forms, which programs compute with", arguments: sizes)
    func size(name: String, size: Int, expected: Int) {
        #expect(size == expected, "\(name)")
    }

    static let codes: [(code: UInt32, expected: UInt32)] = [
        (kAudioFormatLinearPCM, 1_819_304_813), (kAudioFormatMPEG4AAC, 1_633_772_320),
        (kAudioFormatAppleLossless, 1_634_492_771), (kAudioFormatMPEGLayer3, 778_924_083),
        (kAudioFormatFLAC, 1_718_378_851), (kAudioFormatOpus, 1_869_641_075),
    ]

    @Test("format codes have the numbers that programs store", arguments: codes)
    func code(code: UInt32, expected: UInt32) { #expect(code == expected) }

    @Test("a four-character code has its first character in the highest byte")
    func fourCharacters() {
        #expect(FourCharCode(fourCharacters: "abcd") == 0x6162_6364)
        #expect(FourCharCode(fourCharacters: "...A") == 0x2E2E_2E41)
    }

    static let channelCounts: [(tag: AudioChannelLayoutTag, count: UInt32)] = [
        (kAudioChannelLayoutTag_UseChannelDescriptions, 0), (kAudioChannelLayoutTag_UseChannelBitmap, 0),
        (kAudioChannelLayoutTag_Mono, 1), (kAudioChannelLayoutTag_Stereo, 2),
        (kAudioChannelLayoutTag_ITU_2_1, 3), (kAudioChannelLayoutTag_Ambisonic_B_Format, 4),
        (kAudioChannelLayoutTag_AAC_5_1, 6), (kAudioChannelLayoutTag_AudioUnit_7_0_Front, 7),
        (kAudioChannelLayoutTag_Cube, 8), (kAudioChannelLayoutTag_Atmos_9_1_6, 16),
        (kAudioChannelLayoutTag_Unknown | 5, 5), (kAudioChannelLayoutTag_DiscreteInOrder | 0xFFFF, 0xFFFF),
    ]

    @Test("a layout tag states its channels in its lower half", arguments: channelCounts)
    func channels(tag: AudioChannelLayoutTag, count: UInt32) {
        #expect(AudioChannelLayoutTag_GetNumberOfChannels(tag) == count)
        if count > 0 { #expect(ManagedAudioChannelLayout(tag: tag).numberOfChannels == Int(count)) }
    }

    @Test("a C Boolean is made from a literal and from a Swift Boolean, and prints like one")
    func boolean() {
        let literal: DarwinBoolean = true
        #expect(literal.boolValue && literal == DarwinBoolean(true) && literal != DarwinBoolean(false))
        #expect("\(literal)" == "true" && "\(DarwinBoolean(false))" == "false")
    }

    @Test("a time stamp names its valid fields, and a new one has none")
    func timeStamp() {
        var stamp = AudioTimeStamp()
        #expect(stamp.mFlags.isEmpty && stamp.mSMPTETime.mFlags.isEmpty && stamp.mSMPTETime.mType == .type24)
        stamp.mFlags = .sampleHostTimeValid
        #expect(stamp.mFlags.contains(.sampleTimeValid) && stamp.mFlags.contains(.hostTimeValid))
        #expect(!stamp.mFlags.contains(.rateScalarValid) && stamp.mFlags.rawValue == 3)
        #expect(SMPTETimeType(rawValue: 5) == .type2997Drop && SMPTETimeType(rawValue: 11) == .type2398)
        #expect(SMPTETimeType(rawValue: 12) == nil)
    }
}
