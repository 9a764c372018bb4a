import AudioToolbox
import Testing
import TuttiTestMedia

@Suite("Translations between packets, frames and bytes")
struct PacketTranslationTests {
    private func parsed(_ name: String) throws -> ParsedFile {
        let folder = try TestFolder()
        var file = MediaFile.kind(name)
        if name.hasSuffix(".m4a") { file.containerOptions = [("movflags", "faststart")] }
        try file.write(Signal.sweep(frameCount: 60_000), to: folder.file(name))
        let parsed = ParsedFile()
        #expect(parsed.parse(try TestFolder.bytes(of: folder.file(name)), piece: 5000) == noErr)
        return parsed
    }

    private func frame(_ frame: Int64, _ packet: Int64) -> AudioFramePacketTranslation {
        AudioFramePacketTranslation(mFrame: frame, mPacket: packet, mFrameOffsetInPacket: 9)
    }

    private func byte(_ byte: Int64, _ packet: Int64) -> AudioBytePacketTranslation {
        AudioBytePacketTranslation(mByte: byte, mPacket: packet, mByteOffsetInPacket: 9, mFlags: [])
    }

    @Test("packets of one size are translated exactly, both ways")
    func constant() throws {
        let file = try parsed("a.wav")
        let format = try #require(file.format)
        let size = Int64(format.mBytesPerPacket)
        #expect(file.value(kAudioFileStreamProperty_PacketToFrame, frame(0, 70))?.mFrame == 70)
        let found = file.value(kAudioFileStreamProperty_ByteToPacket, byte(70 * size + 1, 0))
        #expect(found?.mPacket == 70 && found?.mByteOffsetInPacket == 1 && found?.mFlags == [])
        let place = file.value(kAudioFileStreamProperty_PacketToByte, byte(0, 70))
        #expect(place?.mByte == 70 * size && place?.mByteOffsetInPacket == 0 && place?.mFlags == [])
    }

    @Test("the packets of a table have their own offsets")
    func table() throws {
        let file = try parsed("aac.m4a")
        let found = file.value(kAudioFileStreamProperty_FrameToPacket, frame(2050, 0))
        #expect(found?.mPacket == 2 && found?.mFrameOffsetInPacket == 2)
        #expect(file.value(kAudioFileStreamProperty_PacketToFrame, frame(0, 3))?.mFrame == 3072)
        let place = file.value(kAudioFileStreamProperty_PacketToByte, byte(0, 2))
        #expect(place?.mByte == file.packets.prefix(2).reduce(0) { $0 + Int64($1.count) })
        #expect(place?.mFlags == [])
        // The stream continues where it was: another seek finds the same place.
        #expect(file.seek(2).offset == place?.mByte)
    }

    @Test("without a table the bytes of a packet are an estimate")
    func estimate() throws {
        let file = try parsed("aac.aac")
        let place = file.value(kAudioFileStreamProperty_PacketToByte, byte(0, 10))
        #expect(place?.mFlags == .bytePacketTranslationFlag_IsEstimate && (place?.mByte ?? 0) > 0)
        let found = file.value(kAudioFileStreamProperty_ByteToPacket, byte(place?.mByte ?? 0, 0))
        #expect(found?.mFlags == .bytePacketTranslationFlag_IsEstimate)
        #expect(abs((found?.mPacket ?? 0) - 10) <= 1)
    }

    @Test("impossible translations have an error code, and sizes are checked")
    func errors() throws {
        let file = try parsed("aac.m4a")
        for value: Int64 in [-1, .max, .min] {
            #expect(file.value(kAudioFileStreamProperty_PacketToFrame, frame(0, value)) == nil)
            #expect(file.value(kAudioFileStreamProperty_PacketToByte, byte(0, value)) == nil)
        }
        #expect(file.value(kAudioFileStreamProperty_FrameToPacket, frame(-1, 0)) == nil)
        #expect(file.value(kAudioFileStreamProperty_ByteToPacket, byte(-1, 0)) == nil)
        // Too little room, and a stream that has not begun.
        #expect(file.value(kAudioFileStreamProperty_PacketToFrame, UInt64(0)) == nil)
        #expect(ParsedFile().value(kAudioFileStreamProperty_PacketToFrame, frame(0, 1)) == nil)
        #expect(ParsedFile().value(kAudioFileStreamProperty_PacketToByte, byte(0, 1)) == nil)
    }
}
