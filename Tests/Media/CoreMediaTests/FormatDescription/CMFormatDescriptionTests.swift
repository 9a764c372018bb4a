import Foundation
import Testing

@testable import CoreMedia

@Suite("CMFormatDescription")
struct CMFormatDescriptionTests {
    static var aac: AudioStreamBasicDescription {
        AudioStreamBasicDescription(
            mSampleRate: 44_100, mFormatID: kAudioFormatMPEG4AAC, mFormatFlags: 0, mBytesPerPacket: 0,
            mFramesPerPacket: 1024, mBytesPerFrame: 0, mChannelsPerFrame: 2, mBitsPerChannel: 0, mReserved: 0)
    }

    @Test("a description keeps its format, cookie and layout")
    func keeps() throws {
        let layout = ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_Stereo)
        let format = try CMFormatDescription(
            audioStreamBasicDescription: Self.aac, layout: layout, magicCookie: Data([0x12, 0x10]))
        #expect(format.mediaType == .audio && format.mediaSubType == .mpeg4AAC)
        #expect(format.audioStreamBasicDescription == Self.aac && format.magicCookie == Data([0x12, 0x10]))
        #expect(format.audioChannelLayout?.tag == kAudioChannelLayoutTag_Stereo)
        #expect(format.audioFormatList.map(\.mASBD) == [Self.aac])
        #expect(CMFormatDescriptionGetMediaType(format) == kCMMediaType_Audio)
        #expect(CMFormatDescriptionGetMediaSubType(format) == kAudioFormatMPEG4AAC)
        #expect(format.mediaType.description == "'soun'" && format.mediaSubType.description == "'aac '")
        var size = 0
        let cookie = CMAudioFormatDescriptionGetMagicCookie(format, sizeOut: &size)
        #expect(Array(UnsafeRawBufferPointer(start: cookie, count: size)) == [0x12, 0x10])
        #expect(CMAudioFormatDescriptionGetStreamBasicDescription(format)?.pointee == Self.aac)
        let found = CMAudioFormatDescriptionGetChannelLayout(format, sizeOut: &size)
        #expect(found?.pointee.mChannelLayoutTag == kAudioChannelLayoutTag_Stereo && size == 32)
    }

    @Test("the C function copies the caller's memory")
    func madeInC() throws {
        var description: CMAudioFormatDescription?
        var (asbd, cookie, layout) = (Self.aac, [1, 2, 3] as [UInt8], AudioChannelLayout())
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_Mono
        let code = CMAudioFormatDescriptionCreate(
            allocator: kCFAllocatorDefault, asbd: &asbd, layoutSize: 32, layout: &layout, magicCookieSize: 3,
            magicCookie: cookie, extensions: ["name": "value"] as CFDictionary,
            formatDescriptionOut: &description)
        (asbd.mSampleRate, cookie[0]) = (1, 9)
        let format = try #require(description)
        #expect(code == noErr && format.audioStreamBasicDescription?.mSampleRate == 44_100)
        #expect(format.magicCookie == Data([1, 2, 3]) && format.extensions.count == 1)
        let fact = format.extensions[.init(rawValue: "name" as CFString)]?.rawValue as? NSString
        #expect(fact == "value" as NSString)
    }

    @Test("invalid parameters are refused", arguments: [-1, .nan, .infinity] as [Double])
    func badRate(rate: Double) {
        var description: CMAudioFormatDescription?
        var asbd = Self.aac
        asbd.mSampleRate = rate
        let code = CMAudioFormatDescriptionCreate(
            allocator: nil, asbd: &asbd, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil,
            extensions: nil, formatDescriptionOut: &description)
        #expect(code == -12710 && description == nil)
    }

    @Test("a layout longer than its memory and a cookie without memory are refused")
    func badMemory() {
        var description: CMAudioFormatDescription?
        var (asbd, layout) = (Self.aac, AudioChannelLayout())
        layout.mNumberChannelDescriptions = 2
        for (layoutSize, cookieSize) in [(32, 0), (4, 0), (-1, 0), (0, 5), (0, -5)] {
            let code = CMAudioFormatDescriptionCreate(
                allocator: nil, asbd: &asbd, layoutSize: layoutSize, layout: &layout,
                magicCookieSize: cookieSize,
                magicCookie: nil, extensions: nil, formatDescriptionOut: &description)
            #expect(code == kCMFormatDescriptionError_InvalidParameter && description == nil)
        }
    }

    @Test("a layout of channel descriptions round-trips")
    func layoutDescriptions() throws {
        let layout = ManagedAudioChannelLayout(
            channelDescriptions: [1, 2, 5].map {
                AudioChannelDescription(mChannelLabel: $0, mChannelFlags: .meters, mCoordinates: (1, 2, 3))
            })
        #expect(layout.numberOfChannels == 3)
        let format = try CMFormatDescription(audioStreamBasicDescription: Self.aac, layout: layout)
        var size = 0
        let pointer = try #require(CMAudioFormatDescriptionGetChannelLayout(format, sizeOut: &size))
        let back = try #require(ManagedAudioChannelLayout(pointer: pointer, size: size))
        #expect(size == 72 && back.channelDescriptions.map(\.mChannelLabel) == [1, 2, 5])
        #expect(back.channelDescriptions[2].mCoordinates.2 == 3)
        #expect(ManagedAudioChannelLayout(pointer: pointer, size: size - 1) == nil)
        #expect(ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_MPEG_5_1_A).numberOfChannels == 6)
        #expect(ManagedAudioChannelLayout(bitmap: [.bit_Left, .bit_Right]).numberOfChannels == 2)
    }

    @Test("equality compares the content, part by part")
    func equality() throws {
        func make(_ rate: Double = 44_100, cookie: [UInt8] = [1], tag: AudioChannelLayoutTag = 1) throws
            -> CMFormatDescription
        {
            var asbd = Self.aac
            asbd.mSampleRate = rate
            return try CMFormatDescription(
                audioStreamBasicDescription: asbd, layout: .init(tag: tag), magicCookie: Data(cookie))
        }
        #expect(try make() == make())
        #expect(try Set([make(), make()]).count == 1)
        #expect(try make() != make(48_000))
        #expect(try make() != make(cookie: [2]))
        #expect(try make() != make(tag: 2))
        var mask: CMAudioFormatDescriptionMask = 0
        let isEqual = try CMAudioFormatDescriptionEqual(
            make(), otherFormatDescription: make(cookie: [9]),
            equalityMask: kCMAudioFormatDescriptionMask_StreamBasicDescription, equalityMaskOut: &mask)
        #expect(isEqual && mask == kCMAudioFormatDescriptionMask_StreamBasicDescription)
        #expect(CMFormatDescriptionEqual(nil, otherFormatDescription: nil))
        #expect(try !CMFormatDescriptionEqual(make(), otherFormatDescription: nil))
        let pictures = try CMFormatDescription(videoCodecType: .h264, width: 640, height: 480)
        #expect(CMVideoFormatDescriptionGetDimensions(pictures) == CMVideoDimensions(width: 640, height: 480))
        #expect(try pictures != CMFormatDescription(videoCodecType: .h264, width: 640, height: 481))
        #expect(pictures.audioStreamBasicDescription == nil && pictures.audioFormatList.isEmpty)
        #expect(throws: NSError.self) { try CMFormatDescription(videoCodecType: .h264, width: -1, height: 1) }
    }

    @Test("four-character codes and flags have Apple's values")
    func constants() {
        #expect(kAudioFormatLinearPCM == 0x6C70_636D && kAudioFormatMPEG4AAC == 0x6161_6320)
        #expect(kAudioFormatAppleLossless == 0x616C_6163 && kAudioFormatMPEGLayer3 == 0x2E6D_7033)
        #expect(kAudioFormatFlagsNativeFloatPacked == 9 && kAudioFormatFlagIsNonInterleaved == 32)
        #expect(AudioChannelLayoutTag_GetNumberOfChannels(kAudioChannelLayoutTag_Stereo) == 2)
        #expect(kAudioChannelLayoutTag_Mono == 0x64_0001 && kAppleLosslessFormatFlag_32BitSourceData == 4)
        #expect(MemoryLayout<AudioStreamBasicDescription>.size == 40)
        #expect(MemoryLayout<AudioStreamPacketDescription>.size == 16)
        #expect(MemoryLayout<AudioBufferList>.size == 24 && MemoryLayout<AudioChannelLayout>.size == 32)
    }
}
