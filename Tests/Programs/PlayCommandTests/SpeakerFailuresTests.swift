import Playback
import Testing
import TuttiTestSupport

@testable import AirPlaySender
@testable import TuttiCommandLineInterface
@testable import TuttiPlayCommand

/// A report that keeps each event as its JSON.
private final class EventReport: PlayReport {
    let lines = Recorder<[String]>([])

    func show(_ event: PlayEvent) {
        let texts = JSONPlayReport.lines(event).map(\.text)
        lines.update { $0 += texts }
    }

    func end() {}
}

@Suite("Speakers that fail, join and leave during a play")
struct SpeakerFailuresTests {
    private static func opened(_ speaker: NamedSpeaker) -> SpeakerGroupEvent {
        .opened(speaker: speaker, address: "192.0.2.1:7000", receiver: ReceiverDescription(), bufferBytes: 0)
    }

    private static func lost(
        _ speaker: NamedSpeaker, _ code: SpeakerFailure.Code, retry: Duration? = nil
    ) -> SpeakerGroupEvent {
        let failure = SpeakerFailure(code, "\(speaker): \(code)", isOrderly: false, retryDelay: retry)
        return .state(speaker: speaker, .lost(failure))
    }

    /// Follows events of a play; returns whether it is over, and what was reported.
    private static func follow(
        _ speakers: [NamedSpeaker], _ events: [SpeakerGroupEvent]
    ) async -> (isOver: Bool, lines: [String]) {
        let report = EventReport()
        let count = Recorder<Int>(0)
        let monitor = PlayMonitor(speakers: speakers, report: report) { count.update { $0 += 1 } }
        let (stream, continuation) = AsyncStream<RouteCatalogue.Event>.makeStream()
        for event in events { continuation.yield(.speaker(event)) }
        continuation.finish()
        await monitor.follow(stream)
        return (count.value > 0, report.lines.value)
    }

    private static let cases: [(what: String, events: [SpeakerGroupEvent], isOver: Bool)] = [
        ("one of two is lost", [lost("Kitchen", .unreachable)], false),
        ("none of two opens", [lost("Kitchen", .unreachable), lost("Bath", .silent)], true),
        (
            "one has opened, and may come back",
            [opened("Kitchen"), lost("Kitchen", .lost), lost("Bath", .silent)], false
        ),
        (
            "one has opened, and its password is wrong",
            [opened("Kitchen"), lost("Kitchen", .passwordWrong), lost("Bath", .silent)], true
        ),
        (
            "one that never opened names a time for a retry",
            [lost("Kitchen", .pinWrong, retry: .seconds(120)), lost("Bath", .silent)], false
        ),
        (
            "the time for a retry is too long",
            [lost("Kitchen", .pinWrong, retry: .seconds(121)), lost("Bath", .silent)], true
        ),
        (
            "the only one that plays is taken out",
            [opened("Bath"), lost("Kitchen", .unreachable), .state(speaker: "Bath", .closed)], true
        ),
        (
            "all are taken out",
            [.state(speaker: "Bath", .closed), .state(speaker: "Kitchen", .closed)], false
        ),
        (
            "one that was lost is back",
            [lost("Kitchen", .unreachable), opened("Kitchen"), lost("Bath", .forbidden)], false
        ),
    ]

    @Test("a play is over when no speaker can be heard again by itself", arguments: cases.indices)
    func isOver(index: Int) async {
        let (what, events, isOver) = Self.cases[index]
        #expect(await Self.follow(["Kitchen", "Bath"], events).isOver == isOver, "\(what)")
    }

    @Test("a failure is reported once while it lasts, and again if it comes back or another one follows")
    func once() async {
        let unreachable = Self.lost("Kitchen", .unreachable)
        let (_, lines) = await Self.follow(
            ["Kitchen", "Bath"],
            [
                unreachable, unreachable, Self.lost("Kitchen", .silent), Self.opened("Kitchen"), unreachable,
            ])
        #expect(
            lines == [
                #"{"event":"error","code":"unreachable","speaker":"Kitchen","message":"Kitchen: unreachable"}"#,
                #"{"event":"error","code":"silent","speaker":"Kitchen","message":"Kitchen: silent"}"#,
                #"{"event":"error","code":"unreachable","speaker":"Kitchen","message":"Kitchen: unreachable"}"#,
            ])
    }

    @Test("a speaker that opens again is back")
    func back() async {
        let (_, lines) = await Self.follow(
            ["Kitchen"], [Self.opened("Kitchen"), Self.lost("Kitchen", .lost), Self.opened("Kitchen")])
        #expect(
            lines.last
                == #"{"event":"warning","code":"back","speaker":"Kitchen","message":"Kitchen is back"}"#)
    }

    @Test("a speaker that comes to the others joins, plays and leaves, each told once")
    func member() async {
        let playing = SpeakerGroupEvent.state(speaker: "Bath", .playing)
        let (_, lines) = await Self.follow(
            ["Kitchen"],
            [
                .state(speaker: "Kitchen", .connecting), .state(speaker: "Kitchen", .playing),
                .state(speaker: "Bath", .connecting), Self.opened("Bath"), playing, playing,
                .state(speaker: "Bath", .closed),
            ])
        #expect(
            lines
                == ["joining", "playing", "left"].map {
                    #"{"event":"member","speaker":"Bath","state":"\#($0)"}"#
                })
    }

    @Test("this machine leads the clock of all speakers but those whose clock it follows")
    func clocks() async {
        let (_, lines) = await Self.follow(
            ["Kitchen", "Bath"],
            [
                .chosen(speaker: "Bath", SessionChoice(.realtime, .theirs, "why")),
                .clock(speaker: "Bath", .ready), .clock(speaker: "Kitchen", .stalled),
            ])
        #expect(
            lines == [
                #"{"event":"clock","speaker":"Bath","state":"ready","role":"follower"}"#,
                #"{"event":"clock","speaker":"Kitchen","state":"stalled","role":"leader"}"#,
            ])
    }

    static let codes: [(String, Int32)] = [
        ("unplayable", 65), ("input", 66), ("unknown-speaker", 66), ("not-paired", 66), ("no-output", 69),
        ("not-heard", 69), ("clock", 69), ("lost", 69), ("closed", 69), ("pin-wrong", 77), ("forbidden", 77),
        ("password-needed", 77), ("unsupported", 76), ("ambiguous", 1), ("", 1), ("BUSY", 1),
    ]

    @Test("a code has the exit status that the manual gives its kind", arguments: codes)
    func status(code: String, status: Int32) {
        #expect(TuttiCommandLineInterface.ExitStatus(failureCode: code).rawValue == status)
    }

    @Test("a speaker that is not found, and a name of several, say what to do")
    func words() {
        let none = SpeakerLookupError.notFound(name: "Attic", known: [])
        #expect(PlaySpeakers.words(none).hasSuffix("Is it switched on? `tutti speakers` lists the names"))
        #expect(PlayCommand.code(of: none) == "unknown-speaker")
        #expect(PlayCommand.code(of: PlayInputError(description: "")) == "input")
        #expect(PlayCommand.code(of: UsageError("")) == "failed")
    }
}
