import Glibc
import Testing
import TuttiTestSupport

@testable import TuttiCodecs

@Suite("Tags, names and texts with unusual values")
struct OddTagsTests {
    private func tags(_ values: [String: String]) -> MediaTags { MediaTags { values[$0] } }

    @Test(
        "a number is what a text begins with",
        arguments: [
            ("3", 3), ("3/12", 3), (" 07", 7), ("0", 0), ("A1", nil), ("", nil), ("/12", nil), ("-3", nil),
            ("\u{FF13}", nil), ("99999999999999999999", nil), ("3.5", 3), ("12 of 20", 12),
        ] as [(String, Int?)])
    func numbers(text: String, number: Int?) {
        let tags = tags(["track": text, "disc": text])
        #expect(tags.track == number && tags.disc == number)
    }

    @Test(
        "a year is that of a date in any of its forms",
        arguments: [
            ("1999", 1999), ("1999-05-01", 1999), ("1999-05-01T12:00:00Z", 1999), ("19990501", 1999),
            ("99", 99), ("1999/2005", 1999), ("unknown", nil), ("123456789", 123_456_789),
        ] as [(String, Int?)])
    func years(text: String, year: Int?) {
        #expect(tags(["date": text]).year == year)
        #expect(tags(["year": text]).year == year)
        #expect(tags(["date": "?", "year": text]).year == year)
        #expect(tags(["date": "", "year": text]).year == year)
    }

    @Test("texts keep every character up to their limit, and an empty one is none")
    func texts() {
        let odd = tags(["title": "\u{301}x\n\u{0}\u{1F3B5}", "artist": "", "album": " ", "genre": "é"])
        #expect(odd.title == "\u{301}x\n\u{0}\u{1F3B5}" && odd.artist == nil)
        #expect(odd.album == " " && odd.genre == "é")
        #expect(tags(["title": String(repeating: "ü", count: 9000)]).title?.count == 4096)
    }

    @Test(
        "a name for users is the last part, without a query and a password",
        arguments: [
            ("/music/a b.flac", "a b.flac"), ("a.flac", "a.flac"), ("/", "/"), ("", ""), ("a/", "a"),
            ("/m/50% é#?.mp3", "50% é#?.mp3"), ("/m/\u{301}x.mp3", "\u{301}x.mp3"),
            ("http://host/a/b.mp3?x=/y", "b.mp3 at host"),
            ("https://me:secret@host:80/live#z", "live at host:80"), ("http://host", "host"),
            ("HTTP://Host/", "Host"), ("http://me@x@host/a", "a at host"), ("http://", ""),
            ("http:/a", "a"), ("file:///a/b", "b"), ("httpx://a/b", "b"),
        ])
    func names(location: String, name: String) {
        #expect(MediaError.name(of: location) == name)
        #expect(!MediaError.name(of: location).contains("secret"))
    }

    @Test("an address is what begins with http:// or https://, in any case")
    func remote() {
        for address in ["http://a", "HTTPS://a", "hTtP://"] { #expect(SourceName(address).isRemote) }
        for path in ["http:/a", "http", " http://a", "file://a", "/http://a", "httpss://a", "rtp://a"] {
            let name = SourceName(path)
            #expect(!name.isRemote && name.location == "file:" + path)
        }
        #expect(SourceName("cue", isProvided: true).isRemote)
    }

    @Test("a path that is empty, or has a zero or a mark too many, does not exist, whatever failed before")
    func noPath() {
        for path in ["", "\u{0}", "/\u{0}", "/etc/passwd\u{0}", "\u{301}/etc/passwd"] {
            #expect(throws: MediaError.notFound(name: MediaError.name(of: path))) {
                errno = EACCES
                try SourceName(path).check()
            }
        }
    }

    @Test("a later attempt may help where the network or the server failed")
    func mayPass() {
        for (status, mayPass) in [
            (301, false), (404, false), (428, false), (429, true), (430, false), (499, false), (500, true),
            (599, true),
        ] {
            #expect(MediaError.httpStatus(name: "a", status: status, reason: "r").mayPass == mayPass)
        }
        #expect(MediaError.timedOut(name: "a").mayPass && !MediaError.notFound(name: "a").mayPass)
        #expect(!MediaError.cancelled.mayPass && !MediaError.webPage(name: "a").mayPass)
    }

    @Test(
        "the first bytes tell what an address delivers",
        arguments: [
            ("", WebContent.nothing), ("#EXTM3U\na.mp3", .playlist), ("\u{FEFF} \n#extm3u\n", .playlist),
            ("#EXTM3U\n#EXT-X-VERSION:3", .segments), ("#EXTINF:1,a", .playlist), ("[Playlist]\n", .playlist),
            ("<!DOCTYPE html>", .page), (" \n\t<HTML lang=de>", .page), ("<head>", .page),
            ("<?xml ?>", .media),
            ("#EXT", .media), ("ID3\u{4}", .media), (" ", .media), ("x#EXTM3U", .media),
        ])
    func content(text: String, content: WebContent) {
        #expect(WebContent(Array(text.utf8)) == content)
    }

    @Test(
        "the texts that a table finds are those that a search of all texts finds",
        arguments: 1...4 as ClosedRange<UInt64>)
    func subtitles(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = SubtitleTable()
        var all: [SubtitleCue] = []
        for number in 0..<300 {
            let start = Int64.random(in: 0..<400_000, using: &random)
            // Some last for minutes, and some not at all.
            let length = Int64.random(in: 0..<(number % 7 == 0 ? 300_000 : 5_000), using: &random)
            let cue = SubtitleCue(start: start, end: start + length, event: "\(number)")
            table.insert(cue)
            all.append(cue)
        }
        #expect(table.cues.map(\.start) == all.map(\.start).sorted())
        let made = SubtitleTable(table.cues)
        for _ in 0..<300 {
            let time = Int64.random(in: -10...700_000, using: &random)
            let expected = Set(all.filter { $0.start <= time && time < $0.end })
            let shown = table.shown(at: time)
            #expect(Set(shown) == expected && shown.count == expected.count)
            #expect(Set(made.shown(at: time)) == expected)
        }
    }

    @Test("texts at the ends of time are found without overflow")
    func endsOfTime() {
        let cues = [
            SubtitleCue(start: .min, end: .max, event: "always"),
            SubtitleCue(start: .min, end: 0, event: "before"),
            SubtitleCue(start: .max - 1, end: .max, event: "last"),
        ]
        let table = SubtitleTable(cues)
        #expect(Set(table.shown(at: .min).map(\.event)) == ["always", "before"])
        #expect(table.shown(at: 0).map(\.event) == ["always"])
        #expect(Set(table.shown(at: .max - 1).map(\.event)) == ["always", "last"])
        #expect(table.shown(at: .max).isEmpty)
    }
}
