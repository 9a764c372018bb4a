import AVFoundation
import Testing

@Suite("Audio formats")
struct AVAudioFormatTests {
    static let commons: [(AVAudioCommonFormat, bytes: UInt32, flags: AudioFormatFlags)] = [
        (.pcmFormatFloat32, 4, 9), (.pcmFormatFloat64, 8, 9), (.pcmFormatInt16, 2, 12),
        (.pcmFormatInt32, 4, 12),
    ]

    @Test("common formats describe their samples", arguments: commons)
    func common(format: AVAudioCommonFormat, bytes: UInt32, flags: AudioFormatFlags) throws {
        for interleaved in [true, false] {
            let made = try #require(
                AVAudioFormat(
                    commonFormat: format, sampleRate: 48_000, channels: 2, interleaved: interleaved))
            let stream = made.streamDescription.pointee
            let width = interleaved ? bytes * 2 : bytes
            #expect(stream.mFormatID == kAudioFormatLinearPCM && stream.mBitsPerChannel == bytes * 8)
            #expect(stream.mFormatFlags == (interleaved ? flags : flags | 32))
            #expect(stream.mBytesPerFrame == width && stream.mBytesPerPacket == width)
            #expect(stream.mFramesPerPacket == 1 && stream.mChannelsPerFrame == 2)
            #expect(made.commonFormat == format && made.isInterleaved == interleaved)
            #expect(made.sampleRate == 48_000 && made.channelCount == 2 && made.channelLayout == nil)
            #expect(made.isStandard == (format == .pcmFormatFloat32 && !interleaved))
            #expect(made.formatDescription.audioStreamBasicDescription == stream)
            #expect(made.magicCookie == nil)
            #expect(AVAudioFormat(settings: made.settings) == made)
            #expect(AVAudioFormat(cmAudioFormatDescription: made.formatDescription) == made)
        }
    }

    @Test("the standard format is deinterleaved float")
    func standard() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        #expect(format.isStandard && !format.isInterleaved && format.commonFormat == .pcmFormatFloat32)
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        let surround = AVAudioFormat(standardFormatWithSampleRate: 44_100, channelLayout: layout)
        #expect(surround.channelCount == 6 && surround.channelLayout === layout && surround.isStandard)
        #expect(surround.formatDescription.audioChannelLayout?.tag == kAudioChannelLayoutTag_MPEG_5_1_A)
        #expect(AVAudioFormat(settings: surround.settings) == surround)
        #expect(AVAudioFormat(cmAudioFormatDescription: surround.formatDescription) == surround)
        #expect(format.description == "1 ch, 44100 Hz, Float32")
        #expect(surround.description == "6 ch, 44100 Hz, Float32, deinterleaved")
    }

    @Test("invalid parameters yield no format")
    func refused() {
        #expect(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 3) == nil)
        #expect(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 0) == nil)
        #expect(AVAudioFormat(standardFormatWithSampleRate: .nan, channels: 2) == nil)
        #expect(AVAudioFormat(standardFormatWithSampleRate: -1, channels: 2) == nil)
        #expect(
            AVAudioFormat(commonFormat: .otherFormat, sampleRate: 1, channels: 2, interleaved: true) == nil)
        #expect(
            AVAudioFormat(
                commonFormat: .pcmFormatInt32, sampleRate: 1, channels: .max, interleaved: true) == nil)
        var stream = AudioStreamBasicDescription()
        stream.mChannelsPerFrame = 6
        #expect(AVAudioFormat(streamDescription: &stream) == nil)
        let layout = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo)
        #expect(AVAudioFormat(streamDescription: &stream, channelLayout: layout) == nil)
        #expect(AVAudioFormat(streamDescription: &stream, channelLayout: nil) == nil)
    }

    /// Flags, bytes of a stereo frame, bits: formats that must not count as a common format.
    static let others: [(AudioFormatFlags, UInt32, UInt32)] = [
        (4 | 8 | 2, 4, 16), (8, 4, 16), (4 | 8, 6, 24), (4 | 16, 8, 24), (1 | 8 | 2, 8, 32), (4, 8, 16),
        (4 | 8, 2, 8), (1 | 8, 4, 16),
    ]

    @Test("other formats keep their description", arguments: others)
    func other(flags: AudioFormatFlags, bytes: UInt32, bits: UInt32) throws {
        var stream = AudioStreamBasicDescription(
            mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
            mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: 2,
            mBitsPerChannel: bits, mReserved: 0)
        let format = try #require(AVAudioFormat(streamDescription: &stream))
        #expect(format.commonFormat == .otherFormat && !format.isStandard)
        #expect(format.streamDescription.pointee == stream)
    }

    @Test("a compressed format keeps its cookie, and accepts a new one")
    func cookie() throws {
        var stream = AudioStreamBasicDescription()
        (stream.mSampleRate, stream.mFormatID) = (44_100, kAudioFormatMPEG4AAC)
        (stream.mFramesPerPacket, stream.mChannelsPerFrame) = (1024, 2)
        let format = try #require(AVAudioFormat(streamDescription: &stream))
        let pointer = format.streamDescription
        format.magicCookie = Data([1, 2, 3])
        #expect(format.magicCookie == Data([1, 2, 3]))
        #expect(format.formatDescription.magicCookie == Data([1, 2, 3]))
        #expect(pointer.pointee == stream && format.streamDescription == pointer)
        let copy = AVAudioFormat(cmAudioFormatDescription: format.formatDescription)
        #expect(copy.magicCookie == Data([1, 2, 3]) && copy == format)
        format.magicCookie = nil
        #expect(format.magicCookie == nil && format.commonFormat == .otherFormat)
        #expect(format.description == "2 ch, 44100 Hz, 'aac '")
    }

    private static func stream(_ channels: UInt32, _ flags: AudioFormatFlags) -> AudioStreamBasicDescription {
        let width = flags & 32 == 0 ? 2 * channels : 2
        return AudioStreamBasicDescription(
            mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
            mBytesPerPacket: width, mFramesPerPacket: 1, mBytesPerFrame: width, mChannelsPerFrame: channels,
            mBitsPerChannel: 16, mReserved: 0)
    }

    /// Channels, flags of both, whether the formats are equal.
    static let pairs: [(UInt32, AudioFormatFlags, AudioFormatFlags, Bool)] = [
        (1, 12, 12 | 32, true), (2, 12, 12 | 32, false), (2, 12, 4, true), (2, 12, 4 | 16, true),
        (2, 12, 12 | 2, false), (2, 12, 8, false),
    ]

    @Test("equal formats compare equal however they were made", arguments: pairs)
    func equality(channels: UInt32, left: AudioFormatFlags, right: AudioFormatFlags, areEqual: Bool) throws {
        var (first, second) = (Self.stream(channels, left), Self.stream(channels, right))
        let a = try #require(AVAudioFormat(streamDescription: &first))
        let b = try #require(AVAudioFormat(streamDescription: &second))
        #expect((a == b) == areEqual && a.isEqual(b) == areEqual && a.isEqual(a) && !a.isEqual("format"))
        if areEqual { #expect(a.hash == b.hash) }
    }

    @Test("an explicit stereo layout equals none; other layouts differ")
    func layoutEquality() throws {
        let plain = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let stereo = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
        let pair = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | 2))
        let named = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: stereo)
        let discrete = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: pair)
        #expect(plain == named && plain.hash == named.hash && plain != discrete && named != discrete)
        #expect(plain != AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    }

    @Test("settings hold numbers that read as any numeric type")
    func settings() throws {
        let format = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 2, interleaved: true))
        let settings = format.settings
        #expect(settings[AVSampleRateKey] as? Double == 44_100)
        #expect(settings[AVFormatIDKey] as? UInt32 == kAudioFormatLinearPCM)
        #expect(settings[AVNumberOfChannelsKey] as? Int == 2)
        #expect(settings[AVLinearPCMBitDepthKey] as? Int == 16)
        #expect(settings[AVLinearPCMIsFloatKey] as? Bool == false)
        #expect(settings[AVLinearPCMIsBigEndianKey] as? Bool == false)
        #expect(settings[AVLinearPCMIsNonInterleaved] as? Bool == false)
        #expect(settings[AVChannelLayoutKey] == nil)
    }

    @Test("settings that programs commonly write make the expected format")
    func fromSettings() throws {
        let pcm = try #require(
            AVAudioFormat(settings: [
                AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 22_050.0, AVNumberOfChannelsKey: 1,
                AVLinearPCMBitDepthKey: 24, AVLinearPCMIsBigEndianKey: true,
            ]))
        #expect(pcm.streamDescription.pointee.mFormatFlags == 4 | 8 | 2)
        #expect(pcm.streamDescription.pointee.mBytesPerFrame == 3)
        let usual = try #require(
            AVAudioFormat(settings: [
                AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: 44_100,
                AVNumberOfChannelsKey: NSNumber(value: 2),
            ]))
        #expect(usual.commonFormat == .pcmFormatInt16 && usual.isInterleaved)
        let aac = try #require(
            AVAudioFormat(settings: [
                AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: Float(48_000), AVNumberOfChannelsKey: 2,
                AVEncoderBitRateKey: 256_000,
            ]))
        #expect(aac.streamDescription.pointee.mFramesPerPacket == 1024 && aac.sampleRate == 48_000)
        let alac = try #require(
            AVAudioFormat(settings: [
                AVFormatIDKey: kAudioFormatAppleLossless, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
                AVEncoderBitDepthHintKey: 24,
            ]))
        let flags = alac.streamDescription.pointee.mFormatFlags
        #expect(flags == kAppleLosslessFormatFlag_24BitSourceData)
        #expect(AVAudioFormat(settings: alac.settings) == alac)
    }

    static let badSettings: [[String: any Sendable]] = [
        [:], [AVFormatIDKey: 1], [AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2],
        [AVSampleRateKey: 44_100, AVFormatIDKey: Int(kAudioFormatLinearPCM)],
        valid([AVNumberOfChannelsKey: 3]), valid([AVNumberOfChannelsKey: 0]),
        valid([AVNumberOfChannelsKey: -1]), valid([AVNumberOfChannelsKey: 1e300]),
        valid([AVLinearPCMBitDepthKey: 4]), valid([AVLinearPCMBitDepthKey: 40]),
        valid([AVLinearPCMBitDepthKey: 17]), valid([AVLinearPCMIsFloatKey: true]),
        valid([AVLinearPCMIsBigEndianKey: "yes"]), valid([AVSampleRateKey: "fast"]),
        valid([AVSampleRateKey: Double.nan]), valid([AVChannelLayoutKey: 5]),
        valid([AVChannelLayoutKey: Data([1, 2, 3])]),
        valid([AVNumberOfChannelsKey: Int(UInt32.max), AVChannelLayoutKey: Data(count: 32)]),
    ]

    private static func valid(_ changes: [String: any Sendable]) -> [String: any Sendable] {
        let settings: [String: any Sendable] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
        ]
        return settings.merging(changes) { $1 }
    }

    @Test("settings that describe no format are refused", arguments: badSettings)
    func refusedSettings(settings: [String: any Sendable]) {
        #expect(AVAudioFormat(settings: settings) == nil)
    }
}

