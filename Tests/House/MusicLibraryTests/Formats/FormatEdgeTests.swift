import Testing

@testable import TuttiMusicLibrary

@Suite("Cue sheets as programs write them")
struct CueSheetEdgeTests {
    /// A sheet of one file with these lines after its `FILE`.
    private func sheet(_ lines: String...) throws -> CueSheet {
        try #require(CueSheet((["FILE \"a b.wav\" WAVE"] + lines).joined(separator: "\n")))
    }

    @Test("words of a track without a usable number are not those of the track before it")
    func badNumber() throws {
        for number in ["xx", "-1", "1000", ""] {
            let found = try sheet(
                "TRACK 01 AUDIO", "TITLE A", "INDEX 01 0:0:0", "TRACK \(number) AUDIO", "TITLE B",
                "PERFORMER C",
                "INDEX 01 1:0:0", "TRACK 03 AUDIO", "TITLE D", "INDEX 01 2:0:0")
            let tracks = found.tracks
            #expect(tracks.map(\.title) == ["A", "D"] && tracks.map(\.artist) == [nil, nil], "\(number)")
            #expect(tracks.map(\.end) == [120, nil])
        }
    }

    @Test(
        "lines end in any way, commands are in any case, and tabs are spaces",
        arguments: ["\n", "\r\n", "\r"])
    func spelling(end: String) throws {
        let text = [
            "\u{9}performer\t\"The  Band\"", "file \"a b.flac\"\twave", "", "  track 1 audio",
            "    title  One \"1\" ",
            "\tflags DCP", "index 01 00:00:00", "track 2 audio", "title \"\"", "Index 01 00:01:74",
        ].joined(separator: end)
        let sheet = try #require(CueSheet(text))
        #expect(sheet.artist == "The  Band" && sheet.tracks.map(\.file) == ["a b.flac", "a b.flac"])
        #expect(sheet.tracks.map(\.title) == ["One \"1\"", nil])
        #expect(sheet.tracks[0].end == 1 + 74.0 / 75)
    }

    @Test("only INDEX 01 begins a track, and only the first one")
    func indexes() throws {
        let sheet = try sheet(
            "TRACK 01 AUDIO", "INDEX 00 0:0:0", "INDEX 01 0:2:0", "INDEX 02 0:4:0", "INDEX 01 0:6:0",
            "TRACK 02 AUDIO", "INDEX 00 1:0:0", "TRACK 03 AUDIO", "PREGAP 0:2:0", "INDEX 1 120:00:00")
        #expect(sheet.tracks.map(\.number) == [1, 3] && sheet.tracks.map(\.start) == [2, 7200])
        #expect(sheet.tracks.map(\.end) == [7200, nil])
    }

    @Test(
        "remarks give the year and the genre, as far as they are there",
        arguments: [
            ("REM DATE 1999", 1999, nil), ("REM DATE \"2003-05-01\"", 2003, nil), ("rem date soon", nil, nil),
            ("REM GENRE Hard Rock", nil, "Hard Rock"), ("REM GENRE \"Jazz\"", nil, "Jazz"),
            ("REM GENRE", nil, nil),
            ("REM", nil, nil), ("REM COMMENT \"DATE 1999\"", nil, nil),
        ] as [(String, Int?, String?)])
    func remarks(line: String, year: Int?, genre: String?) throws {
        let sheet = try sheet(line, "TRACK 01 AUDIO", "INDEX 01 0:0:0")
        #expect(sheet.year == year && sheet.genre == genre)
    }

    @Test("long texts are cut, and a sheet has at most 999 tracks")
    func limits() throws {
        let long = String(repeating: "é", count: 3000)
        let sheet = try sheet("TRACK 01 AUDIO", "TITLE \"\(long)\"", "INDEX 01 0:0:0")
        #expect(sheet.tracks[0].title?.count == 1024)
        let lines = (0..<1500).map { "TRACK 5 AUDIO\nINDEX 01 \($0):0:0" }
        #expect(CueSheet("FILE a WAVE\n" + lines.joined(separator: "\n"))?.tracks.count == 999)
    }

    @Test("each sound file has the tracks of the first sheet that names it, by whatever ending or folder")
    func references() throws {
        let text =
            "FILE \"%\" WAVE\nTRACK 1 AUDIO\nINDEX 01 0:0:0\nFILE two.wav WAVE\nTRACK 2 AUDIO\nINDEX 01 0:0:0"
        let first = try #require(CueSheet(text.replacing("%", with: "D:\\Music\\ONE.wav")))
        let second = try #require(CueSheet(text.replacing("%", with: "sub/one.flac")))
        let found = CueReferences(
            [("a.cue", first), ("b.cue", second)], sounds: ["One.flac", "two.WAV", "three.mp3"])
        #expect(found.parts.keys.sorted() == ["One.flac", "two.WAV"] && found.bad.isEmpty)
        #expect(found.parts["One.flac"]?.sheet == first)
        #expect(found.parts["One.flac"]?.tracks.map(\.number) == [1])
        #expect(found.parts["two.WAV"]?.tracks.map(\.number) == [2])
        // A file of the same name counts before one that was encoded from it.
        let both = CueReferences([("a.cue", second)], sounds: ["one.ape", "one.flac"])
        #expect(both.parts.keys.sorted() == ["one.flac"])
    }
}

@Suite("XML as playlists use it")
struct MarkupReaderTests {
    private func events(_ text: String) -> [MarkupReader.Event] {
        var reader = MarkupReader(text)
        var events: [MarkupReader.Event] = []
        while let event = reader.next() { events.append(event) }
        return events
    }

