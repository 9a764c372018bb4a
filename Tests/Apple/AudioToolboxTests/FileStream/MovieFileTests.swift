import AudioToolbox
import Testing
import TuttiTestMedia

@Suite("MPEG-4 files as streams")
struct MovieFileTests {
    private static let sound = FileBytes.sound(120)

    /// Four bytes for each frame, uncompressed.
    private static let plain = FileBytes.entry("sowt")

    /// Apple Lossless with its configuration.
    private static let lossless = FileBytes.entry(
        "alac",
        FileBytes.box(
            "alac", FileBytes.big(0, 4) + FileBytes.big(4096, 4) + [0, 16, 40, 10, 14, 2, 0, 255],
            FileBytes.big(0, 8) + FileBytes.big(44_100, 4)))

    /// A file whose sound begins behind its movie.
    ///
    /// - Parameter movie: Makes the movie for the offset at which the sound begins.
    private func file(_ sound: [UInt8] = Self.sound, _ movie: (Int) -> [UInt8]) -> [UInt8] {
        let length = FileBytes.fileType.count + FileBytes.box("moov", movie(0)).count + 8
        return FileBytes.fileType + FileBytes.box("moov", movie(length)) + FileBytes.box("mdat", sound)
    }

    private func parsed(_ bytes: [UInt8], piece: Int = 11) -> ParsedFile {
        let parsed = ParsedFile()
        #expect(parsed.parse(bytes, piece: piece) == noErr)
        return parsed
    }

    private func code(_ bytes: [UInt8]) -> OSStatus { ParsedFile().parse(bytes) }

    @Test(
        "chunks are joined in the order of the table, and bytes between them are no sound",
        arguments: [1, 11, 5000])
    func chunks(piece: Int) {
        let bytes = file { start in
            FileBytes.track(
                entry: Self.plain,
                tables: FileBytes.tables(
                    runs: [(1, 3), (3, 5)], size: 4, count: 11, offsets: [start, start + 20, start + 60]))
        }
        let parsed = parsed(bytes, piece: piece)
        #expect(parsed.packetCount == 11)
        let expected: [UInt8] = Array(Self.sound[0..<12] + Self.sound[20..<32] + Self.sound[60..<80])
        #expect(parsed.packets == [expected])
        #expect(parsed.value(kAudioFileStreamProperty_AudioDataByteCount, UInt64(0)) == 44)
        #expect(parsed.value(kAudioFileStreamProperty_FileFormat, UInt32(0)) == kAudioFileM4AType)
        // Packet 4 is the second one of the second chunk.
        #expect(parsed.seek(4).offset == 24 && parsed.seek(10).offset == 76)
    }

    @Test("packets of varying size come one by one, also with 64-bit offsets", arguments: [false, true])
    func varying(isLarge: Bool) {
        let bytes = file { start in
            FileBytes.track(
                entry: Self.lossless,
                tables: FileBytes.tables(
                    runs: [(1, 2), (2, 1)], sizes: [10, 0, 30, 40], offsets: [start, start + 20, start + 50],
                    isLarge: isLarge))
        }
        let parsed = parsed(bytes)
        let ranges: [Range<Int>] = [0..<10, 10..<10, 20..<50, 50..<90]
        #expect(parsed.packets == ranges.map { Array(Self.sound[$0]) })
        #expect(parsed.format?.mFramesPerPacket == 4096 && parsed.cookie.count == 24)
        #expect(parsed.value(kAudioFileStreamProperty_MaximumPacketSize, UInt32(0)) == 40)
        let start = parsed.dataOffset ?? 0
        let place = parsed.seek(3)
        #expect(place.status == noErr && place.offset == 50)
        parsed.reset()
        #expect(parsed.parse(bytes.dropFirst(Int(start + place.offset)), .discontinuity) == noErr)
        #expect(parsed.packets == [Array(Self.sound[50..<90])])
    }

    @Test("a seek that is refused leaves the stream where it is")
    func refusedSeek() {
        let bytes = file { start in
            FileBytes.track(
                entry: Self.lossless,
                tables: FileBytes.tables(runs: [(1, 4)], sizes: [10, 20, 30, 40], offsets: [start]))
        }
        let parsed = ParsedFile()
        #expect(parsed.parse(bytes.dropLast(80)) == noErr && parsed.packetCount == 2)
        for packet in [-1, 5, Int64.max] {
            #expect(parsed.seek(packet).status == kAudioFileStreamError_InvalidPacketOffset)
        }
        #expect(parsed.parse(bytes.suffix(80)) == noErr)
        #expect(parsed.packetCount == 4 && parsed.packets.last == Array(Self.sound[60..<100]))
    }

    @Test("the first track of sound counts, behind tracks of other media")
    func otherTracks() {
        let bytes = file { start in
            FileBytes.track(
                "vide", entry: FileBytes.entry("avc1"),
                tables: FileBytes.tables(runs: [(1, 1)], sizes: [5], offsets: [start]))
                + FileBytes.track(
                    entry: Self.plain,
                    tables: FileBytes.tables(runs: [(1, 30)], size: 1, count: 30, offsets: [start]))
                + FileBytes.track(entry: Self.lossless, tables: [])
        }
        let parsed = parsed(bytes)
        #expect(parsed.format?.mFormatID == kAudioFormatLinearPCM)
        // The size of a frame counts, where the table says 1.
        #expect(parsed.packets == [Self.sound] && parsed.packetCount == 30)
    }

