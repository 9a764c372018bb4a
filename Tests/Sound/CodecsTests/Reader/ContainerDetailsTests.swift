import Testing
import TuttiMediaTime
import TuttiTestSupport

@testable import TuttiCodecs

@Suite("Container details handled by us")
struct ContainerDetailsTests {
    static let headers: [(String, [UInt8], [UInt8]?, Int)] = [
        ("LC 44.1 stereo", [0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x7F, 0xFC], [0x12, 0x10], 7),
        ("LC 48 mono, checksum", [0xFF, 0xF0, 0x4C, 0x40, 0x2E, 0x7F, 0xFC, 1, 2], [0x11, 0x88], 9),
        ("checksum missing", [0xFF, 0xF0, 0x4C, 0x40, 0x2E, 0x7F, 0xFC], nil, 0),
        ("no sync", [0xFF, 0xE1, 0x50, 0x80, 0x2E, 0x7F, 0xFC], nil, 0),
        ("reserved rate", [0xFF, 0xF1, 0x7C, 0x80, 0x2E, 0x7F, 0xFC], nil, 0),
        ("short", [0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x7F], nil, 0), ("empty", [], nil, 0),
    ]

    @Test("ADTS headers are read", arguments: headers)
    func adts(name: String, bytes: [UInt8], config: [UInt8]?, byteCount: Int) {
        let header = ADTSHeader(bytes)
        #expect(header?.audioSpecificConfig == config)
        #expect((header?.byteCount ?? 0) == byteCount)
    }

    @Test("iTunes gapless comments are read")
    func iTunes() {
        let tag = ITunesGaplessTag(" 00000000 00000840 000001CA 00000000003F31F6 00000000 00000000")
        #expect(tag?.delay == 2112)
        #expect(tag?.padding == 458)
        #expect(tag?.frameCount == 0x3F31F6)
        for bad in [
            "", "0 1 2", " 0 840 1CA 0", " 0 -1 1 5", " 0 FFFFFFFF 0 5", " 0 0 0 -5", " x y z w",
            " 0 0 0 FFFFFFFFFFFFFFFFFF",
        ] {
            #expect(ITunesGaplessTag(bad) == nil, "\(bad)")
        }
    }

    @Test("a LAME tag is read, and every truncation of it is safe")
    func lame() {
        var bytes: [UInt8] =
            [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 32) + Array("Info".utf8) + [
                0, 0, 0, 0x0F,
            ]
        bytes +=
            [UInt8](repeating: 0, count: 4 + 4 + 100 + 4) + Array("LAME3.100".utf8)
            + [UInt8](repeating: 0, count: 12)
        bytes += [0x24, 0x02, 0xFF]
        #expect(LAMETag(frames: bytes)?.delay == 576)
        #expect(LAMETag(frames: bytes)?.padding == 767)
        for count in 0..<bytes.count { #expect(LAMETag(frames: Array(bytes.prefix(count))) == nil) }
        #expect(LAMETag.endOfID3(Array("ID3".utf8) + [4, 0, 0, 0, 0, 2, 1]) == 10 + 257)
        #expect(LAMETag.endOfID3(bytes) == 0)
    }

    static func box(_ kind: String, _ body: [UInt8]) -> [UInt8] {
        word(Int64(body.count + 8)) + Array(kind.utf8) + body
    }

    static func word(_ value: Int64) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    static func movie(edits: [(Int64, Int64)], scale: Int64 = 44_100) -> [UInt8] {
        let list =
            word(0) + word(Int64(edits.count)) + edits.flatMap { word($0.0) + word($0.1) + word(0x10000) }
        let handler = word(0) + word(0) + Array("soun".utf8) + word(0)
        let track = box("edts", box("elst", list)) + box("mdia", box("hdlr", handler))
        return box("mvhd", word(0) + word(0) + word(0) + word(scale) + word(0)) + box("trak", track)
    }

    @Test("edit lists are applied")
    func edits() {
        let one = MP4EditList(movie: Self.movie(edits: [(100_000, 2112)])[...])
        #expect(one?.mediaTime == 2112)
        #expect(one?.frames(rate: 44_100).count == 100_000)
        #expect(one?.frames(rate: 44_100).uncertainty == 1)
        let coarse = MP4EditList(movie: Self.movie(edits: [(1500, 1024)], scale: 1000)[...])
        #expect(coarse?.frames(rate: 44_100).count == 66_150)
        #expect(coarse?.frames(rate: 44_100).uncertainty == 45)
        #expect(MP4EditList(movie: Self.movie(edits: [(7, 0xFFFF_FFFF), (5000, 0)])[...])?.duration == 5000)
        #expect(MP4EditList(movie: Self.movie(edits: [(7, 0), (5000, 0)])[...]) == nil)
        #expect(MP4EditList(movie: Self.movie(edits: [(0, 0)])[...]) == nil)
        #expect(MP4EditList(movie: Self.movie(edits: [(5, 0)], scale: 0)[...]) == nil)
        #expect(MP4EditList(movie: Self.movie(edits: [])[...]) == nil)
    }

    @Test("a truncated or mutated edit list does not trap")
    func hostileEdits() {
        let movie = Self.movie(edits: [(100_000, 2112)])
        var generator = SeededGenerator(seed: 4)
        for index in movie.indices {
            _ = MP4EditList(movie: movie[0..<index])
            for _ in 0..<8 {
                var changed = movie
                changed[index] = UInt8.random(in: 0...255, using: &generator)
                _ = MP4EditList(movie: changed[...])?.frames(rate: 48_000)
            }
        }
    }

    @Test("time jumps that no audio explains are rejected")
    func damagedTimeline() {
        let limits = PacketTimeline.Limits(hole: 100_000, back: 48_000, end: 500_000)
        var line = PacketTimeline(firstTimestamp: 0, fixedDuration: nil, tolerance: 1, limits: limits)
        #expect(line.place(hint: 0, duration: 1000) == 0)
        // A jump forward, and back.
        #expect(line.place(hint: 90_000, duration: 1000) == 90_000)
        #expect(line.place(hint: 60_000, duration: 1000) == 60_000)
        #expect(line.place(hint: 300_000, duration: 1000) == 61_000)
        #expect(line.place(hint: .max, duration: 1000) == 62_000)
        #expect(line.place(hint: 0, duration: 1000) == 63_000)
        #expect(line.place(hint: .min, duration: 1000) == 64_000)
        // After the end that the container states.
        line.forgetPosition()
        #expect(line.place(hint: 490_000, duration: 1000) == 490_000)
        #expect(line.place(hint: 510_000, duration: 1000) == 491_000)
    }

    @Test("rounded container times do not move packets; real jumps do")
    func timeline() {
        var line = PacketTimeline(firstTimestamp: -312, fixedDuration: 960, tolerance: 48)
        #expect(line.place(hint: -336, duration: 960) == -312)
        line = PacketTimeline(firstTimestamp: -312, fixedDuration: 960, tolerance: 48)
        #expect(line.place(hint: nil, duration: 960) == -312)
        #expect(line.place(hint: 672, duration: 960) == 648)
        #expect(line.place(hint: nil, duration: 960) == 1608)
        #expect(line.place(hint: 48_000, duration: 960) == 48_000)
        line.forgetPosition()
        #expect(line.place(hint: 1632, duration: 960) == 1608)
        line.forgetPosition()
        #expect(line.place(hint: -330, duration: 960) == -312)
    }
}
