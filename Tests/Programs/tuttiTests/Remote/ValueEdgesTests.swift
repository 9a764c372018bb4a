import Testing
import TuttiCommandLineInterface

@testable import tutti

@Suite("Times, days and volumes at their edges")
struct ValueEdgesTests {
    static let durations: [(String, Double?)] = [
        ("1h", 3600), ("1h1m1s", 3661), ("0.5m", 30), ("90m", 5400), ("1h0m", 3600), ("1m0.5s", 60.5),
        ("0s", 0),
        ("10000000s", 1e7), ("10000001s", nil), ("", nil), ("h", nil), ("1m1h", nil), ("1s1s", nil),
        ("1.5.5m", nil), (" 5m", nil), ("5 m", nil), ("5M", nil), ("٣m", nil), ("1h30", nil), ("-5m", nil),
        ("+5m", nil), ("5m ", nil), ("1e3s", nil), ("infs", nil),
    ]

    @Test("a duration has units, each smaller than the one before", arguments: durations)
    func duration(text: String, seconds: Double?) { #expect(TimeText.duration(text) == seconds) }

    static let positions: [(String, SeekText?)] = [
        ("+0", .by(0)), ("-0:30", .by(-30)), ("+1:00:00", .by(3600)), ("59:59", .to(3599)), ("0:00", .to(0)),
        ("00:00:01", .to(1)), ("1:00:60", nil), ("1:60:00", nil), ("100:00:00", .to(360_000)), ("+", nil),
        ("--5", nil), ("5-", nil), ("1:-5", nil), ("2778:00:00", nil),
    ]

    @Test("a position has minutes and seconds below 60 behind its first number", arguments: positions)
    func position(text: String, expected: SeekText?) { #expect(SeekText(text) == expected) }

    static let volumes: [(String, VolumeText?)] = [
        ("100%", .to(100)), ("0.5%", .to(0.5)), ("+100", .by(100)), ("-0", .by(0)), ("100.01", nil),
        ("30%%", nil),
        ("%30", nil), ("+-5", nil), (" 30", nil), ("30 ", nil), ("३०", nil), (".5", nil), ("nan", nil),
        ("0x10", nil),
    ]

    @Test("a volume is plain digits, with a sign for a change", arguments: volumes)
    func volume(text: String, expected: VolumeText?) {
        #expect(VolumeText(text) == expected)
        let isPlain = if case .to? = expected { true } else { false }
        #expect((VolumeText.plain(text) != nil) == isPlain)
    }

    static let days: [(String, String?)] = [
        ("monday,tuesday,wednesday,thursday,friday", "weekdays"), ("SU,Sa", "weekends"),
        ("mo,tu,we,th,fr,sa,su", "daily"), ("mon,MON,monday", "mon"), ("sun,mon", "mon,sun"),
        ("ONCE", "once"),
        ("mon, tue", nil), ("t", nil), ("th,x", nil), ("mondays", nil), (",", nil), ("once,mon", nil),
        ("daily,mon", nil), (" mon", nil), ("mon;tue", nil),
    ]

    @Test("days that make a group are shown as the group", arguments: days)
    func dayGroups(text: String, shown: String?) {
        #expect(AlarmDays.parse(text).map(AlarmDays.text) == shown)
    }

    @Test("the words for completion are days that are understood")
    func dayWords() {
        for word in AlarmDays.words { #expect(AlarmDays.parse(word).map(AlarmDays.text) != nil, "\(word)") }
        #expect(Set(AlarmDays.words).count == AlarmDays.words.count)
    }

    @Test("each minute of a day is read as it is shown")
    func minutes() {
        for minute in 0..<1440 { #expect(TimeText.minute(TimeText.ofDay(minute)) == minute) }
        #expect(TimeText.ofDay(-5) == "0:00" && TimeText.ofDay(5_000) == "23:59")
    }

    @Test(
        "each second is read as it is shown, up to the limit",
        arguments: [0, 59, 60, 3599, 3600, 86_399, 10_000_000])
    func clock(seconds: Int) {
        #expect(TimeText.seconds(TimeText.clock(Double(seconds))) == Double(seconds))
        #expect(TimeText.clock(1e300) == TimeText.clock(1e7))
    }

    @Test("each word of an equaliser is understood, in any capitals but off")
    func equalizers() {
        for word in EqualizerText.words { #expect(EqualizerText.body(word) != nil, "\(word)") }
        #expect(EqualizerText.body("LOUD").map { JSONLine($0).text } == #"{"preset":"loud"}"#)
        #expect(
            EqualizerText.body("-12,12,0.04,-0.06,0,0,0,0,0,0").map { JSONLine($0).text }
                == #"{"gains":[-12,12,0,-0.1,0,0,0,0,0,0]}"#)
        for text in [
            "0,0,0,0,0,0,0,0,0,-12.1", "0,0,0,0,0,0,0,0,0,", "0 0 0 0 0 0 0 0 0 0", "0,0,0,0,0,0,0,0,0,inf",
        ] {
            #expect(EqualizerText.body(text) == nil, "\(text)")
        }
    }

    @Test("a name of the library is searched for, unless there is such a file")
    func words() {
        func word(_ text: String, _ kind: QueueItems.Path = .missing) -> QueueItems.Word {
            QueueItems.word(text, in: "/home/me") { _ in kind }
        }
        #expect(word("Küche.m3u", .file) == .location("/home/me/Küche.m3u"))
        #expect(word("album:", .missing) == .search(nil, "album:"))
        #expect(word("STATION:Radio 1") == .search(.station, "Radio 1"))
        #expect(word("genre:Jazz") == .search(nil, "genre:Jazz"))
        #expect(word("a/b") == .search(nil, "a/b") && word("../b") == .location("/home/b"))
        #expect(word(".", .folder) == .folder("/home/me"))
        #expect(word("ftp://a/b", .file) == .location("ftp://a/b"))
    }

    @Test("a list of results ends with the number of the others")
    func manyHits() {
        let hits = LibraryHits(
            tracks: (1...20).map { (id: Int) in .init(id: id, title: "Blue \(id)", artist: nil) }, albums: [],
            artists: [],
            playlists: [.init(id: 1, name: "Blue")], stations: [.init(id: 2, name: "Blue")])
        let error = #expect(throws: RemoteFailure.self) { try hits.hit(named: "blue ", nil) }
        #expect(error?.description.contains("track “Blue 6” or 14 more. Type the whole name") == true)
        let same = #expect(throws: RemoteFailure.self) { try hits.hit(named: "BLUE", nil) }
        #expect(same?.description.hasPrefix("“BLUE” could be playlist “Blue”, station “Blue”. Type") == true)
        let none = #expect(throws: RemoteFailure.self) { try hits.hit(named: "Blue", .album) }
        #expect(none?.description.hasPrefix("The library has no album by the name “Blue”") == true)
    }
}