    @Test("elements and texts come in order, without attributes, comments and declarations")
    func elements() {
        #expect(
            events(
                "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY x \"y\">]><a><!-- <z> --><b c='>' d=\"/>\"/>t</a >"
            )
                == [.start("a"), .start("b"), .end("b"), .text("t"), .end("a")])
        #expect(events("<ns:Item x:y=\"1\">x</ns:Item>") == [.start("Item"), .text("x"), .end("Item")])
        #expect(events("<![CDATA[a<b>&amp;]]>c") == [.text("a<b>&amp;"), .text("c")])
        #expect(events("<a><![CDATA[]]]]></a>") == [.start("a"), .text("]]"), .end("a")])
    }

    @Test(
        "references stand for their characters once, and others for themselves",
        arguments: [
            ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"), ("&#65;&#x1F600;&#x42;", "A\u{1F600}B"),
            ("&amp;lt;", "&lt;"),
            ("&unknown; & &; &#; &#x; &#xZ;", "&unknown; & &; &#; &#x; &#xZ;"), ("&#xD800;", "&#xD800;"),
            ("&#99999999999999;", "&#99999999999999;"), ("a&amp", "a&amp"),
            ("&AMP;", "&AMP;"),
        ])
    func references(text: String, expected: String) { #expect(events(text) == [.text(expected)]) }

    @Test(
        "a document that breaks off ends where it does",
        arguments: [
            ("", 0), ("<a", 0), ("<a b='>", 0), ("<!-- open", 0), ("<!DOCTYPE [ >", 0), ("<?xml", 0),
            ("</a>", 0),
            ("<![CDATA[open", 1), ("<a>", 1), ("<a><b", 1), ("text", 1), ("<a></a></a><b>", 2),
        ])
    func cut(text: String, count: Int) { #expect(events(text).count == count) }

    @Test("nesting ends at its limit, and siblings do not count")
    func depth() {
        let limit = MarkupReader.depthLimit
        #expect(events(String(repeating: "<a>", count: limit)).count == limit)
        #expect(events(String(repeating: "<a>", count: limit + 5)).count == limit)
        #expect(events(String(repeating: "<a/>", count: 100)).count == 200)
        let pairs = String(repeating: "<a>", count: limit) + String(repeating: "</a>", count: limit)
        #expect(events(pairs + pairs).count == 4 * limit)
    }
}

@Suite("Locations in XSPF")
struct XSPFLocationTests {
    private func list(_ track: String) throws -> XSPFList {
        let text = "<playlist><trackList><track>\(track)</track></trackList></playlist>"
        return try #require(XSPFList(text, folder: "/lists/x"))
    }

    @Test(
        "a location is a path or a web address, relative to the list's folder",
        arguments: [
            ("file:///music/a%20b.mp3", "/music/a b.mp3"),
            ("file://localhost/music/%C3%A9.mp3", "/music/é.mp3"),
            ("FILE:/music/a.mp3", "/music/a.mp3"), ("a.mp3", "/lists/x/a.mp3"),
            ("../up.mp3", "/lists/up.mp3"),
            ("./sub//a.mp3", "/lists/x/sub/a.mp3"), ("/abs.mp3", "/abs.mp3"),
            ("100%.mp3", "/lists/x/100%.mp3"),
            ("HTTP://R.example/a?b=1", "HTTP://R.example/a?b=1"), ("../../../../etc/passwd", "/etc/passwd"),
            ("smb://host/a.mp3", nil), ("", nil), ("  \n ", nil), ("%00a.mp3", nil), ("&#0;", nil),
        ] as [(String, String?)])
    func locations(text: String, path: String?) throws {
        let list = try list("<location>\(text)</location>")
        #expect(list.entries.map(\.location) == [path].compactMap(\.self))
    }

    @Test("a track with several locations is played from the first that can be used")
    func several() throws {
        let list = try list(
            "<location>ftp://h.example/a.mp3</location><location/><location>b.mp3</location>"
                + "<title>T</title><location>c.mp3</location>")
        #expect(list.entries == [XSPFList.Entry(location: "/lists/x/b.mp3", title: "T")])
    }

    @Test("texts of extensions are not those of the track, and spaces around a title are no part of it")
    func titles() throws {
        let list = try list(
            "<title>\n  A &amp;\n B </title><extension application=\"x\"><title>no</title><location>no</location>"
                + "</extension><location>a<!-- x -->.mp3</location>")
        #expect(list.entries == [XSPFList.Entry(location: "/lists/x/a.mp3", title: "A &\n B")])
        let untitled = try self.list("<location>a.mp3</location><title> \t </title>")
        #expect(untitled.entries.map(\.title) == [nil])
    }

    @Test("a location beyond the limit is left out")
    func longLocation() throws {
        let list = try list("<location>\(String(repeating: "a/", count: 3000))b.mp3</location>")
        #expect(list.entries.isEmpty)
    }

    @Test(
        "text of any usual encoding is read",
        arguments: [
            ([], ""), ([0xEF, 0xBB, 0xBF], ""), ([0xFE, 0xFF, 0, 0x63, 0, 0xE9], "cé"),
            ([0xF0, 0x9F, 0x98, 0x80], "\u{1F600}"), ([0xC3, 0xA9, 0xE9], "\u{C3}\u{A9}\u{E9}"),
            ([0x80], "\u{80}"),
        ] as [([UInt8], String)])
    func encodings(bytes: [UInt8], text: String) { #expect(PlainText.decode(bytes) == text) }
}
