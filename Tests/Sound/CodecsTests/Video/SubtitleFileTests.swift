import Testing
import TuttiCodecs
import TuttiTestMedia
import TuttiTestSupport

@Suite("Subtitle files")
struct SubtitleFileTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func read(_ text: String, _ name: String) throws -> SubtitleFile {
        try read(Array(text.utf8), name)
    }

    private func read(_ bytes: [UInt8], _ name: String) throws -> SubtitleFile {
        try SubtitleFile(path: try folder.write(bytes, to: name))
    }

    static let srt = """
        1
        00:00:01,000 --> 00:00:02,500
        Grüße, <i>Welt</i>

        2
        00:01:00,000 --> 00:01:01,000
        Zwei
        Zeilen {\\an8}

        """

    @Test("SubRip has texts with times and line feeds")
    func subRip() throws {
        let file = try read(Self.srt, "a.srt")
        #expect(file.cues.map(\.start) == [1000, 60_000])
        #expect(file.cues.map(\.end) == [2500, 61_000])
        #expect(file.cues.map(\.text) == ["Grüße, Welt", "Zwei\nZeilen "])
        #expect(file.header.contains("[Script Info]"))
    }

    @Test("WebVTT has texts with times")
    func webVTT() throws {
        let text = """
            WEBVTT

            NOTE A remark.

            name
            00:01.000 --> 00:02.000 align:start
            <v Anna>Hello & goodbye

            01:00:00.000 --> 01:00:01.500
            Late

            """
        let file = try read(text, "a.vtt")
        #expect(file.cues.map(\.start) == [1000, 3_600_000])
        #expect(file.cues.map(\.end) == [2000, 3_601_500])
        #expect(file.cues.map(\.text) == ["Hello & goodbye", "Late"])
    }

    @Test("SubStation Alpha keeps its header and styles")
    func substationAlpha() throws {
        let text = """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: 640
            PlayResY: 360

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour
            Style: Big,Sans,40,&H00FFFFFF

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Dialogue: 0,0:00:01.50,0:00:02.00,Big,,0,0,0,,{\\b1}Loud,{\\b0} and\\Nthen\\hquiet
            Dialogue: 1,0:00:01.00,0:00:03.00,Big,,0,0,0,,Other

            """
        let file = try read(text, "a.ass")
        #expect(file.header.contains("PlayResX: 640") && file.header.contains("Style: Big"))
        #expect(file.cues.map(\.text) == ["Other", "Loud, and\nthen\u{A0}quiet"])
        #expect(file.cues.map(\.start) == [1000, 1500])
        #expect(file.cues.map(\.end) == [3000, 2000])
        #expect(try read(text, "a.ssa").cues == file.cues)
    }

    @Test("UTF-8, UTF-16 and Windows-1252 are told apart")
    func encodings() throws {
        let expected = ["Grüße, Welt", "Zwei\nZeilen "]
        #expect(try read([0xEF, 0xBB, 0xBF] + Array(Self.srt.utf8), "bom.srt").cues.map(\.text) == expected)
        let little = Self.srt.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try read([0xFF, 0xFE] + little, "le.srt").cues.map(\.text) == expected)
        let big = Self.srt.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        #expect(try read([0xFE, 0xFF] + big, "be.srt").cues.map(\.text) == expected)
        let western = Self.srt.unicodeScalars.map { UInt8(clamping: $0.value) }
        #expect(try read(western, "western.srt").cues.map(\.text) == expected)
        // 0x80 is the sign of the euro, 0x9D has no meaning.
        let euro = "1\n00:00:01,000 --> 00:00:02,000\n5 ".utf8 + [0x80] + Array("\n\n".utf8)
        #expect(try read(Array(euro), "euro.srt").cues.map(\.text) == ["5 €"])
    }

    @Test("line feeds of other systems separate lines, too")
    func lineFeeds() throws {
        let text = Self.srt.replacing("\n", with: "\r\n")
        #expect(try read(text, "dos.srt").cues == (try read(Self.srt, "a.srt").cues))
    }

    @Test("texts are in the order of their starts, and equal starts keep the file's order")
    func order() throws {
        let times = [5, 3, 4, 3, 0]
        let text = times.enumerated().map { index, time in
            "\(index + 1)\n00:00:0\(time),000 --> 00:00:0\(time + 1),000\nnumber \(index)\n\n"
        }.joined()
        let cues = try read(text, "a.srt").cues
        #expect(cues.map(\.start) == [0, 3000, 3000, 4000, 5000])
        #expect(cues.map(\.text) == [4, 1, 3, 2, 0].map { "number \($0)" })
    }

    @Test("a text that ends before it begins is shown until the next one")
    func negativeLength() throws {
        let text = """
            1
            00:00:05,000 --> 00:00:04,000
            never

            2
            00:00:06,000 --> 00:00:07,000
            then

            """
        let cues = try read(text, "a.srt").cues
        #expect(cues.map(\.text) == ["never", "then"])
        #expect(cues.map(\.end) == [6000, 7000])
    }

    @Test("long files and long texts are cut at their limits")
    func limits() throws {
        var text = ""
        for index in 0..<SubtitleFile.cueLimit + 10 {
            let (minutes, seconds) = (index / 60, index % 60)
            func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
            let clock = "\(two(minutes / 60)):\(two(minutes % 60)):\(two(seconds))"
            text += "\(index)\n\(clock),000 --> \(clock),900\nn\(index)\n\n"
        }
        let file = try read(text, "many.srt")
        #expect(file.cues.count == SubtitleFile.cueLimit)
        #expect(file.cues.last?.text == "n\(SubtitleFile.cueLimit - 1)")
        let long = String(repeating: "x", count: 70_000)
        let mixed = "1\n00:00:01,000 --> 00:00:02,000\n\(long)\n\n2\n00:00:03,000 --> 00:00:04,000\nshort\n\n"
        #expect(try read(mixed, "long.srt").cues.map(\.text) == ["short"])
    }

    @Test("each cause has its own error")
    func causes() throws {
        #expect(throws: MediaError.notFound(name: "missing.srt")) {
            try SubtitleFile(path: folder.file("missing.srt"))
        }
        #expect(throws: MediaError.empty(name: "empty.srt")) { try read([], "empty.srt") }
        #expect(throws: MediaError.noSubtitles(name: "letter.srt")) {
            try read("Dear reader,\n", "letter.srt")
        }
        let large = [UInt8](repeating: 0x20, count: SubtitleFile.byteLimit + 1)
        let error = MediaError.undecodable(name: "large.srt", reason: "it is larger than 16 MiB")
        #expect(throws: error) { try read(large, "large.srt") }
        // A film is not a subtitle file, whatever its name.
        let film = try TestFolder.bytes(of: try FilmFile.path("open.mkv"))
        #expect(throws: MediaError.noSubtitles(name: "film.srt")) { try read(film, "film.srt") }
        let interrupt = MediaInterrupt()
        interrupt.cancel()
        let path = try folder.write(Array(Self.srt.utf8), to: "a.srt")
        #expect(throws: MediaError.self) { try SubtitleFile(path: path, interrupt: interrupt) }
    }

    @Test("broken files never trap and end")
    func broken() throws {
        var generator = SeededGenerator(seed: 30)
        let originals = [
            ("a.srt", Array(Self.srt.utf8)),
            ("a.vtt", Array(Self.srt.replacing("1\n00", with: "WEBVTT\n\n00").utf8)),
            (
                "a.ass",
                Array("[Script Info]\n[Events]\nDialogue: 0,0:00:01.50,0:00:02.00,Big,,0,0,0,,x\n".utf8)
            ),
        ]
        for (name, original) in originals {
            for round in 0..<150 {
                var bytes = original
                for _ in 0..<Int.random(in: 1...6, using: &generator) {
                    let place = Int.random(in: 0..<bytes.count, using: &generator)
                    switch round % 4 {
                    case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                    case 1: bytes.remove(at: place)
                    case 2: bytes.insert(contentsOf: bytes.prefix(40), at: place)
                    default:
                        bytes[place] =
                            [0x0A, 0x2D, 0x3E, 0x39, 0x00, 0x7B][Int.random(in: 0..<6, using: &generator)]
                    }
                }
                let path = try folder.write(bytes, to: name)
                do throws(MediaError) {
                    let file = try SubtitleFile(path: path)
                    #expect(file.cues.count < 1000)
                    for cue in file.cues { #expect(cue.text.utf8.count < 10_000 && cue.start <= cue.end) }
                } catch .noSubtitles, .empty {
                    // Refused with a reason.
                }
            }
        }
    }

    @Test("subtitle files beside a film are found by its name")
    func beside() throws {
        for name in [
            "Film.mkv", "Film.srt", "Film.de.srt", "Film.en.vtt", "Film.ASS", "Film 2.srt", "Film.txt",
            "Filmstar.srt", "Film.\(String(repeating: "x", count: 40)).srt",
        ] {
            _ = try folder.write([0x31], to: name)
        }
        let found = SubtitleFile.beside(folder.file("Film.mkv"))
        let expected = ["Film.ASS", "Film.srt", "Film.de.srt", "Film.en.vtt"]
        #expect(found == expected.map { folder.file($0) })
        #expect(SubtitleFile.beside(folder.file("Other.mkv")).isEmpty)
        #expect(SubtitleFile.beside("http://example.org/Film.mkv").isEmpty)
        #expect(SubtitleFile.beside("").isEmpty)
        #expect(SubtitleFile.beside("/no/such/folder/Film.mkv").isEmpty)
    }

    @Test(
        "the text of an event is what remains without styles",
        arguments: [
            ("0,0,Default,,0,0,0,,plain", "plain"), ("0,0,Default,,0,0,0,,a,b,c", "a,b,c"),
            ("0,0,Default,,0,0,0,,{\\an8}top", "top"), ("0,0,Default,,0,0,0,,open { brace", "open { brace"),
            ("0,0,Default,,0,0,0,,back\\slash\\nfeed", "back\\slash\nfeed"), ("0,0,Default", ""), ("", ""),
            ("0,0,Default,,0,0,0,,", ""), ("0,0,Default,,0,0,0,,{}{\\b1}{", "{"),
            ("0,0,Default,,0,0,0,,\\", "\\"),
        ])
    func plainText(event: String, text: String) {
        #expect(SubtitleCue(start: 0, end: 1, event: event).text == text)
    }
}
