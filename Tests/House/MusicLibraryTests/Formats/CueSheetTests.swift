import Testing
import TuttiTestSupport

@testable import TuttiMusicLibrary

@Suite("A cue sheet")
struct CueSheetTests {
    private static let text = """
        REM GENRE "Rock"
        REM DATE 1999
        PERFORMER "The Band"
        TITLE "The Album"
        FILE "album.flac" WAVE
          TRACK 01 AUDIO
            TITLE "First"
            INDEX 01 00:00:00
          TRACK 02 AUDIO
            TITLE "Second, with a \u{E9}"
            PERFORMER "A guest"
            INDEX 00 03:58:00
            INDEX 01 04:00:37
        """

    @Test("tracks begin at INDEX 01 and end where the next one of the file begins")
    func whole() throws {
        let sheet = try #require(CueSheet(Self.text))
        #expect(sheet.title == "The Album" && sheet.artist == "The Band")
        #expect(sheet.genre == "Rock" && sheet.year == 1999)
        let second = 240 + 37.0 / 75
        #expect(
            sheet.tracks == [
                CueSheet.Track(
                    number: 1, title: "First", artist: nil, file: "album.flac", start: 0, end: second),
                CueSheet.Track(
                    number: 2, title: "Second, with a é", artist: "A guest", file: "album.flac",
                    start: second,
                    end: nil),
            ])
    }

    @Test("each track belongs to the file before its INDEX 01")
    func severalFiles() throws {
        let sheet = try #require(
            CueSheet(
                """
                FILE one.wav WAVE
                TRACK 1 AUDIO
                INDEX 01 00:00:00
                TRACK 2 AUDIO
                INDEX 00 03:00:00
                FILE "two words.wav" WAVE
                INDEX 01 00:00:00
                """))
        #expect(sheet.tracks.map(\.file) == ["one.wav", "two words.wav"])
        #expect(sheet.tracks.map(\.end) == [nil, nil])
    }

    static let bad = [
        "", "TRACK 01 AUDIO", "FILE a.wav WAVE\nTRACK 01 AUDIO", "TRACK 01 AUDIO\nINDEX 01 00:00:00",
        "FILE a.wav WAVE\nTRACK x AUDIO\nINDEX 01 00:00:00", "FILE a WAVE\nTRACK 1 AUDIO\nINDEX 01 00:60:00",
        "FILE a WAVE\nTRACK 1 AUDIO\nINDEX 01 0:0:75",
        "FILE a WAVE\nTRACK 1 AUDIO\nINDEX 01 99999999999999999999:0:0",
        "FILE a WAVE\nTRACK 1 AUDIO\nINDEX 01 1:0:0\nTRACK 2 AUDIO\nINDEX 01 0:59:0",
    ]

    @Test("a sheet without a usable track, or with starts that run backwards, is refused", arguments: bad)
    func refusals(text: String) { #expect(CueSheet(text) == nil) }

    @Test("Latin-1, UTF-8 with a byte order mark and UTF-16 are read")
    func encodings() {
        #expect(PlainText.decode([0x63, 0xE9]) == "cé")
        #expect(PlainText.decode([0xEF, 0xBB, 0xBF, 0x63, 0xC3, 0xA9]) == "cé")
        #expect(PlainText.decode([0xFF, 0xFE, 0x63, 0, 0xE9, 0]) == "cé")
        #expect(PlainText.decode([0xFF, 0xFE, 0x63]).count <= 1)
    }

    @Test("no cut or changed sheet is a crash, or makes a track with an end before its start")
    func junk() {
        let bytes = Array(Self.text.utf8)
        var random = SeededGenerator(seed: 7)
        for length in 0...bytes.count { check(CueSheet(PlainText.decode(Array(bytes.prefix(length))))) }
        for _ in 0..<300 {
            var changed = bytes
            for _ in 0..<8 {
                changed[Int.random(in: changed.indices, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            check(CueSheet(PlainText.decode(changed)))
        }
    }

    private func check(_ sheet: CueSheet?) {
        for track in sheet?.tracks ?? [] {
            #expect(track.start >= 0 && track.end.map { $0 > track.start } ?? true)
        }
    }

    @Test("a sheet that names the WAV of an encoded file means that file; one that names none is bad")
    func references() throws {
        let sheet = try #require(CueSheet(Self.text.replacing("album.flac", with: "C:\\x\\ALBUM.WAV")))
        let found = CueReferences(
            [("a.cue", sheet), ("b.cue", sheet), ("c.cue", nil)], sounds: ["Album.flac"])
        #expect(found.parts.keys.sorted() == ["Album.flac"] && found.bad == ["c.cue"])
        #expect(CueReferences([("a.cue", sheet)], sounds: ["other.flac"]).bad == ["a.cue"])
    }
}
