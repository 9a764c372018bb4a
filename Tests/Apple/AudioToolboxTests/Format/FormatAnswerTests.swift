import AudioToolbox
import Testing

@Suite("Answers about formats and layouts")
struct FormatAnswerTests {
    private static func bytes<Value>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

    private static func stream(
        _ id: AudioFormatID, rate: Double = 0, channels: UInt32 = 0
    ) -> AudioStreamBasicDescription {
        .compressed(id, rate: rate, channels: channels)
    }

    /// The bytes of an answer, or its error code.
    private func ask(
        _ id: AudioFormatPropertyID, _ specifier: [UInt8] = [], room: Int = 8192, filled: [UInt8] = []
    ) -> (status: OSStatus, bytes: [UInt8]) {
        var answer = filled + [UInt8](repeating: 0xEE, count: max(1, room - filled.count))
        var size = UInt32(room)
        let status = AudioFormatGetProperty(id, UInt32(specifier.count), specifier, &size, &answer)
        return (status, status == noErr ? Array(answer.prefix(Int(size))) : [])
    }

    private func number(_ id: AudioFormatPropertyID, _ specifier: [UInt8] = []) -> UInt32? {
        let answer = ask(id, specifier).bytes
        guard answer.count == 4 else { return nil }
        return answer.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    }

