import AudioToolbox
import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia

@Suite("ADTS, MPEG audio and FLAC as streams")
struct FramedFileTests {
    private func parsed(_ bytes: [UInt8], piece: Int = 17, hint: AudioFileTypeID = 0) -> ParsedFile {
        let parsed = ParsedFile(hint: hint)
        #expect(parsed.parse(bytes, piece: piece) == noErr)
        return parsed
    }

    // MARK: ADTS

    /// A frame of AAC-LC at 44.1 kHz.
    private func adts(_ payload: [UInt8], channels: Int = 2, hasChecksum: Bool = false) -> [UInt8] {
        let header = hasChecksum ? 9 : 7
        let count = header + payload.count
        let (first, second) = (UInt8(channels >> 2), UInt8((channels & 3) << 6))
        let (high, middle, low) = (UInt8(count >> 11), UInt8(count >> 3 & 0xFF), UInt8((count & 7) << 5))
        let kind: UInt8 = hasChecksum ? 0xF0 : 0xF1
        let head: [UInt8] = [0xFF, kind, 0x50 | first, second | high, middle, low | 0x1F, 0xFC]
        return head + [UInt8](repeating: 0xAA, count: header - 7) + payload
    }

    private func payload(_ index: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(index + 1), count: 20 + index * 3)
    }

    @Test("packets lose their headers, with a checksum or without", arguments: [false, true])
    func headers(hasChecksum: Bool) {
        let payloads = (0..<6).map(payload)
        let parsed = parsed(payloads.flatMap { adts($0, hasChecksum: hasChecksum) })
        #expect(parsed.packets == payloads)
        #expect(parsed.format?.mSampleRate == 44_100 && parsed.format?.mChannelsPerFrame == 2)
        #expect(parsed.format?.mFramesPerPacket == 1024 && parsed.dataOffset == 0)
        // The configuration of AAC-LC at 44.1 kHz in stereo, in a descriptor.
        let cookie = parsed.cookie
        #expect(cookie.first == 3 && cookie.indices.contains { cookie[$0...].starts(with: [0x12, 0x10]) })
    }

    @Test(
        "junk before and between frames is skipped, and the frames go on behind it",
        arguments: [1, 17, 10_000])
    func junk(piece: Int) {
        let payloads = (0..<8).map(payload)
        let frames = payloads.map { adts($0) }
        // The second byte begins a header, of a frame that no other one follows.
        let noise: [UInt8] = [0, 0xFF, 0xF1, 0x50, 0x80, 3, 0x1F, 0xFC, 0xFF, 0xFF, 9, 9, 9, 9, 9]
        var bytes = noise
        for (index, frame) in frames.enumerated() { bytes += index == 4 ? noise + frame : frame }
        let parsed = parsed(bytes, piece: piece)
        #expect(parsed.packets == payloads)
        #expect(parsed.dataOffset == Int64(noise.count))
    }

    @Test("frames of another stream in between are no packets of this one")
    func otherStream() {
        let stereo = (0..<4).map(payload)
        var bytes: [UInt8] = []
        for index in [0, 1] { bytes += adts(stereo[index]) }
        for index in [4, 5] { bytes += adts(payload(index), channels: 1) }
        for index in [2, 3] { bytes += adts(stereo[index]) }
        #expect(parsed(bytes).packets == stereo)
    }

    @Test(
        "a single frame is no stream, also with a hint",
        arguments: [0, kAudioFileAAC_ADTSType, kAudioFileMP3Type])
    func single(hint: AudioFileTypeID) {
        let parsed = parsed(adts(payload(1)), hint: hint)
        #expect(parsed.packetCount == 0 && parsed.format == nil)
        #expect(parsed.seek(0).status == kAudioFileStreamError_IllegalOperation)
        #expect(parsed.value(kAudioFileStreamProperty_ReadyToProducePackets, UInt32(9)) == 0)
    }

    @Test("a wrong hint does not outweigh the bytes")
    func wrongHint() {
        let bytes = FileBytes.wave(
            FileBytes.waveFormat(1, channels: 2, bits: 16), FileBytes.riff("data", FileBytes.sound(40)))
        let parsed = parsed(bytes, hint: kAudioFileMP3Type)
        #expect(parsed.value(kAudioFileStreamProperty_FileFormat, UInt32(0)) == kAudioFileWAVEType)
    }

    @Test("nothing at all, and a tag alone, are no error and no stream")
    func nothing() {
        let empty = ParsedFile()
        #expect(empty.parse([UInt8]()) == noErr && empty.parse([UInt8](), .discontinuity) == noErr)
        let tag = parsed(Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 9] + [UInt8](repeating: 0xFF, count: 9))
        #expect(tag.properties.isEmpty && tag.format == nil)
    }

    // MARK: MPEG audio

    struct Kind: Sendable {
        var header: [UInt8]
        var size: Int
        var type: AudioFileTypeID
        var id: AudioFormatID
        var rate: Double
        var channels: UInt32
        var frames: UInt32
        var bitRate: UInt32
    }

    static let kinds: [Kind] = [
        Kind(
            header: [0xFF, 0xFB, 0x90, 0], size: 417, type: kAudioFileMP3Type, id: kAudioFormatMPEGLayer3,
            rate: 44_100,
            channels: 2, frames: 1152, bitRate: 128_000),
        Kind(
            header: [0xFF, 0xFB, 0x92, 0], size: 418, type: kAudioFileMP3Type, id: kAudioFormatMPEGLayer3,
            rate: 44_100,
            channels: 2, frames: 1152, bitRate: 128_000),
        Kind(
            header: [0xFF, 0xFD, 0xA4, 0xC0], size: 576, type: kAudioFileMP2Type, id: kAudioFormatMPEGLayer2,
            rate: 48_000,
            channels: 1, frames: 1152, bitRate: 192_000),
        Kind(
            header: [0xFF, 0xFF, 0xC0, 0], size: 416, type: kAudioFileMP1Type, id: kAudioFormatMPEGLayer1,
            rate: 44_100,
            channels: 2, frames: 384, bitRate: 384_000),
        Kind(
            header: [0xFF, 0xF3, 0x80, 0x40], size: 208, type: kAudioFileMP3Type, id: kAudioFormatMPEGLayer3,
            rate: 22_050,
            channels: 2, frames: 576, bitRate: 64_000),
        Kind(
            header: [0xFF, 0xE3, 0x40, 0xC0], size: 208, type: kAudioFileMP3Type, id: kAudioFormatMPEGLayer3,
            rate: 11_025,
            channels: 1, frames: 576, bitRate: 32_000),
    ]

    private func frame(_ kind: Kind, _ index: Int) -> [UInt8] {
        kind.header + [UInt8](repeating: UInt8(index + 1), count: kind.size - 4)
    }

    @Test("a header states layer, rate, channels and length of its frame", arguments: kinds)
    func mpeg(kind: Kind) {
        let frames = (0..<4).map { frame(kind, $0) }
        let parsed = parsed(frames.flatMap { $0 })
        #expect(parsed.packets == frames && parsed.format?.mFormatID == kind.id)
        #expect(parsed.value(kAudioFileStreamProperty_FileFormat, UInt32(0)) == kind.type)
        #expect(parsed.format?.mSampleRate == kind.rate && parsed.format?.mChannelsPerFrame == kind.channels)
        #expect(parsed.format?.mFramesPerPacket == kind.frames)
        #expect(parsed.value(kAudioFileStreamProperty_BitRate, UInt32(0)) == kind.bitRate)
        #expect(parsed.value(kAudioFileStreamProperty_AudioDataPacketCount, UInt64(0)) == nil)
    }

    @Test(
        "the summary of an encoder is no packet, and states the frames to trim", arguments: ["Xing", "Info"])
    func summary(name: String) {
        let kind = Self.kinds[0]
        var first = [UInt8](repeating: 0, count: kind.size)
        first.replaceSubrange(0..<4, with: kind.header)
        // Frames and bytes, then the encoder's name; 576 frames of delay and 1000 of padding.
        let summary = Array(name.utf8) + FileBytes.big(3, 4) + FileBytes.big(40, 4) + FileBytes.big(17_097, 4)
        first.replaceSubrange(36..<52, with: summary)
        first.replaceSubrange(52..<61, with: Array("LAME3.100".utf8))
        first.replaceSubrange(73..<76, with: FileBytes.big(576 << 12 | 1000, 3))
        let frames = (0..<5).map { frame(kind, $0) }
        let parsed = parsed(first + frames.flatMap { $0 })
        #expect(parsed.packets == frames && parsed.dataOffset == Int64(kind.size))
        #expect(parsed.value(kAudioFileStreamProperty_AudioDataPacketCount, UInt64(0)) == 40)
        #expect(parsed.value(kAudioFileStreamProperty_AudioDataByteCount, UInt64(0)) == 16_680)
        let table = parsed.packetTable
        // A decoder adds 529 frames itself.
        #expect(table?.mPrimingFrames == 1105 && table?.mRemainderFrames == 471)
        #expect(table?.mNumberValidFrames == Int64(40 * 1152 - 1105 - 471))
        let seconds = 40.0 * 1152 / 44_100
        #expect(
            parsed.value(kAudioFileStreamProperty_BitRate, UInt32(0))
                == UInt32((16_680 * 8 / seconds).rounded()))
    }

    @Test("a summary of another maker states frames and bytes")
    func otherSummary() {
        let kind = Self.kinds[0]
        var first = [UInt8](repeating: 0, count: kind.size)
        first.replaceSubrange(0..<4, with: kind.header)
        let summary =
            Array("VBRI".utf8) + FileBytes.big(1, 2) + FileBytes.big(0, 4) + FileBytes.big(20_017, 4)
        first.replaceSubrange(36..<54, with: summary + FileBytes.big(50, 4))
        let parsed = parsed(first + (0..<3).flatMap { frame(kind, $0) })
        #expect(parsed.packetCount == 3 && parsed.packetTable == nil)
        #expect(parsed.value(kAudioFileStreamProperty_AudioDataPacketCount, UInt64(0)) == 50)
        #expect(parsed.value(kAudioFileStreamProperty_AudioDataByteCount, UInt64(0)) == 19_600)
    }

    // MARK: FLAC

    /// A file of silence, then noise, so that the mean packet is unlike every other one.
    private func flac() throws -> [UInt8] {
        let noise = Signal.noiseFloat(frameCount: 50_000)
        var sound = PCMBuffer(format: noise.format, silentFrameCount: 50_000)
        sound.append(noise)
        let folder = try TestFolder()
        try MediaFile.kind("a.flac").write(sound, to: folder.file("a.flac"))
        return try TestFolder.bytes(of: folder.file("a.flac"))
    }

    @Test(
        "packets after an estimated seek go on to the last one, however wrong the estimate",
        arguments: [3, 8, 14] as [Int64])
    func estimate(packet: Int64) throws {
        let bytes = try flac()
        let parsed = ParsedFile()
        #expect(parsed.parse(bytes) == noErr)
        let all = parsed.packets
        let start = try #require(parsed.dataOffset)
        let place = parsed.seek(packet)
        #expect(place.status == noErr && place.flags == .offsetIsEstimated)
        parsed.reset()
        #expect(parsed.parse(Array(bytes[Int(start + place.offset)...]), piece: 5000) == noErr)
        let first = try #require(parsed.packets.first)
        let index = try #require(all.firstIndex(of: first))
        #expect(parsed.packets == Array(all[index...]))
    }

    @Test("packets after a gap go on with the next whole one")
    func gap() throws {
        let bytes = try flac()
        let whole = ParsedFile()
        #expect(whole.parse(bytes) == noErr)
        let cut = ParsedFile()
        let middle = bytes.count / 2
        #expect(cut.parse(bytes[..<middle]) == noErr)
        let count = cut.packetCount
        #expect(cut.parse(bytes[(middle + 3000)...], .discontinuity) == noErr)
        #expect(count > 0 && cut.packetCount > count && cut.packets.last == whole.packets.last)
        #expect(Set(cut.packets).isSubset(of: Set(whole.packets)))
    }
}