@Suite("Channel layouts")
struct AVAudioChannelLayoutTests {
    @Test("a layout is made from its tag")
    func tags() throws {
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        #expect(layout.channelCount == 6 && layout.layoutTag == kAudioChannelLayoutTag_MPEG_5_1_A)
        #expect(layout.layout.pointee.mChannelLayoutTag == kAudioChannelLayoutTag_MPEG_5_1_A)
        #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_UseChannelBitmap) == nil)
        #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_UseChannelDescriptions) == nil)
        #expect(layout == AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        #expect(layout != AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
    }

    @Test("a layout is copied from its C form, descriptions included")
    func descriptions() {
        let count = 3
        let size = 12 + count * 20
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        memory.storeBytes(of: UInt32(count), toByteOffset: 8, as: UInt32.self)
        for index in 0..<count {
            memory.storeBytes(of: UInt32(index + 1), toByteOffset: 12 + index * 20, as: UInt32.self)
        }
        guard let start = memory.baseAddress else { return }
        let layout = AVAudioChannelLayout(layout: start.assumingMemoryBound(to: AudioChannelLayout.self))
        #expect(layout.channelCount == 3 && layout.layout.pointee.mNumberChannelDescriptions == 3)
        let copied = UnsafeRawBufferPointer(start: layout.layout, count: size)
        #expect(copied.elementsEqual(UnsafeRawBufferPointer(memory)))
        #expect(layout == AVAudioChannelLayout(layout: layout.layout) && layout.hash != 0)
        var bitmap = AudioChannelLayout()
        bitmap.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelBitmap
        bitmap.mChannelBitmap = [.bit_Left, .bit_Right, .bit_LFEScreen]
        #expect(AVAudioChannelLayout(layout: &bitmap).channelCount == 3)
    }
}
