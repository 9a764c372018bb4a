import AudioToolbox
import Testing
import TuttiPCM
import TuttiTestMedia

@Suite("Audio file streams")
struct FileStreamTests {
    static let kinds: [(name: String, type: AudioFileTypeID, format: AudioFormatID)] = [
        ("a.wav", kAudioFileWAVEType, kAudioFormatLinearPCM),
        ("a24.wav", kAudioFileWAVEType, kAudioFormatLinearPCM),
        ("a.aiff", kAudioFileAIFFType, kAudioFormatLinearPCM),
        ("a.caf", kAudioFileCAFType, kAudioFormatLinearPCM),
        ("a.flac", kAudioFileFLACType, kAudioFormatFLAC), ("a24.flac", kAudioFileFLACType, kAudioFormatFLAC),
        ("alac.m4a", kAudioFileM4AType, kAudioFormatAppleLossless),
        ("alac24.m4a", kAudioFileM4AType, kAudioFormatAppleLossless),
        ("aac.m4a", kAudioFileM4AType, kAudioFormatMPEG4AAC),
        ("aac.aac", kAudioFileAAC_ADTSType, kAudioFormatMPEG4AAC),
        ("cbr.mp3", kAudioFileMP3Type, kAudioFormatMPEGLayer3),
        ("vbr.mp3", kAudioFileMP3Type, kAudioFormatMPEGLayer3),
    ]

    private func file(_ name: String, frames: Int = 60_000) throws -> (bytes: [UInt8], heard: PCMBuffer) {
        let folder = try TestFolder()
        var file = MediaFile.kind(name == "a.caf" ? "a.wav" : name)
        if name.hasSuffix(".m4a") { file.containerOptions = [("movflags", "faststart")] }
        let path = folder.file(name)
        try file.write(Signal.sweep(frameCount: frames), to: path)
        return (try TestFolder.bytes(of: path), try DecodedRun(path: path).buffer)
    }

    /// The audio of a player that decodes the parsed packets.
    private func decode(_ parsed: ParsedFile, as target: AudioStreamBasicDescription) throws -> [UInt8] {
        let format = try #require(parsed.format)
        let conversion = try Conversion(format, target)
        if !parsed.cookie.isEmpty {
            AudioConverterSetProperty(
                conversion.converter, kAudioConverterDecompressionMagicCookie, UInt32(parsed.cookie.count),
                parsed.cookie)
        }
        if let table = parsed.packetTable {
            var prime = AudioConverterPrimeInfo(
                leadingFrames: UInt32(table.mPrimingFrames), trailingFrames: UInt32(table.mRemainderFrames))
            AudioConverterSetProperty(conversion.converter, kAudioConverterPrimeInfo, 8, &prime)
        }
        conversion.steps =
            format.mBytesPerPacket > 0
            ? [.bytes(parsed.packets.first ?? [], packets: parsed.packetCount)]
            : stride(from: 0, to: parsed.packets.count, by: 3).map {
                .packets(Array(parsed.packets[$0..<min($0 + 3, parsed.packets.count)]))
            }
        return try conversion.all()
    }

    @Test("every type parses to the file's audio, its properties before its packets", arguments: kinds)
    func heard(name: String, type: AudioFileTypeID, format: AudioFormatID) throws {
        let (bytes, heard) = try file(name)
        let parsed = ParsedFile()
        #expect(parsed.parse(bytes, piece: 5000) == noErr)
        #expect(parsed.value(kAudioFileStreamProperty_FileFormat, AudioFileTypeID(0)) == type)
        #expect(parsed.format?.mFormatID == format && parsed.format?.mSampleRate == 44_100)
        #expect(parsed.format?.mChannelsPerFrame == 2)
        #expect(parsed.properties.last == kAudioFileStreamProperty_ReadyToProducePackets)
        #expect(parsed.properties.first == kAudioFileStreamProperty_FileFormat)
        #expect(parsed.properties.contains(kAudioFileStreamProperty_DataOffset))
        if let count = parsed.value(kAudioFileStreamProperty_AudioDataPacketCount, UInt64(0)) {
            #expect(count == UInt64(parsed.packetCount))
        } else {
            #expect(name == "aac.aac")
        }
        let target = try #require(Self.description(of: heard.format))
        let sound = try #require(PCMBuffer(format: heard.format, bytes: try decode(parsed, as: target)))
        if name == "aac.aac" {
            // Without a table nothing states where the audio begins or ends.
            #expect(sound.frameCount >= heard.frameCount)
        } else {
            #expect(sound == heard)
        }
    }

