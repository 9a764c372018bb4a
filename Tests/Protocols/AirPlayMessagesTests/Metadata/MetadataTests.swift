import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiTestSupport
import TuttiWire

@Suite("Metadata, progress and artwork")
struct MetadataTests {
    static func recorded() throws -> [UInt8] {
        Vectors.bytes(hex: try Vectors.dictionary("airplay/dmap-metadata.json")["body_hex"] as? String ?? "")
    }

    @Test("the recorded metadata round-trips")
    func recordedMetadata() throws {
        let body = try Self.recorded()
        let metadata = try DMAPMetadata(exactly: body)
        #expect(metadata.title == "Tïtle ☃")
        #expect(metadata.artist == "Artist")
        #expect(metadata.album == "Album")
        #expect(metadata.genre == "Genre")
        #expect(metadata.durationMilliseconds == 180_000)
        #expect(metadata.songDataKind == 0)
        #expect(metadata.persistentID == 0x12_3456_7890)
        #expect(metadata.encoded == body)
    }

    @Test("every field round-trips")
    func allFields() throws {
        var metadata = DMAPMetadata()
        metadata.title = "t"
        metadata.artist = ""
        metadata.album = "al"
        metadata.albumArtist = "aa"
        metadata.genre = "g"
        metadata.composer = "c"
        metadata.durationMilliseconds = .max
        metadata.trackNumber = 3
        metadata.trackCount = 12
        metadata.discNumber = 1
        metadata.year = 2026
        metadata.persistentID = .max
        metadata.itemID = 7
        metadata.itemKind = 2
        metadata.songDataKind = 1
        metadata.artworkCount = 1
        metadata.playState = .playing
        #expect(try DMAPMetadata(exactly: metadata.encoded) == metadata)
        #expect(try DMAPMetadata(exactly: DMAPMetadata().encoded) == DMAPMetadata())
    }

    @Test("every truncation is refused")
    func truncations() throws {
        let body = try Self.recorded()
        for count in 0..<body.count {
            #expect(throws: WireError.self) { try DMAPMetadata(exactly: Array(body[..<count])) }
        }
    }

    @Test("unknown codes and odd numbers are skipped, lengths are checked")
    func odd() throws {
        func list(_ items: [UInt8]) -> [UInt8] { Array("mlit".utf8) + [0, 0, 0, UInt8(items.count)] + items }
        let odd = list(Array("abcd".utf8) + [0, 0, 0, 1, 9] + Array("astn".utf8) + [0, 0, 0, 4, 0, 0, 0, 5])
        #expect(try DMAPMetadata(exactly: odd).trackNumber == 5)
        #expect(
            try DMAPMetadata(exactly: list(Array("astn".utf8) + [0, 0, 0, 3, 1, 0, 0])).trackNumber == nil)
        #expect(try DMAPMetadata(exactly: list(Array("caps".utf8) + [0, 0, 0, 0])).playState == nil)
        #expect(throws: WireError.truncated(field: "value", needed: 4_294_967_295, available: 1)) {
            try DMAPMetadata(exactly: list(Array("minm".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 1]))
        }
        #expect(throws: WireError.unexpected(field: "container", value: 0x6162_6364)) {
            try DMAPMetadata(exactly: Array("abcd".utf8) + [0, 0, 0, 0])
        }
    }

    @Test("long texts end at a character boundary")
    func longText() throws {
        var metadata = DMAPMetadata()
        metadata.title = String(repeating: "☃", count: 1000)
        #expect(try DMAPMetadata(exactly: metadata.encoded).title == String(repeating: "☃", count: 341))
    }

    @Test("progress round-trips")
    func progress() throws {
        let progress = Progress(
            start: RTPTime(rawValue: 0), current: RTPTime(rawValue: 44_100), end: RTPTime(rawValue: .max))
        #expect(String(decoding: progress.body, as: UTF8.self) == "progress: 0/44100/4294967295\r\n")
        #expect(try Progress(body: progress.body) == progress)
        for text in [
            "", "progress: 1/2\r\n", "progress: 1/2/3/4", "progress: 1/x/3", "progress: 1/2/4294967296",
            "volume: 1",
        ] {
            #expect(throws: MessageError.malformedText(field: "progress")) {
                try Progress(body: Array(text.utf8))
            }
        }
    }

    @Test("the RTP-Info header round-trips")
    func rtpInfo() {
        #expect(RTPInfo.headerValue(RTPTime(rawValue: 3_221_225_472)) == "rtptime=3221225472")
        #expect(RTPInfo.rtpTime(headerValue: "seq=5;rtptime=77") == RTPTime(rawValue: 77))
        #expect(RTPInfo.rtpTime(headerValue: "seq=5") == nil)
        #expect(RTPInfo.sequenceNumber(headerValue: "seq=5;rtptime=77") == 5)
        #expect(RTPInfo.sequenceNumber(headerValue: "rtptime=77") == nil)
        #expect(RTPInfo.sequenceNumber(headerValue: "rtptime=77;seq=65536") == nil)
        #expect(RTPInfo.rtpTime(headerValue: "rtptime=-1") == nil)
    }

    @Test("the artwork type is recognized by its first bytes")
    func artwork() {
        #expect(ArtworkKind(of: [0xFF, 0xD8, 0xFF, 0xE0])?.rawValue == "image/jpeg")
        #expect(
            ArtworkKind(of: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0])?.rawValue == "image/png")
        #expect(ArtworkKind(of: [])?.rawValue == "image/none")
        #expect(ArtworkKind(of: [1, 2, 3]) == nil)
    }

    @Test("text from a peer is truncated by bytes, at a scalar boundary")
    func cut() {
        #expect(ReceivedText.cut("abc", toBytes: 3) == "abc")
        #expect(ReceivedText.cut("äöü", toBytes: 5) == "äö")
        // One character with endless combining marks.
        let marks = "e" + String(repeating: "\u{301}", count: 50_000)
        #expect(ReceivedText.cut(marks, toBytes: 256).utf8.count == 255)
        #expect(
            ReceivedText.cut([UInt8](repeating: 0xFF, count: 9000)[...], toBytes: 1024).utf8.count <= 1024)
        // A title of 60 kB follows.
        var bytes = Array("mlit".utf8) + [0, 0, 0xEA, 0x68] + Array("minm".utf8) + [0, 0, 0xEA, 0x60]
        bytes += [UInt8](repeating: 0x61, count: 60_000)
        #expect((try? DMAPMetadata(exactly: bytes))?.title?.utf8.count == DMAPMetadata.textByteLimit)
    }

    @Test("the requested wait of a sender round-trips")
    func retryDelay() {
        #expect(RetryDelay.headerValue(.milliseconds(1200)) == "2")
        #expect(RetryDelay.headerValue(.zero) == "1")
        #expect(RetryDelay.seconds(headerValue: "13") == 13)
        for text in ["", "-1", "1.5", "Tue, 15 Nov 1994 08:12:31 GMT", "99999999999"] {
            #expect(RetryDelay.seconds(headerValue: text) == nil)
        }
    }
}
