import AudioToolbox
import Testing

@Suite("Audio format queries")
struct AudioFormatTests {
    /// The descriptor of AAC-LC at 44.1 kHz in stereo.
    private let descriptor: [UInt8] =
        [3, 0x80, 0x80, 0x80, 0x22, 0, 0, 0, 4, 0x80, 0x80, 0x80, 0x14, 0x40, 0x15, 0, 0, 0]
        + [0, 0, 0, 0, 0, 0, 0, 0, 5, 0x80, 0x80, 0x80, 2, 0x12, 0x10, 6, 0x80, 0x80, 0x80, 1, 2]

    private func ask<Answer>(
        _ id: AudioFormatPropertyID, _ specifier: [UInt8] = [], _ answer: inout Answer
    ) -> OSStatus {
        withUnsafeMutableBytes(of: &answer) { answer in
            var size = UInt32(answer.count)
            return AudioFormatGetProperty(id, UInt32(specifier.count), specifier, &size, answer.baseAddress)
        }
    }

    private func bytes<Value>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

    @Test("a description is completed from its id, or from a cookie")
    func formatInfo() {
        var stream = AudioStreamBasicDescription()
        #expect(ask(kAudioFormatProperty_FormatInfo, [], &stream) == kAudioFormatUnknownFormatError)
        stream.mFormatID = kAudioFormatMPEG4AAC
        #expect(ask(kAudioFormatProperty_FormatInfo, descriptor, &stream) == noErr)
        #expect(
            stream.mSampleRate == 44_100 && stream.mChannelsPerFrame == 2 && stream.mFramesPerPacket == 1024)
        stream = AudioStreamBasicDescription()
        (stream.mFormatID, stream.mSampleRate) = (kAudioFormatMPEGLayer3, 22_050)
        #expect(ask(kAudioFormatProperty_FormatInfo, [], &stream) == noErr && stream.mFramesPerPacket == 576)
        var small: UInt32 = 0
        #expect(ask(kAudioFormatProperty_FormatInfo, [], &small) == kAudioFormatBadPropertySizeError)
    }

    @Test("spectral band replication is listed with its core format")
    func formatList() {
        // The core is 22.05 kHz mono, with spectral band replication and parametric stereo.
        let cookie: [UInt8] = [0xEB, 0x8A, 0x08, 0x00]
        cookie.withUnsafeBytes { cookie in
            var stream = AudioStreamBasicDescription()
            (stream.mFormatID, stream.mChannelsPerFrame) = (kAudioFormatMPEG4AAC, 1)
            var info = AudioFormatInfo(
                mASBD: stream, mMagicCookie: cookie.baseAddress, mMagicCookieSize: UInt32(cookie.count))
            var size: UInt32 = 0
            let length = UInt32(MemoryLayout<AudioFormatInfo>.size)
            #expect(
                AudioFormatGetPropertyInfo(kAudioFormatProperty_FormatList, length, &info, &size) == noErr)
            #expect(size == 3 * UInt32(MemoryLayout<AudioFormatListItem>.stride))
            var items = [AudioFormatListItem](repeating: .init(), count: 3)
            AudioFormatGetProperty(kAudioFormatProperty_FormatList, length, &info, &size, &items)
            #expect(
                items.map(\.mASBD.mFormatID) == [
                    kAudioFormatMPEG4AAC_HE_V2, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC,
                ])
            #expect(items.map(\.mASBD.mSampleRate) == [44_100, 44_100, 22_050])
            #expect(items.map(\.mASBD.mChannelsPerFrame) == [2, 1, 1])
            var index: UInt32 = 9
            var indexSize: UInt32 = 4
            AudioFormatGetProperty(
                kAudioFormatProperty_FirstPlayableFormatFromList, size, items, &indexSize, &index)
            #expect(index == 0)
        }
    }

    @Test("layouts, tags and channel bitmaps convert into each other")
    func layouts() throws {
        var size: UInt32 = 0
        var tag = kAudioChannelLayoutTag_MPEG_5_1_A
        #expect(AudioFormatGetPropertyInfo(kAudioFormatProperty_ChannelLayoutForTag, 4, &tag, &size) == noErr)
        #expect(size == 12 + 6 * 20)
        var layout = [UInt8](repeating: 0, count: Int(size))
        AudioFormatGetProperty(kAudioFormatProperty_ChannelLayoutForTag, 4, &tag, &size, &layout)
        var count: UInt32 = 0
        #expect(ask(kAudioFormatProperty_NumberOfChannelsForLayout, layout, &count) == noErr && count == 6)
        var found: AudioChannelLayoutTag = 0
        #expect(ask(kAudioFormatProperty_TagForChannelLayout, layout, &found) == noErr && found == tag)
        var bits: UInt32 = 0
        #expect(ask(kAudioFormatProperty_BitmapForLayoutTag, bytes(tag), &bits) == noErr && bits == 0x3F)
        #expect(
            AudioFormatGetPropertyInfo(kAudioFormatProperty_ChannelLayoutForBitmap, 4, &bits, &size) == noErr
                && size == 12 + 6 * 20)
        #expect(
            AudioFormatGetPropertyInfo(kAudioFormatProperty_ValidateChannelLayout, 132, layout, &size)
                == noErr)
        layout[8] = 200
        #expect(
            ask(kAudioFormatProperty_NumberOfChannelsForLayout, layout, &count)
                == kAudioFormatBadSpecifierSizeError)
    }

    @Test("names are objects owned by the caller")
    func names() {
        var name: Unmanaged<CFString>?
        var stream = AudioStreamBasicDescription()
        stream.mFormatID = kAudioFormatAppleLossless
        #expect(ask(kAudioFormatProperty_FormatName, bytes(stream), &name) == noErr)
        #expect(name?.takeRetainedValue() as String? == "Apple Lossless")
        stream.mFormatID = 1
        #expect(ask(kAudioFormatProperty_FormatName, bytes(stream), &name) == kAudioFormatUnknownFormatError)
    }

    @Test("decodable and encodable formats are listed")
    func lists() {
        var size: UInt32 = 0
        #expect(AudioFormatGetPropertyInfo(kAudioFormatProperty_DecodeFormatIDs, 0, nil, &size) == noErr)
        var ids = [AudioFormatID](repeating: 0, count: Int(size) / 4)
        AudioFormatGetProperty(kAudioFormatProperty_DecodeFormatIDs, 0, nil, &size, &ids)
        #expect(ids.contains(kAudioFormatFLAC) && ids.contains(kAudioFormatMPEG4AAC) && !ids.contains(0))
        AudioFormatGetPropertyInfo(kAudioFormatProperty_EncodeFormatIDs, 0, nil, &size)
        #expect(size == 12)
        var id = kAudioFormatMPEG4AAC
        AudioFormatGetPropertyInfo(kAudioFormatProperty_Encoders, 4, &id, &size)
        #expect(size == 12)
        #expect(AudioFormatGetPropertyInfo(1, 0, nil, &size) == kAudioFormatUnsupportedPropertyError)
        #expect(
            AudioFormatGetPropertyInfo(kAudioFormatProperty_Encoders, 2, &id, &size)
                == kAudioFormatBadSpecifierSizeError)
    }
}
