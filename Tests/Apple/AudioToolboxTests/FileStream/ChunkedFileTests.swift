import AudioToolbox
import Testing

@Suite("WAVE, AIFF and CAF files as streams")
struct ChunkedFileTests {
    private static let sound = FileBytes.sound(60)
    private static let signed = kAudioFormatFlagIsSignedInteger
    private static let float = kAudioFormatFlagIsFloat
    private static let big = kAudioFormatFlagIsBigEndian
    private static let packed = kAudioFormatFlagIsPacked

    private func parsed(_ bytes: [UInt8], piece: Int = 7) -> ParsedFile {
        let parsed = ParsedFile()
        let status = parsed.parse(bytes, piece: piece)
        #expect(status == noErr)
        return parsed
    }

    /// The code with which a file is refused, whole and byte by byte.
    private func code(_ bytes: [UInt8]) -> OSStatus {
        let (whole, cut) = (ParsedFile(), ParsedFile())
        let status = whole.parse(bytes)
        #expect(cut.parse(bytes, piece: 1) == status)
        // A refusal is for good.
        #expect(whole.parse([0]) == status && whole.packetCount == 0)
        return status
    }

    // MARK: WAVE

    struct Format: Sendable {
        var chunk: [UInt8]
        var id: AudioFormatID
        var flags: AudioFormatFlags
        var bits: UInt32
        var frame: UInt32
    }

    static let waves: [Format] = [
        Format(
            chunk: FileBytes.waveFormat(1, channels: 2, bits: 16), id: kAudioFormatLinearPCM,
            flags: signed | packed,
            bits: 16, frame: 4),
        Format(
            chunk: FileBytes.waveFormat(1, channels: 1, bits: 8), id: kAudioFormatLinearPCM, flags: packed,
            bits: 8,
            frame: 1),
        Format(
            chunk: FileBytes.waveFormat(1, channels: 2, bits: 20), id: kAudioFormatLinearPCM,
            flags: signed | kAudioFormatFlagIsAlignedHigh, bits: 20, frame: 6),
        Format(
            chunk: FileBytes.waveFormat(3, channels: 1, bits: 64), id: kAudioFormatLinearPCM,
            flags: float | packed,
            bits: 64, frame: 8),
        Format(
            chunk: FileBytes.waveFormat(6, channels: 2, bits: 8), id: kAudioFormatALaw, flags: 0, bits: 8,
            frame: 2),
        Format(
            chunk: FileBytes.waveFormat(7, channels: 1, bits: 8), id: kAudioFormatULaw, flags: 0, bits: 8,
            frame: 1),
        // The extended form: 24 bits in four bytes, with places.
        Format(
            chunk: FileBytes.waveFormat(
                0xFFFE, channels: 2, bits: 32,
                more: FileBytes.little(22, 2) + FileBytes.little(24, 2) + FileBytes.little(3, 4)
                    + FileBytes.little(1, 2) + [UInt8](repeating: 0, count: 14)),
            id: kAudioFormatLinearPCM, flags: signed | kAudioFormatFlagIsAlignedHigh, bits: 24, frame: 8),
    ]