    private static func description(of format: PCMFormat) -> AudioStreamBasicDescription? {
        switch format.sampleFormat {
        case .int16: .pcm(16)
        case .int24in32:
            .pcm(24, flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsAlignedHigh, bytes: 4)
        case .int32: .pcm(32)
        case .float32: .float()
        }
    }

    @Test("the split into pieces makes no difference", arguments: kinds.map(\.name), [1, 13, 700])
    func pieces(name: String, piece: Int) throws {
        let bytes = try file(name, frames: 9000).bytes
        let (whole, cut) = (ParsedFile(), ParsedFile())
        #expect(whole.parse(bytes) == noErr && cut.parse(bytes, piece: piece) == noErr)
        #expect(whole.packetCount > 0 && whole.packets == cut.packets)
        #expect(whole.properties == cut.properties && whole.cookie == cut.cookie)
        #expect(whole.dataOffset == cut.dataOffset)
    }

    @Test(
        "a seek reports the packet's offset, and packets continue from there",
        arguments: ["a.wav", "aac.m4a", "alac.m4a"])
    func exactSeek(name: String) throws {
        let bytes = try file(name).bytes
        let parsed = ParsedFile()
        parsed.parse(bytes)
        let (all, format) = (parsed.packets, try #require(parsed.format))
        let start = try #require(parsed.dataOffset)
        let place = parsed.seek(9)
        #expect(place.status == noErr && place.flags.isEmpty)
        parsed.reset()
        #expect(parsed.parse(bytes[Int(start + place.offset)...], .discontinuity) == noErr)
        if format.mBytesPerPacket > 0 {
            #expect(parsed.packets[0] == Array(all[0][(9 * Int(format.mBytesPerPacket))...]))
        } else {
            #expect(parsed.packets == Array(all[9...]))
        }
        #expect(parsed.seek(1 << 40).status == kAudioFileStreamError_InvalidPacketOffset)
        #expect(parsed.seek(-1).status == kAudioFileStreamError_InvalidPacketOffset)
    }

    @Test(
        "a seek in frames is an estimate, and the next complete frame is found",
        arguments: ["aac.aac", "cbr.mp3", "a.flac"])
    func estimatedSeek(name: String) throws {
        let bytes = try file(name).bytes
        let parsed = ParsedFile()
        parsed.parse(bytes)
        let all = parsed.packets
        let start = try #require(parsed.dataOffset)
        let place = parsed.seek(6)
        #expect(place.status == noErr && place.flags == .offsetIsEstimated)
        parsed.reset()
        #expect(parsed.parse(bytes[Int(start + place.offset)...], .discontinuity) == noErr)
        let first = try #require(parsed.packets.first)
        let index = try #require(all.firstIndex(of: first))
        #expect(abs(index - 6) <= 3)
        #expect(Array(all[index...]) == parsed.packets)
    }

    @Test("tags with artwork before and after the audio are skipped")
    func tags() throws {
        let bytes = try file("cbr.mp3").bytes
        let plain = ParsedFile()
        plain.parse(bytes)
        let tag: [UInt8] =
            Array("ID3".utf8) + [4, 0, 0, 0, 0x10, 0, 0] + [UInt8](repeating: 0xFF, count: 1 << 18)
        let tagged = ParsedFile()
        #expect(
            tagged.parse(tag + bytes + Array("TAG".utf8) + [UInt8](repeating: 0, count: 125), piece: 999)
                == noErr)
        #expect(
            tagged.packets == plain.packets
                && tagged.dataOffset == plain.dataOffset.map { $0 + Int64(tag.count) })
    }

    @Test("a format description after the audio, and unrecognized bytes, are refused for good")
    func refusals() throws {
        let folder = try TestFolder()
        let path = folder.file("b.m4a")
        try MediaFile.kind("aac.m4a").write(Signal.sweep(frameCount: 20_000), to: path)
        let parsed = ParsedFile()
        #expect(parsed.parse(try TestFolder.bytes(of: path)) == kAudioFileStreamError_NotOptimized)
        #expect(parsed.parse([0]) == kAudioFileStreamError_NotOptimized)
        let noise = ParsedFile()
        #expect(
            noise.parse([UInt8](repeating: 7, count: 3 << 20), piece: 1 << 16)
                == kAudioFileStreamError_UnsupportedFileType)
        #expect(noise.seek(0).status == kAudioFileStreamError_IllegalOperation)
        #expect(noise.format == nil)
    }

    @Test("an odd chunk split before its padding is read completely")
    func oddChunk() {
        let rate: [UInt8] = [0x44, 0xAC, 0, 0]
        let format: [UInt8] = [1, 0, 1, 0] + rate + [0x88, 0x58, 1, 0, 2, 0, 16, 0, 9]
        let head = Array("RIFF".utf8) + [0xFF, 0xFF, 0, 0] + Array("WAVEfmt ".utf8) + [17, 0, 0, 0] + format
        let sound = (0..<100).map { UInt8($0) }
        let parsed = ParsedFile()
        #expect(parsed.parse(head) == noErr)
        #expect(parsed.parse([0] + Array("data".utf8) + [100, 0, 0, 0] + sound) == noErr)
        #expect(parsed.packets == [sound])
    }

    @Test("a format that cannot resume after a discontinuity is refused from then on")
    func gap() throws {
        let bytes = try file("aac.m4a").bytes
        let parsed = ParsedFile()
        #expect(parsed.parse(bytes.prefix(bytes.count / 2)) == noErr)
        let status = kAudioFileStreamError_DiscontinuityCantRecover
        #expect(parsed.parse(bytes.suffix(1000), .discontinuity) == status)
        let count = parsed.packetCount
        #expect(parsed.parse(bytes.suffix(1000)) == status)
        #expect(parsed.packetCount == count)
    }

    @Test("CAF packets of variable size come from the packet table")
    func variableCAF() {
        func word(_ value: Int, _ bytes: Int) -> [UInt8] {
            (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        let rate = (0..<8).reversed().map {
            UInt8(truncatingIfNeeded: (44_100.0).bitPattern >> UInt64($0 * 8))
        }
        let description =
            rate + Array("aac ".utf8) + word(0, 4) + word(0, 4) + word(1024, 4) + word(2, 4) + word(0, 4)
        let table = word(3, 8) + word(1000, 8) + word(1024, 4) + word(1048, 4) + [2, 0x81, 0, 3]
        let sound = (0..<133).map { UInt8(truncatingIfNeeded: $0) }
        let bytes: [UInt8] =
            Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + word(32, 8) + description
            + Array("pakt".utf8) + word(table.count, 8) + table + Array("data".utf8) + word(-1, 8)
            + word(0, 4) + sound
        let parsed = ParsedFile()
        #expect(parsed.parse(bytes, piece: 3) == noErr)
        #expect(parsed.packets == [Array(sound[..<2]), Array(sound[2..<130]), Array(sound[130...])])
        #expect(parsed.packetTable?.mPrimingFrames == 1024 && parsed.packetTable?.mNumberValidFrames == 1000)
    }

    @Test("a procedure may close the stream")
    func closing() throws {
        let parsed = ParsedFile()
        parsed.closesItself = true
        #expect(parsed.parse(try file("cbr.mp3").bytes) == noErr)
        #expect(parsed.packetCount > 0)
    }

    @Test("properties have sizes, and unknown ones error codes")
    func properties() throws {
        var stream: AudioFileStreamID?
        AudioFileStreamOpen(nil, { _, _, _, _ in }, { _, _, _, _, _ in }, kAudioFileMP3Type, &stream)
        let opened = try #require(stream)
        var size: UInt32 = 0
        #expect(
            AudioFileStreamGetPropertyInfo(opened, kAudioFileStreamProperty_DataFormat, &size, nil)
                == kAudioFileStreamError_ValueUnknown)
        #expect(
            AudioFileStreamGetPropertyInfo(opened, 5, &size, nil) == kAudioFileStreamError_UnsupportedProperty
        )
        let bytes = try file("vbr.mp3").bytes
        AudioFileStreamParseBytes(opened, UInt32(bytes.count), bytes, [])
        AudioFileStreamGetPropertyInfo(opened, kAudioFileStreamProperty_DataFormat, &size, nil)
        #expect(size == 40)
        var small = UInt32(4)
        var room = [UInt8](repeating: 0, count: 40)
        #expect(
            AudioFileStreamGetProperty(opened, kAudioFileStreamProperty_DataFormat, &small, &room)
                == kAudioFileStreamError_BadPropertySize)
        var bitRate: UInt32 = 0
        AudioFileStreamGetProperty(opened, kAudioFileStreamProperty_BitRate, &small, &bitRate)
        #expect((32_000...320_000).contains(bitRate))
        AudioFileStreamClose(opened)
    }
}
