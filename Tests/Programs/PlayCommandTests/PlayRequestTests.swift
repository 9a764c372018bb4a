import AirPlaySender
import Testing

@testable import TuttiCommandLineInterface
@testable import TuttiPlayCommand

@Suite("Requests during a play")
struct PlayRequestTests {
    private static func delay(_ milliseconds: Double) -> SpeakerDelay {
        SpeakerDelay(milliseconds: milliseconds) ?? .zero
    }

    static let lines: [(String, PlayRequest)] = [
        ("pause", .pause), ("resume", .resume), ("next", .next), ("previous", .previous), ("quit", .quit),
        ("seek 0", .seek(0)), ("seek 12.5", .seek(12.5)), ("seek 1e7", .seek(1e7)), ("  seek   3 ", .seek(3)),
        ("volume 0", .volume(0)), ("volume 100", .volume(100)), ("volume 33.3", .volume(33.3)),
        ("remove 0", .remove(0)), ("remove 12", .remove(12)), ("insert 0 a.flac", .insert(0, "a.flac")),
        ("insert 3 My Music/1 - a b.flac", .insert(3, "My Music/1 - a b.flac")),
        ("insert 1 Küche 🎵.mp3", .insert(1, "Küche 🎵.mp3")),
        ("join Kitchen", .speaker(.join("Kitchen"))),
        ("join  Living Room ", .speaker(.join("Living Room"))),
        ("leave 10.0.0.7:7000", .speaker(.leave("10.0.0.7:7000"))),
        ("volume Kitchen 30", .speaker(.volume(30, of: "Kitchen"))),
        ("volume Living Room 2 0.5", .speaker(.volume(0.5, of: "Living Room 2"))),
        ("delay Living Room -120", .speaker(.delay(delay(-120), of: "Living Room"))),
        ("delay Küche 12.5", .speaker(.delay(delay(12.5), of: "Küche"))),
    ]

    @Test("lines", arguments: lines)
    func reads(line: String, request: PlayRequest) throws {
        #expect(try PlayRequest(line: line) == request)
    }

    static let bad = [
        "", "   ", "play", "Pause", "pause now", "seek", "seek x", "seek -1", "seek nan", "seek inf",
        "seek 1e8",
        "seek 1 2", "volume", "volume 101", "volume -0.1", "volume nan", "remove", "remove -1", "remove x",
        "remove 1.5", "remove 99999999999999999999", "insert", "insert 1", "insert x a", "insert -1 a",
        "quit 1", "join", "join ", "leave", "delay", "delay Kitchen", "delay Kitchen x", "delay Kitchen 1001",
        "delay -120", "delay Kitchen nan", "volume Kitchen", "volume Kitchen 101", "volume Kitchen -1",
        "volume Kitchen loud", "step", "step 0", "step x", "step 1001", "step -1001",
        "step -9223372036854775808",
        "\u{0}", String(repeating: "x", count: 100_000),
    ]

    @Test("lines that are none", arguments: bad)
    func refuses(line: String) {
        let error = #expect(throws: UsageError.self) { try PlayRequest(line: line) }
        #expect("\(error.map { "\($0)" } ?? "")".count < 500)
    }

    static let keys: [(Key, PlayRequest?)] = [
        (.character(" "), .toggle), (.left, .skip(-10)), (.right, .skip(10)), (.up, .louder(5)),
        (.down, .louder(-5)), (.character("n"), .next), (.character("p"), .previous),
        (.character("q"), .quit),
        (.control("c"), .quit), (.character("x"), nil), (.control("z"), nil),
    ]

    @Test("keys", arguments: keys)
    func key(key: Key, request: PlayRequest?) {
        #expect(PlayControl.request(for: key) == request)
    }
}