    /// One edit of 32-bit times, in a movie of its own timescale.
    private func edits(_ length: Int, from start: Int) -> [UInt8] {
        FileBytes.box(
            "edts",
            FileBytes.box(
                "elst",
                FileBytes.big(0, 4) + FileBytes.big(1, 4) + FileBytes.big(length, 4)
                    + FileBytes.big(start, 4),
                FileBytes.big(1, 2) + FileBytes.big(0, 2)))
    }

    static let heard:
        [(scale: Int, length: Int, start: Int, valid: Int64, priming: Int32, remainder: Int32)] = [
            (44_100, 8000, 1000, 8000, 1000, 3288), (44_100, 0, 1000, 10_000, 1000, 1288),
            // A movie's clock in milliseconds cannot tell the end.
            (1000, 181, 1000, 10_000, 1000, 1288),
        ]

    @Test("one edit says which frames are heard", arguments: heard)
    func edit(scale: Int, length: Int, start: Int, valid: Int64, priming: Int32, remainder: Int32) {
        let bytes = file { place in
            FileBytes.box("mvhd", FileBytes.big(0, 12) + FileBytes.big(scale, 4) + FileBytes.big(0, 8))
                + FileBytes.track(
                    entry: Self.lossless,
                    times: FileBytes.times(11_000),
                    tables: FileBytes.tables(runs: [(1, 3)], sizes: [10, 20, 30], offsets: [place]),
                    edits: edits(length, from: start))
        }
        let table = parsed(bytes).packetTable
        #expect(table?.mNumberValidFrames == valid && table?.mPrimingFrames == priming)
        #expect(table?.mRemainderFrames == remainder)
    }

    @Test("an edit beyond the sound says nothing")
    func wrongEdit() {
        let bytes = file { place in
            FileBytes.box("mvhd", FileBytes.big(0, 12) + FileBytes.big(44_100, 4) + FileBytes.big(0, 8))
                + FileBytes.track(
                    entry: Self.lossless,
                    times: FileBytes.times(11_000),
                    tables: FileBytes.tables(runs: [(1, 1)], sizes: [10], offsets: [place]),
                    edits: edits(11_000, from: 1))
        }
        #expect(parsed(bytes).packetTable == nil)
    }

    @Test("files that cannot be streamed are refused with the reason's code")
    func refusals() {
        func movie(_ content: [UInt8]) -> [UInt8] { FileBytes.fileType + FileBytes.box("moov", content) }
        let offsets = [1000]
        #expect(
            code(FileBytes.fileType + FileBytes.box("mdat", Self.sound)) == kAudioFileStreamError_NotOptimized
        )
        #expect(
            code(FileBytes.fileType + FileBytes.box("moof", Self.sound))
                == kAudioFileStreamError_UnsupportedFileType)
        #expect(code(movie(FileBytes.box("free", Self.sound))) == kAudioFileStreamError_UnsupportedDataFormat)
        let video = FileBytes.track("vide", entry: Self.plain, tables: [])
        #expect(code(movie(video)) == kAudioFileStreamError_UnsupportedDataFormat)
        let unknown = FileBytes.track(
            entry: FileBytes.entry("wmav"),
            tables: FileBytes.tables(runs: [(1, 1)], sizes: [4], offsets: offsets))
        #expect(code(movie(unknown)) == kAudioFileStreamError_UnsupportedDataFormat)
        let noCookie = FileBytes.track(
            entry: FileBytes.entry("alac"),
            tables: FileBytes.tables(runs: [(1, 1)], sizes: [4], offsets: offsets))
        #expect(code(movie(noCookie)) == kAudioFileStreamError_InvalidFile)
        let empty = FileBytes.track(
            entry: Self.lossless, tables: FileBytes.tables(runs: [(1, 1)], sizes: [], offsets: offsets))
        #expect(code(movie(empty)) == kAudioFileStreamError_UnsupportedFileType)
    }

    @Test("tables that contradict each other are refused")
    func contradictions() {
        let wrong: [[UInt8]] = [
            // No table; a run that does not begin with the first chunk; more packets than sizes; a giant packet.
            [], FileBytes.tables(runs: [(2, 1)], sizes: [4], offsets: [1000]),
            FileBytes.tables(runs: [(1, 2)], count: 2, sizes: [4], offsets: [1000]),
            FileBytes.tables(runs: [(1, 1)], sizes: [0xFFFF_FFFF], offsets: [1000]),
            FileBytes.tables(runs: [(1, 1)], size: 0xFFFF_FFFF, count: 1, offsets: [1000]),
            FileBytes.tables(runs: [(1, 1)], sizes: [4], offsets: [-1], isLarge: true),
        ]
        for tables in wrong {
            let bytes =
                FileBytes.fileType
                + FileBytes.box("moov", FileBytes.track(entry: Self.lossless, tables: tables))
            #expect(code(bytes) == kAudioFileStreamError_InvalidFile)
        }
    }

    @Test("a chunk before the place that was reached cannot be streamed")
    func backwards() {
        let bytes = file { start in
            FileBytes.track(
                entry: Self.plain,
                tables: FileBytes.tables(runs: [(1, 2)], size: 4, count: 4, offsets: [start + 40, start]))
        }
        #expect(code(bytes) == kAudioFileStreamError_NotOptimized)
    }
}