    @Test("a WAVE header states the layout of its samples", arguments: waves)
    func wave(format: Format) throws {
        let parsed = parsed(
            FileBytes.wave(
                FileBytes.riff("LIST", [1, 2, 3]), format.chunk, FileBytes.riff("data", Self.sound)))
        let stream = try #require(parsed.format)
        #expect(stream.mFormatID == format.id && stream.mFormatFlags == format.flags)
        #expect(stream.mBitsPerChannel == format.bits && stream.mBytesPerFrame == format.frame)
        #expect(stream.mBytesPerPacket == format.frame && stream.mFramesPerPacket == 1)
        let whole = 60 / Int(format.frame)
        #expect(
            parsed.packetCount == whole
                && parsed.packets == [Array(Self.sound.prefix(whole * Int(format.frame)))])
        #expect(parsed.value(kAudioFileStreamProperty_AudioDataPacketCount, UInt64(0)) == UInt64(whole))
        #expect(parsed.value(kAudioFileStreamProperty_AudioDataByteCount, UInt64(0)) == 60)
        #expect(parsed.value(kAudioFileStreamProperty_BitRate, UInt32(0)) == 44_100 * format.frame * 8)
        #expect(parsed.value(kAudioFileStreamProperty_MaximumPacketSize, UInt32(0)) == format.frame)
        #expect(parsed.value(kAudioFileStreamProperty_AverageBytesPerPacket, 0.0) == Double(format.frame))
    }

    @Test("chunks behind the sound are no sound")
    func trailingChunks() {
        let head = FileBytes.wave(
            FileBytes.waveFormat(1, channels: 2, bits: 16), FileBytes.riff("data", Self.sound))
        let tail = FileBytes.riff("LIST", FileBytes.sound(4000))
        for piece in [1, 50, 100_000] {
            let parsed = parsed(head + tail, piece: piece)
            #expect(parsed.packets == [Self.sound] && parsed.packetCount == 15)
        }
    }

    @Test("sound of an unknown length goes on to the end", arguments: [0, 0xFFFF_FFFF])
    func unknownLength(size: Int) {
        let parsed = parsed(
            FileBytes.wave(
                FileBytes.waveFormat(1, channels: 2, bits: 16), FileBytes.riff("data", Self.sound, size: size)
            ))
        #expect(parsed.packetCount == 15)
        #expect(parsed.value(kAudioFileStreamProperty_AudioDataPacketCount, UInt64(0)) == nil)
        #expect(!parsed.properties.contains(kAudioFileStreamProperty_AudioDataByteCount))
    }

    @Test("a file with 64-bit sizes has its length from there")
    func largeSizes() {
        let sizes = FileBytes.little(0, 8) + FileBytes.little(5_000_000_000, 8) + FileBytes.little(0, 12)
        let parsed = parsed(
            FileBytes.wave(
                FileBytes.riff("ds64", sizes), FileBytes.waveFormat(1, channels: 2, bits: 16),
                FileBytes.riff("data", Self.sound, size: 0xFFFF_FFFF), kind: "RF64"))
        #expect(parsed.value(kAudioFileStreamProperty_FileFormat, UInt32(0)) == kAudioFileRF64Type)
        #expect(parsed.value(kAudioFileStreamProperty_AudioDataByteCount, UInt64(0)) == 5_000_000_000)
        #expect(parsed.value(kAudioFileStreamProperty_AudioDataPacketCount, UInt64(0)) == 1_250_000_000)
        let place = parsed.seek(1_250_000_000)
        #expect(place.status == noErr && place.offset == 5_000_000_000)
        #expect(parsed.seek(1_250_000_001).status == kAudioFileStreamError_InvalidPacketOffset)
    }

    @Test("a seek that is refused leaves the stream where it is")
    func refusedSeek() {
        let bytes = FileBytes.wave(
            FileBytes.waveFormat(1, channels: 2, bits: 16), FileBytes.riff("data", Self.sound))
        let parsed = ParsedFile()
        #expect(parsed.parse(bytes.prefix(60)) == noErr)
        for packet in [-1, 16, Int64.max, .min] {
            #expect(parsed.seek(packet).status == kAudioFileStreamError_InvalidPacketOffset)
        }
        #expect(parsed.parse(bytes.dropFirst(60)) == noErr && parsed.packets == [Self.sound])
    }

    static let badWaves: [(bytes: [UInt8], status: OSStatus)] = [
        (FileBytes.wave(FileBytes.riff("data", sound)), kAudioFileStreamError_NotOptimized),
        (FileBytes.wave(FileBytes.waveFormat(1, channels: 0, bits: 16)), kAudioFileStreamError_InvalidFile),
        (FileBytes.wave(FileBytes.riff("fmt ", [1, 0, 2, 0])), kAudioFileStreamError_InvalidFile),
        (FileBytes.wave(FileBytes.riff("fmt ", [], size: 5000)), kAudioFileStreamError_InvalidFile),
        (
            FileBytes.wave(FileBytes.waveFormat(0x55, channels: 2, bits: 16)),
            kAudioFileStreamError_UnsupportedDataFormat
        ),
        (
            FileBytes.wave(FileBytes.waveFormat(1, channels: 65, bits: 8)),
            kAudioFileStreamError_UnsupportedDataFormat
        ),
        (
            FileBytes.wave(FileBytes.waveFormat(1, channels: 2, rate: 0, bits: 16)),
            kAudioFileStreamError_UnsupportedDataFormat
        ),
        (
            FileBytes.wave(FileBytes.waveFormat(1, channels: 2, bits: 24, block: 2)),
            kAudioFileStreamError_UnsupportedDataFormat
        ),
        (FileBytes.wave(sound, kind: "RIFX"), kAudioFileStreamError_UnsupportedFileType),
        (Array("RIFF".utf8) + sound, kAudioFileStreamError_UnsupportedFileType),
    ]

    @Test("a WAVE file without a usable format is refused with the reason's code", arguments: badWaves)
    func badWave(bytes: [UInt8], status: OSStatus) { #expect(code(bytes) == status) }

    // MARK: AIFF

    static let rates: [(bytes: [UInt8], rate: Double)] = [
        (FileBytes.cdRate, 44_100), ([0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0], 48_000),
        ([0x40, 0x0F, 0xBB, 0x80, 0, 0, 0, 0, 0, 0], 96_000),
        ([0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0], 8000),
        ([0x40, 0x0C, 0xAC, 0x44, 0, 0, 0, 0, 0, 0], 11_025),
        ([0x40, 0x0D, 0xAD, 0xDD, 0x17, 0x45, 0xD1, 0x74, 0x5D, 0x17], 22_254.545_454_545_456),
    ]

    @Test("the rate of an AIFF file is an 80-bit number", arguments: rates)
    func extendedRate(bytes: [UInt8], rate: Double) throws {
        let sound = FileBytes.iff("SSND", FileBytes.big(0, 8) + Self.sound)
        let parsed = parsed(FileBytes.aiff(FileBytes.common(channels: 2, bits: 16, rate: bytes), sound))
        let stream = try #require(parsed.format)
        #expect(abs(stream.mSampleRate - rate) < 1e-6)
        #expect(stream.mFormatFlags == Self.signed | Self.big | Self.packed && parsed.packets == [Self.sound])
    }

    static let codings:
        [(coding: String, bits: Int, id: AudioFormatID, flags: AudioFormatFlags, frame: UInt32)] = [
            ("NONE", 24, kAudioFormatLinearPCM, signed | big | packed, 6),
            ("sowt", 16, kAudioFormatLinearPCM, signed | packed, 4),
            ("fl32", 16, kAudioFormatLinearPCM, float | big | packed, 8),
            ("FL64", 64, kAudioFormatLinearPCM, float | big | packed, 16),
            ("ulaw", 16, kAudioFormatULaw, 0, 2), ("ALAW", 16, kAudioFormatALaw, 0, 2),
        ]

    @Test("the coding of an AIFF-C file is its own, whatever depth it states", arguments: codings)
    func coding(coding: String, bits: Int, id: AudioFormatID, flags: AudioFormatFlags, frame: UInt32) throws {
        let common = FileBytes.common(
            channels: 2, bits: bits, rate: FileBytes.cdRate, coding: coding + "\u{3}abc")
        let parsed = parsed(
            FileBytes.aiff(common, FileBytes.iff("SSND", FileBytes.big(0, 8) + Self.sound), kind: "AIFC"))
        let stream = try #require(parsed.format)
        #expect(stream.mFormatID == id && stream.mFormatFlags == flags && stream.mBytesPerFrame == frame)
        #expect(parsed.value(kAudioFileStreamProperty_FileFormat, UInt32(0)) == kAudioFileAIFCType)
        #expect(parsed.packetCount == 60 / Int(frame))
    }

    @Test("sound behind an offset begins there")
    func soundOffset() {
        let common = FileBytes.common(channels: 2, bits: 16, rate: FileBytes.cdRate)
        let content = FileBytes.big(6, 4) + FileBytes.big(0, 4) + [9, 9, 9, 9, 9, 9] + Self.sound
        let parsed = parsed(
            FileBytes.aiff(common, FileBytes.iff("SSND", content), FileBytes.iff("NAME", [1, 2, 3])))
        #expect(parsed.packets == [Self.sound])
        #expect(parsed.dataOffset == Int64(12 + 26 + 16 + 6))
        #expect(parsed.value(kAudioFileStreamProperty_AudioDataByteCount, UInt64(0)) == 60)
    }

    static let badAIFF: [(bytes: [UInt8], status: OSStatus)] = [
        (FileBytes.aiff(FileBytes.iff("SSND", sound)), kAudioFileStreamError_NotOptimized),
        (FileBytes.aiff(FileBytes.iff("COMM", FileBytes.big(2, 8))), kAudioFileStreamError_InvalidFile),
        (FileBytes.aiff(FileBytes.iff("COMM", [], size: 1 << 20)), kAudioFileStreamError_InvalidFile),
        (
            FileBytes.aiff(
                FileBytes.common(channels: 2, bits: 16, rate: FileBytes.cdRate, coding: "ima4"), kind: "AIFC"),
            kAudioFileStreamError_UnsupportedDataFormat
        ),
        (
            FileBytes.aiff(
                FileBytes.common(channels: 2, bits: 16, rate: [UInt8](repeating: 0, count: 10))),
            kAudioFileStreamError_UnsupportedDataFormat
        ),
        (
            FileBytes.aiff(
                FileBytes.common(channels: 2, bits: 16, rate: [UInt8](repeating: 0x7F, count: 10))),
            kAudioFileStreamError_UnsupportedDataFormat
        ),
        (
            FileBytes.aiff(
                FileBytes.common(channels: 2, bits: 16, rate: FileBytes.cdRate),
                FileBytes.iff("SSND", FileBytes.big(1000, 4) + FileBytes.big(0, 4) + sound)),
            kAudioFileStreamError_InvalidFile
        ),
        (FileBytes.aiff(sound, kind: "8SVX"), kAudioFileStreamError_UnsupportedFileType),
    ]

    @Test("an AIFF file without a usable format is refused with the reason's code", arguments: badAIFF)
    func badFile(bytes: [UInt8], status: OSStatus) { #expect(code(bytes) == status) }

    // MARK: CAF

    static let cafs: [(flags: Int, bits: Int, expected: AudioFormatFlags)] = [
        (0, 16, signed | big | packed), (2, 16, signed | packed), (1, 32, float | big | packed),
        (3, 32, float | packed),
    ]

    @Test("flags of a CAF file say the kind of number and the byte order", arguments: cafs)
    func cafFlags(flags: Int, bits: Int, expected: AudioFormatFlags) throws {
        let description = FileBytes.cafDescription("lpcm", flags: flags, bytes: bits / 4, bits: bits)
        for size in [64, -1] {
            let data = FileBytes.cafChunk("data", FileBytes.big(0, 4) + Self.sound, size: size)
            let parsed = parsed(FileBytes.caf(description, FileBytes.cafChunk("free", [1, 2, 3]), data))
            let stream = try #require(parsed.format)
            #expect(stream.mFormatFlags == expected && stream.mBytesPerFrame == UInt32(bits / 4))
            #expect(parsed.packetCount == 60 / (bits / 4))
            let count = parsed.value(kAudioFileStreamProperty_AudioDataByteCount, UInt64(0))
            #expect(count == (size == 64 ? 60 : nil))
        }
    }

    /// A packet table of two values per packet: bytes and frames.
    private static func lengths(_ values: [UInt8], count: Int) -> [UInt8] {
        FileBytes.cafChunk(
            "pakt", FileBytes.big(count, 8) + FileBytes.big(700, 8) + FileBytes.big(0, 8) + values)
    }

    @Test("packets of varying size and length have both in their descriptions")
    func varyingLengths() throws {
        /// Collects descriptions.
        final class Taken {
            var packets: [AudioStreamPacketDescription] = []
        }
        let taken = Taken()
        var made: AudioFileStreamID?
        AudioFileStreamOpen(
            Unmanaged.passUnretained(taken).toOpaque(), { _, _, _, _ in },
            { client, _, count, _, descriptions in
                let taken = Unmanaged<Taken>.fromOpaque(client).takeUnretainedValue()
                if let descriptions {
                    taken.packets += UnsafeBufferPointer(start: descriptions, count: Int(count))
                }
            }, 0, &made)
        let stream = try #require(made)
        let bytes = FileBytes.caf(
            FileBytes.cafDescription("flac", frames: 0),
            Self.lengths([10, 0x82, 0x2C, 40, 0x83, 0x10, 10, 7], count: 3),
            FileBytes.cafChunk("data", FileBytes.big(0, 4) + Self.sound, size: -1))
        #expect(AudioFileStreamParseBytes(stream, UInt32(bytes.count), bytes, []) == noErr)
        #expect(taken.packets.map(\.mDataByteSize) == [10, 40, 10])
        #expect(taken.packets.map(\.mVariableFramesInPacket) == [300, 400, 7])
        #expect(taken.packets.map(\.mStartOffset) == [0, 10, 50])
        AudioFileStreamClose(stream)
    }

    static let badCAF: [(bytes: [UInt8], status: OSStatus)] = [
        (FileBytes.caf(FileBytes.cafChunk("data", sound)), kAudioFileStreamError_NotOptimized),
        (
            FileBytes.caf(FileBytes.cafDescription("aac ", frames: 1024), FileBytes.cafChunk("data", sound)),
            kAudioFileStreamError_NotOptimized
        ),
        (
            FileBytes.caf(FileBytes.cafChunk("desc", Array(sound.prefix(20)))),
            kAudioFileStreamError_InvalidFile
        ),
        (FileBytes.caf(FileBytes.cafChunk("free", [], size: Int.min)), kAudioFileStreamError_InvalidFile),
        (FileBytes.caf(FileBytes.cafChunk("kuki", [], size: 1 << 40)), kAudioFileStreamError_InvalidFile),
        // Fewer packets than the table counts; a frame count is missing; a size of more than any packet has.
        (
            FileBytes.caf(FileBytes.cafDescription("aac ", frames: 1024), lengths([1, 2], count: 3)),
            kAudioFileStreamError_InvalidFile
        ),
        (
            FileBytes.caf(FileBytes.cafDescription("flac", frames: 0), lengths([1, 2, 3], count: 2)),
            kAudioFileStreamError_InvalidFile
        ),
        (
            FileBytes.caf(
                FileBytes.cafDescription("aac ", frames: 1024), lengths([0xFF, 0xFF, 0xFF, 0x7F], count: 1)),
            kAudioFileStreamError_InvalidFile
        ),
        (
            FileBytes.caf(FileBytes.cafDescription("aac ", frames: 1024), lengths([1], count: -1)),
            kAudioFileStreamError_InvalidFile
        ),
        (
            FileBytes.caf(FileBytes.cafDescription("aac ", rate: .nan)),
            kAudioFileStreamError_UnsupportedDataFormat
        ),
        (
            FileBytes.caf(FileBytes.cafDescription("lpcm", channels: 0)),
            kAudioFileStreamError_UnsupportedDataFormat
        ),
    ]

    @Test(
        "a CAF file whose chunks contradict each other is refused with the reason's code", arguments: badCAF)
    func badCAFFile(bytes: [UInt8], status: OSStatus) { #expect(code(bytes) == status) }
}