    private func numbers(_ id: AudioFormatPropertyID, _ specifier: [UInt8] = []) -> [UInt32] {
        let answer = ask(id, specifier).bytes
        return answer.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
        }
    }

    /// The C form of a layout of tags or bits, or of labels.
    private func layout(
        _ tag: AudioChannelLayoutTag, bits: UInt32 = 0, labels: [AudioChannelLabel] = []
    ) -> [UInt8] {
        let head = Self.bytes(tag) + Self.bytes(bits) + Self.bytes(UInt32(labels.count))
        if labels.isEmpty { return head + [UInt8](repeating: 0, count: 20) }
        return head + labels.flatMap { Self.bytes($0) + [UInt8](repeating: 0, count: 16) }
    }

    // MARK: Formats

    static let packets: [(id: AudioFormatID, rate: Double, frames: UInt32, isVariable: Bool)] = [
        (kAudioFormatMPEG4AAC, 44_100, 1024, true), (kAudioFormatMPEG4AAC_HE, 44_100, 2048, true),
        (kAudioFormatMPEG4AAC_LD, 44_100, 512, true), (kAudioFormatAppleLossless, 96_000, 4096, true),
        (kAudioFormatMPEGLayer3, 32_000, 1152, true), (kAudioFormatMPEGLayer3, 24_000, 576, true),
        (kAudioFormatMPEGLayer2, 48_000, 1152, true), (kAudioFormatMPEGLayer1, 48_000, 384, true),
        (kAudioFormatULaw, 8000, 1, false), (kAudioFormatALaw, 8000, 1, false),
        (kAudioFormatAC3, 48_000, 1536, true), (kAudioFormatOpus, 48_000, 0, true),
    ]

    @Test("a completed description has the packets of its encoding", arguments: packets)
    func completed(id: AudioFormatID, rate: Double, frames: UInt32, isVariable: Bool) throws {
        let stream = Self.bytes(Self.stream(id, rate: rate, channels: 2))
        let answer = ask(kAudioFormatProperty_FormatInfo, filled: stream)
        #expect(answer.status == noErr && answer.bytes.count == 40)
        let whole = answer.bytes.withUnsafeBytes { $0.loadUnaligned(as: AudioStreamBasicDescription.self) }
        #expect(whole.mFramesPerPacket == frames && whole.mSampleRate == rate && whole.mFormatID == id)
        #expect(whole.mBytesPerPacket == (isVariable ? 0 : 2))
        #expect(number(kAudioFormatProperty_FormatIsVBR, stream) == (isVariable ? 1 : 0))
        #expect(number(kAudioFormatProperty_FormatIsExternallyFramed, stream) == (isVariable ? 1 : 0))
        #expect(number(kAudioFormatProperty_FormatIsEncrypted, Self.bytes(id)) == 0)
    }

    @Test("PCM is not variable, and its sizes follow from its samples, interleaved or not")
    func pcm() {
        for (flags, size): (AudioFormatFlags, UInt32) in [(0, 6), (kAudioFormatFlagIsNonInterleaved, 3)] {
            var stream = Self.stream(kAudioFormatLinearPCM, rate: 44_100, channels: 2)
            (stream.mBitsPerChannel, stream.mFormatFlags) = (24, kAudioFormatFlagIsSignedInteger | flags)
            let answer = ask(kAudioFormatProperty_FormatInfo, filled: Self.bytes(stream)).bytes
            let whole = answer.withUnsafeBytes { $0.loadUnaligned(as: AudioStreamBasicDescription.self) }
            #expect(
                whole.mBytesPerFrame == size && whole.mBytesPerPacket == size && whole.mFramesPerPacket == 1)
            #expect(number(kAudioFormatProperty_FormatIsVBR, Self.bytes(stream)) == 0)
        }
    }

    static let configurations:
        [(cookie: [UInt8], id: AudioFormatID, rate: Double, channels: UInt32, frames: UInt32)] = [
            // AAC-LC: 44.1 kHz stereo; with packets of 960; at a rate that no index names; of eight channels.
            ([0x12, 0x10], kAudioFormatMPEG4AAC, 44_100, 2, 1024),
            ([0x12, 0x14], kAudioFormatMPEG4AAC, 44_100, 2, 960),
            ([0x17, 0x80, 0x5D, 0x80, 0x10], kAudioFormatMPEG4AAC, 47_872, 2, 1024),
            ([0x11, 0xB8], kAudioFormatMPEG4AAC, 48_000, 8, 1024),
            // Enhanced low delay at 44.1 kHz in mono, of 512 and of 480 frames.
            ([0xF8, 0xE8, 0x20], kAudioFormatMPEG4AAC_ELD, 44_100, 1, 512),
            ([0xF8, 0xE8, 0x30], kAudioFormatMPEG4AAC_ELD, 44_100, 1, 480),
            // Spectral band replication, announced in the way that older decoders skip: the core comes last.
            ([0x13, 0x90, 0x56, 0xE5, 0xA0], kAudioFormatMPEG4AAC, 22_050, 2, 1024),
        ]

    @Test("a configuration of AAC states rate, channels and packet length", arguments: configurations)
    func aac(cookie: [UInt8], id: AudioFormatID, rate: Double, channels: UInt32, frames: UInt32) {
        let answer = ask(kAudioFormatProperty_FormatInfo, cookie, filled: Self.bytes(Self.stream(id)))
        #expect(answer.status == noErr && answer.bytes.count == 40)
        guard answer.bytes.count == 40 else { return }
        let whole = answer.bytes.withUnsafeBytes { $0.loadUnaligned(as: AudioStreamBasicDescription.self) }
        #expect(whole.mFormatID == id && whole.mSampleRate == rate)
        #expect(whole.mChannelsPerFrame == channels && whole.mFramesPerPacket == frames)
    }

    @Test("a descriptor answers with its best format and layout; other bytes are refused")
    func descriptors() {
        let configuration: [UInt8] = [0x13, 0x90, 0x56, 0xE5, 0xA0]
        let descriptor: [UInt8] =
            [3, 27, 0, 0, 0, 4, 22, 0x40, 0x15] + [UInt8](repeating: 0, count: 11)
            + [5, 5] + configuration
        for bytes in [configuration, descriptor] {
            let answer = ask(kAudioFormatProperty_ASBDFromESDS, bytes).bytes
            #expect(answer.count == 40)
            guard answer.count == 40 else { continue }
            let stream = answer.withUnsafeBytes { $0.loadUnaligned(as: AudioStreamBasicDescription.self) }
            #expect(stream.mFormatID == kAudioFormatMPEG4AAC_HE && stream.mSampleRate == 44_100)
            #expect(stream.mFramesPerPacket == 2048)
            #expect(
                ask(kAudioFormatProperty_ChannelLayoutFromESDS, bytes).bytes.starts(
                    with: Self.bytes(kAudioChannelLayoutTag_Stereo)))
        }
        for bytes in [[], [0x12], [0x17, 0x80], [0x16, 0x90]] as [[UInt8]] {
            #expect(
                ask(kAudioFormatProperty_ASBDFromESDS, bytes).status == kAudioFormatUnsupportedDataFormatError
            )
        }
    }

    @Test("only encoders have rates: one of AAC, and a range of Apple Lossless")
    func encoderRates() {
        let rates = ask(kAudioFormatProperty_AvailableEncodeSampleRates, Self.bytes(kAudioFormatMPEG4AAC))
            .bytes
        #expect(rates.count % 16 == 0 && rates.count > 16)
        let lossless = Self.bytes(kAudioFormatAppleLossless)
        #expect(ask(kAudioFormatProperty_AvailableEncodeSampleRates, lossless).bytes.count == 16)
        #expect(ask(kAudioFormatProperty_AvailableEncodeBitRates, lossless).bytes.isEmpty)
        for id in [kAudioFormatFLAC, kAudioFormatMPEGLayer3, kAudioFormatLinearPCM, 0] {
            for property in [
                kAudioFormatProperty_AvailableEncodeSampleRates, kAudioFormatProperty_AvailableEncodeBitRates,
                kAudioFormatProperty_Encoders,
            ] {
                let answer = ask(property, Self.bytes(id))
                #expect(answer.status == noErr && answer.bytes.isEmpty)
            }
        }
    }

    @Test("a codec is listed for what can be read, and for what can be written")
    func codecs() {
        #expect(
            numbers(kAudioFormatProperty_Decoders, Self.bytes(kAudioFormatFLAC))
                == [kAudioDecoderComponentType, kAudioFormatFLAC, kAppleSoftwareAudioCodecManufacturer])
        #expect(
            numbers(kAudioFormatProperty_Encoders, Self.bytes(kAudioFormatAppleLossless))
                == [
                    kAudioEncoderComponentType, kAudioFormatAppleLossless,
                    kAppleSoftwareAudioCodecManufacturer,
                ])
        let read = Set(numbers(kAudioFormatProperty_DecodeFormatIDs))
        #expect(
            read.isSuperset(of: numbers(kAudioFormatProperty_EncodeFormatIDs))
                && !read.contains(kAudioFormatAC3))
    }

    @Test("the first format of a list that can be decoded is found; of a list without one there is none")
    func playable() {
        func list(_ ids: [AudioFormatID]) -> [UInt8] {
            ids.flatMap { Self.bytes(AudioFormatListItem(mASBD: Self.stream($0), mChannelLayoutTag: 0)) }
        }
        let property = kAudioFormatProperty_FirstPlayableFormatFromList
        #expect(number(property, list([kAudioFormatMPEGD_USAC, kAudioFormatAC3, kAudioFormatOpus])) == 2)
        #expect(number(property, list([kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC])) == 0)
        #expect(ask(property, list([kAudioFormatAC3])).status == kAudioFormatUnsupportedDataFormatError)
        #expect(ask(property, []).status == kAudioFormatUnsupportedDataFormatError)
        #expect(
            ask(property, Array(list([kAudioFormatOpus]).dropLast())).status
                == kAudioFormatBadSpecifierSizeError)
    }

    static let tags: [(head: [UInt8], size: UInt32)] = [
        ([3, 0, 0, 0, 0, 0, 0], 10), ([4, 0, 0, 0, 0, 2, 1], 267), ([4, 0, 0x10, 0, 0, 2, 1], 277),
        ([2, 0, 0xEF, 0x7F, 0x7F, 0x7F, 0x7F], 268_435_465),
    ]

    @Test("the size of a tag includes its header and its footer", arguments: tags)
    func tagSize(head: [UInt8], size: UInt32) {
        #expect(number(kAudioFormatProperty_ID3TagSize, Array("ID3".utf8) + head) == size)
    }

    @Test("bytes that begin no tag have no size")
    func noTag() {
        let heads: [[UInt8]] = [
            Array("TAG".utf8) + [3, 0, 0, 0, 0, 0, 0], Array("ID3".utf8) + [0xFF, 0, 0, 0, 0, 0, 0],
            Array("ID3".utf8) + [3, 0xFF, 0, 0, 0, 0, 0], Array("ID3".utf8) + [3, 0, 0, 0, 0, 0x80, 0],
        ]
        for head in heads {
            #expect(
                ask(kAudioFormatProperty_ID3TagSize, head).status == kAudioFormatUnsupportedDataFormatError)
        }
        #expect(
            ask(kAudioFormatProperty_ID3TagSize, Array("ID3".utf8)).status
                == kAudioFormatBadSpecifierSizeError)
    }

    // MARK: Layouts

    static let described: [AudioChannelLayoutTag] = [
        kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_Quadraphonic,
        kAudioChannelLayoutTag_AAC_5_0, kAudioChannelLayoutTag_MPEG_5_1_B, kAudioChannelLayoutTag_AAC_7_1,
    ]

    @Test("a tag is described channel by channel, and found again by its description", arguments: described)
    func tagRoundTrip(tag: AudioChannelLayoutTag) {
        let layout = ask(kAudioFormatProperty_ChannelLayoutForTag, Self.bytes(tag)).bytes
        let channels = AudioChannelLayoutTag_GetNumberOfChannels(tag)
        #expect(layout.count == 12 + 20 * Int(channels))
        #expect(number(kAudioFormatProperty_NumberOfChannelsForLayout, layout) == channels)
        #expect(number(kAudioFormatProperty_TagForChannelLayout, layout) == tag)
        #expect(numbers(kAudioFormatProperty_TagsForNumberOfChannels, Self.bytes(channels)).contains(tag))
        #expect(ask(kAudioFormatProperty_ValidateChannelLayout, layout).bytes == layout)
    }

    @Test("tags without places have no description, and none is the tag of an unusual order")
    func withoutPlaces() {
        for tag in [
            kAudioChannelLayoutTag_UseChannelDescriptions, kAudioChannelLayoutTag_UseChannelBitmap,
            kAudioChannelLayoutTag_Unknown | 4, kAudioChannelLayoutTag_DiscreteInOrder | 2,
        ] {
            #expect(
                ask(kAudioFormatProperty_ChannelLayoutForTag, Self.bytes(tag)).status
                    == kAudioFormatUnsupportedDataFormatError)
        }
        let reversed = layout(0, labels: [kAudioChannelLabel_Right, kAudioChannelLabel_Left])
        #expect(
            ask(kAudioFormatProperty_TagForChannelLayout, reversed).status
                == kAudioFormatUnsupportedDataFormatError)
        #expect(
            ask(kAudioFormatProperty_ValidateChannelLayout, layout(0)).status
                == kAudioFormatUnsupportedDataFormatError)
        #expect(numbers(kAudioFormatProperty_TagsForNumberOfChannels, Self.bytes(UInt32(40))).isEmpty)
    }

    @Test("a bitmap is described in the order of its bits, upper places included")
    func bitmaps() {
        let answer = ask(kAudioFormatProperty_ChannelLayoutForBitmap, Self.bytes(UInt32(0x2_0809))).bytes
        #expect(answer.count == 12 + 4 * 20)
        let labels = stride(from: 12, to: answer.count, by: 20).map { place in
            answer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
        }
        #expect(
            labels == [
                kAudioChannelLabel_Left, kAudioChannelLabel_LFEScreen, kAudioChannelLabel_TopCenterSurround,
                kAudioChannelLabel_TopBackRight,
            ])
        #expect(number(kAudioFormatProperty_BitmapForLayoutTag, Self.bytes(kAudioChannelLayoutTag_Mono)) == 4)
        #expect(
            number(kAudioFormatProperty_BitmapForLayoutTag, Self.bytes(kAudioChannelLayoutTag_MPEG_6_1_A))
                == 0x13F)
        #expect(
            ask(kAudioFormatProperty_BitmapForLayoutTag, Self.bytes(kAudioChannelLayoutTag_MPEG_7_1_C)).status
                == kAudioFormatUnsupportedDataFormatError)
    }

    @Test("layouts are equivalent if their places are, and unknown places only under one tag")
    func equivalence() {
        func areEqual(_ left: [UInt8], _ right: [UInt8]) -> UInt32? {
            left.withUnsafeBytes { left in
                right.withUnsafeBytes { right in
                    number(
                        kAudioFormatProperty_AreChannelLayoutsEquivalent,
                        Self.bytes(left.baseAddress) + Self.bytes(right.baseAddress))
                }
            }
        }
        let surround = layout(kAudioChannelLayoutTag_MPEG_5_1_A)
        let places = layout(kAudioChannelLayoutTag_UseChannelBitmap, bits: 0x3F)
        let described = ask(
            kAudioFormatProperty_ChannelLayoutForTag, Self.bytes(kAudioChannelLayoutTag_MPEG_5_1_A)
        ).bytes
        #expect(areEqual(surround, places) == 1 && areEqual(described, surround) == 1)
        #expect(areEqual(surround, layout(kAudioChannelLayoutTag_MPEG_5_1_B)) == 0)
        #expect(areEqual(surround, layout(kAudioChannelLayoutTag_Stereo)) == 0)
        let (cube, octagon) = (layout(kAudioChannelLayoutTag_Cube), layout(kAudioChannelLayoutTag_Octagonal))
        #expect(areEqual(cube, cube) == 1 && areEqual(cube, octagon) == 0)
        let none = Self.bytes(0) + Self.bytes(0)
        #expect(
            ask(kAudioFormatProperty_AreChannelLayoutsEquivalent, none).status
                == kAudioFormatBadSpecifierSizeError)
    }

    @Test("channels and layouts have names for people")
    func names() {
        func name(_ id: AudioFormatPropertyID, _ specifier: [UInt8]) -> String? {
            var name: Unmanaged<CFString>?
            let status = withUnsafeMutableBytes(of: &name) { place in
                var size = UInt32(place.count)
                return AudioFormatGetProperty(
                    id, UInt32(specifier.count), specifier, &size, place.baseAddress)
            }
            guard status == noErr else { return nil }
            return name?.takeRetainedValue() as String?
        }
        let places = layout(kAudioChannelLayoutTag_MPEG_3_0_A)
        #expect(name(kAudioFormatProperty_ChannelLayoutName, places) == "Left, Right, Center")
        #expect(
            name(kAudioFormatProperty_ChannelLayoutName, layout(kAudioChannelLayoutTag_Stereo)) == "Stereo")
        #expect(name(kAudioFormatProperty_ChannelLayoutName, layout(0)) == nil)
        var channel = AudioChannelDescription()
        channel.mChannelLabel = kAudioChannelLabel_LeftSurround
        #expect(name(kAudioFormatProperty_ChannelName, Self.bytes(channel)) == "Left Surround")
        channel.mChannelLabel = 777
        #expect(name(kAudioFormatProperty_ChannelName, Self.bytes(channel)) == "Channel 777")
        var stream = AudioStreamBasicDescription.pcm(24)
        #expect(name(kAudioFormatProperty_FormatName, Self.bytes(stream))?.contains("24 bit") == true)
        stream.mFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsBigEndian
        let text = name(kAudioFormatProperty_FormatName, Self.bytes(stream))
        #expect(text?.contains("big-endian") == true && text?.contains("floating point") == true)
    }

    @Test("an answer that does not fit leaves the caller's memory alone")
    func room() {
        let tag = Self.bytes(kAudioChannelLayoutTag_MPEG_5_1_A)
        #expect(
            ask(kAudioFormatProperty_ChannelLayoutForTag, tag, room: 131).status
                == kAudioFormatBadPropertySizeError)
        #expect(ask(kAudioFormatProperty_ChannelLayoutForTag, tag, room: 132).status == noErr)
        var (size, place) = (UInt32(3), UInt32(7))
        #expect(
            AudioFormatGetProperty(kAudioFormatProperty_FormatIsEncrypted, 4, tag, &size, &place)
                == kAudioFormatBadPropertySizeError)
        #expect(size == 3 && place == 7)
        #expect(
            AudioFormatGetProperty(kAudioFormatProperty_FormatIsEncrypted, 4, tag, nil, &place)
                == kAudioFormatBadPropertySizeError)
        #expect(
            AudioFormatGetProperty(kAudioFormatProperty_FormatName, 0, nil, &size, &place)
                == kAudioFormatBadSpecifierSizeError)
    }
}
