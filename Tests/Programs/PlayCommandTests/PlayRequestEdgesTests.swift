import Testing

@testable import TuttiCommandLineInterface
@testable import TuttiPlayCommand

@Suite("Requests during a play, with unusual words")
struct PlayRequestEdgesTests {
    static let lines: [(String, PlayRequest)] = [
        ("mute", .mute), ("subtitles", .subtitles), ("rate 1", .rate(1)), ("rate 0.25", .rate(0.25)),
        ("rate 4", .rate(4)), ("step 1", .step(1)), ("step -1000", .step(-1000)), ("step 1000", .step(1000)),
        ("full-screen on", .fullScreen(true)), ("full-screen off", .fullScreen(false)),
        ("pause  ", .pause), ("  next", .next), ("seek 3   ", .seek(3)), ("volume 30  ", .volume(30)),
        ("step 2  ", .step(2)), ("seek 10000000", .seek(1e7)), ("seek 0.001", .seek(0.001)),
        ("join A  B", .speaker(.join("A  B"))), ("join seek 3", .speaker(.join("seek 3"))),
        ("leave   Bath", .speaker(.leave("Bath"))), ("volume Bath  30 ", .speaker(.volume(30, of: "Bath"))),
        ("volume 30 40", .speaker(.volume(40, of: "30"))),
        ("volume Bath 100", .speaker(.volume(100, of: "Bath"))),
        ("insert 0 http://a.example/b c", .insert(0, "http://a.example/b c")),
        ("insert 0 \"quoted\"", .insert(0, "\"quoted\"")), ("insert 0 -", .insert(0, "-")),
        ("insert 12 it's.mp3", .insert(12, "it's.mp3")),
    ]

    @Test("spaces at the ends do not count, and names and paths keep those within", arguments: lines)
    func reads(line: String, request: PlayRequest) throws {
        #expect(try PlayRequest(line: line) == request)
    }

    static let refusals: [(String, String)] = [
        ("rate", "unknown command 'rate'"), ("rate 0", "rate takes a number from 0.25 to 4"),
        ("rate 4.01", "rate takes a number from 0.25 to 4"),
        ("rate nan", "rate takes a number from 0.25 to 4"),
        ("rate -1", "rate takes a number from 0.25 to 4"), ("full-screen", "unknown command 'full-screen'"),
        ("full-screen yes", "full-screen takes on or off"), ("full-screen ON", "full-screen takes on or off"),
        ("mute on", "unknown command 'mute on'"), ("step 1.5", "step takes a number of pictures"),
        ("seek -0.001", "seek takes a number from 0 to 10000000"), ("volume 100.1", "volume takes a number"),
        ("remove 0 1", "unknown command"), ("insert 0  ", "unknown command"),
        ("join\tBath", "unknown command"),
        ("delay Bath -1000.1", "delay takes the name of a speaker and milliseconds from -1000 to 1000"),
        ("delay Bath inf", "delay takes the name"),
        ("volume Bath nan", "volume takes a number from 0 to 100"),
        ("QUIT", "unknown command 'QUIT'"), ("quit;", "unknown command 'quit;'"),
    ]

    @Test("a refusal names the command, and what it takes", arguments: refusals)
    func refuses(line: String, beginning: String) {
        let error = #expect(throws: UsageError.self) { try PlayRequest(line: line) }
        #expect(error?.description.hasPrefix(beginning) == true, "\(error?.description ?? "")")
    }

    static let keys: [(Key, PlayRequest?)] = [
        (.character("."), .step(1)), (.character(","), .step(-1)), (.character("m"), .mute),
        (.character("s"), .subtitles), (.character("]"), .faster(1.25)), (.character("["), .faster(0.8)),
        (.character("Q"), nil), (.escape, nil), (.enter, nil), (.control("q"), nil), (.pageUp, nil),
    ]

    @Test("keys are those that the help names", arguments: keys)
    func key(key: Key, request: PlayRequest?) {
        #expect(PlayControl.request(for: key) == request)
    }

    @Test("the two keys of the speed undo each other")
    func speed() {
        guard case .faster(let up)? = PlayControl.request(for: .character("]")),
            case .faster(let down)? = PlayControl.request(for: .character("["))
        else {
            Issue.record("no speed")
            return
        }
        #expect(abs(up * down - 1) < 1e-12)
    }

    @Test("the message for an unknown line names every command that a line can be")
    func forms() {
        let error = #expect(throws: UsageError.self) { try PlayRequest(line: "?") }
        for word in [
            "pause", "resume", "seek", "volume", "mute", "rate", "step", "subtitles", "full-screen", "next",
            "previous", "remove", "insert", "join", "leave", "delay", "quit",
        ] {
            #expect(error?.description.contains(word) == true, "\(word)")
            #expect(PlayCommand.declaration.discussion.contains(word), "\(word)")
        }
    }
}
