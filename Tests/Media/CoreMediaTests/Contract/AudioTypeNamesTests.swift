import CoreMedia
import Testing

@Suite("Contract: audio types")
struct AudioTypeNamesTests {
    static let formats: [(AudioFormatID, String)] = [
        (kAudioFormatLinearPCM, "lpcm"), (kAudioFormatMPEG4AAC, "aac "), (kAudioFormatMPEG4AAC_HE, "aach"),
        (kAudioFormatMPEG4AAC_HE_V2, "aacp"), (kAudioFormatMPEG4AAC_LD, "aacl"),
        (kAudioFormatMPEG4AAC_ELD, "aace"), (kAudioFormatMPEG4AAC_ELD_SBR, "aacf"),
        (kAudioFormatMPEG4AAC_ELD_V2, "aacg"), (kAudioFormatMPEG4AAC_Spatial, "aacs"),
        (kAudioFormatMPEGD_USAC, "usac"), (kAudioFormatAppleLossless, "alac"),
        (kAudioFormatMPEGLayer1, ".mp1"), (kAudioFormatMPEGLayer2, ".mp2"), (kAudioFormatMPEGLayer3, ".mp3"),
        (kAudioFormatFLAC, "flac"), (kAudioFormatOpus, "opus"), (kAudioFormatAC3, "ac-3"),
        (kAudioFormatEnhancedAC3, "ec-3"), (kAudioFormatULaw, "ulaw"), (kAudioFormatALaw, "alaw"),
        (kAudioFormatAMR, "samr"), (kAudioFormatAMR_WB, "sawb"), (kAudioFormatAppleIMA4, "ima4"),
    ]

    @Test("every encoding has its four characters", arguments: formats)
    func formatIDs(format: AudioFormatID, characters: String) {
        #expect(format == characters.utf8.reduce(0) { $0 << 8 | UInt32($1) })
    }

    @Test("flags have Apple's values")
    func flags() {
        let flags: [AudioFormatFlags] = [
            kAudioFormatFlagIsFloat, kAudioFormatFlagIsBigEndian, kAudioFormatFlagIsSignedInteger,
            kAudioFormatFlagIsPacked, kAudioFormatFlagIsAlignedHigh, kAudioFormatFlagIsNonInterleaved,
            kAudioFormatFlagsNativeEndian, kAudioFormatFlagsNativeFloatPacked, kAudioFormatFlagsAreAllClear,
        ]
        #expect(flags == [1, 2, 4, 8, 16, 32, 0, 9, 0x8000_0000])
        let linear = [
            kLinearPCMFormatFlagIsFloat, kLinearPCMFormatFlagIsBigEndian, kLinearPCMFormatFlagIsSignedInteger,
            kLinearPCMFormatFlagIsPacked, kLinearPCMFormatFlagIsAlignedHigh,
            kLinearPCMFormatFlagIsNonInterleaved,
        ]
        #expect(linear == Array(flags[..<6]))
        let lossless = [
            kAppleLosslessFormatFlag_16BitSourceData, kAppleLosslessFormatFlag_20BitSourceData,
            kAppleLosslessFormatFlag_24BitSourceData, kAppleLosslessFormatFlag_32BitSourceData,
        ]
        #expect(lossless == [1, 2, 3, 4])
    }

    @Test("stream and packet descriptions are laid out as in C")
    func streams() {
        let stream = AudioStreamBasicDescription(
            mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagsNativeFloatPacked, mBytesPerPacket: 8, mFramesPerPacket: 1,
            mBytesPerFrame: 8, mChannelsPerFrame: 2, mBitsPerChannel: 32, mReserved: 0)
        #expect(MemoryLayout<AudioStreamBasicDescription>.size == 40 && stream.mReserved == 0)
        #expect(AudioStreamBasicDescription().mSampleRate == 0)
        let packet = AudioStreamPacketDescription(
            mStartOffset: 5, mVariableFramesInPacket: 0, mDataByteSize: 7)
        #expect(MemoryLayout<AudioStreamPacketDescription>.size == 16 && packet.mStartOffset == Int64(5))
    }

    @Test("channel layouts are laid out as in C")
    func layouts() {
        let tag: AudioChannelLayoutTag = kAudioChannelLayoutTag_Stereo
        #expect(tag == 101 << 16 | 2 && kAudioChannelLayoutTag_Mono == 100 << 16 | 1)
        #expect(kAudioChannelLayoutTag_MPEG_5_1_A == 121 << 16 | 6)
        #expect(AudioChannelLayoutTag_GetNumberOfChannels(kAudioChannelLayoutTag_MPEG_5_1_A) == 6)
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelBitmap
        layout.mChannelBitmap = [.bit_Left, .bit_Right, .bit_Center]
        layout.mNumberChannelDescriptions = 0
        layout.mChannelDescriptions = AudioChannelDescription()
        #expect(MemoryLayout<AudioChannelLayout>.size == 32 && layout.mChannelBitmap.rawValue == 7)
        #expect(MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions) == 12)
    }

    @Test("buffer lists are collections of typed samples")
    func bufferLists() {
        var (left, right): ([Float], [Float]) = ([1, 2, 3], [4, 5, 6])
        let list: UnsafeMutableAudioBufferListPointer = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        left.withUnsafeMutableBufferPointer { list[0] = AudioBuffer($0, numberOfChannels: 1) }
        right.withUnsafeMutableBufferPointer { right in
            list[1] = AudioBuffer(right, numberOfChannels: 1)
            #expect(Array(UnsafeBufferPointer<Float>(list[1])) == [4, 5, 6])
            UnsafeMutableBufferPointer<Float>(list[1])[2] = 60
        }
        #expect(right == [4, 5, 60] && list.count == 2 && list.map(\.mDataByteSize) == [12, 12])
        #expect(UnsafeBufferPointer<Int16>(AudioBuffer()).isEmpty)
        #expect(UnsafeMutableAudioBufferListPointer(list.unsafeMutablePointer) == list)
        let missing: UnsafeMutablePointer<AudioBufferList>? = nil
        #expect(UnsafeMutableAudioBufferListPointer(missing) == nil)
        #expect(AudioBufferList.sizeInBytes(maximumBuffers: 2) == 40)
    }
}

@Suite("Contract: format descriptions")
struct FormatDescriptionNamesTests {
    static let stream = AudioStreamBasicDescription(
        mSampleRate: 48_000, mFormatID: kAudioFormatMPEG4AAC, mFormatFlags: 0, mBytesPerPacket: 0,
        mFramesPerPacket: 1024, mBytesPerFrame: 0, mChannelsPerFrame: 2, mBitsPerChannel: 0, mReserved: 0)

    @Test("the Swift names exist")
    func swiftNames() throws {
        let layout = ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_Stereo)
        let format: CMAudioFormatDescription = try CMFormatDescription(
            audioStreamBasicDescription: Self.stream, layout: layout, magicCookie: Data([1, 2]),
            extensions: [:])
        #expect(format.mediaType == .audio && format.mediaSubType == .mpeg4AAC)
        #expect(format.audioStreamBasicDescription == Self.stream && format.magicCookie == Data([1, 2]))
        #expect(format.audioChannelLayout?.tag == kAudioChannelLayoutTag_Stereo)
        let items: [AudioFormatListItem] = format.audioFormatList
        #expect(items.map(\.mASBD) == [Self.stream] && format.extensions.isEmpty)
        let video: CMVideoFormatDescription = try CMFormatDescription(
            videoCodecType: .h264, width: 640, height: 360)
        #expect(video.dimensions == CMVideoDimensions(width: 640, height: 360))
        #expect(CMVideoFormatDescriptionGetDimensions(video).height == 360)
        let text = try CMFormatDescription(mediaType: .text, mediaSubType: .init(rawValue: 1))
        #expect(text.mediaType.rawValue == kCMMediaType_Text && text != video)
        let types: [CMMediaType] = [
            kCMMediaType_Audio, kCMMediaType_Video, kCMMediaType_Text, kCMMediaType_Metadata,
            kCMMediaType_Muxed,
        ]
        #expect(Set(types).count == 5)
    }

    @Test("the C names exist")
    func cNames() throws {
        var (stream, layout) = (Self.stream, AudioChannelLayout())
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
        let cookie: [UInt8] = [9, 8, 7]
        var made: CMAudioFormatDescription?
        let status = CMAudioFormatDescriptionCreate(
            allocator: kCFAllocatorDefault, asbd: &stream, layoutSize: MemoryLayout<AudioChannelLayout>.size,
            layout: &layout, magicCookieSize: cookie.count, magicCookie: cookie, extensions: nil,
            formatDescriptionOut: &made)
        #expect(status == noErr)
        let format = try #require(made)
        #expect(CMAudioFormatDescriptionGetStreamBasicDescription(format)?.pointee == stream)
        var size = 0
        let bytes = CMAudioFormatDescriptionGetMagicCookie(format, sizeOut: &size)
        #expect(Array(UnsafeRawBufferPointer(start: bytes, count: size)) == cookie)
        let found = CMAudioFormatDescriptionGetChannelLayout(format, sizeOut: &size)
        #expect(found?.pointee.mChannelLayoutTag == layout.mChannelLayoutTag && size == 32)
        var mask: CMAudioFormatDescriptionMask = 0
        #expect(
            CMAudioFormatDescriptionEqual(
                format, otherFormatDescription: format, equalityMask: kCMAudioFormatDescriptionMask_All,
                equalityMaskOut: &mask) && mask == kCMAudioFormatDescriptionMask_All)
        #expect(CMFormatDescriptionGetMediaType(format) == kCMMediaType_Audio)
        #expect(CMFormatDescriptionGetMediaSubType(format) == kAudioFormatMPEG4AAC)
        #expect(CMFormatDescriptionEqual(format, otherFormatDescription: format))
        let errors = [
            kCMFormatDescriptionError_InvalidParameter, kCMFormatDescriptionError_AllocationFailed,
            kCMFormatDescriptionError_ValueNotAvailable,
        ]
        #expect(errors == [-12710, -12711, -12718])
    }
}
