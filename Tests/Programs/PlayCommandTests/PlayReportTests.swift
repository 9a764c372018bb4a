import Playback
import Testing

@testable import AirPlaySender
@testable import TuttiCommandLineInterface
@testable import TuttiPlayCommand

@Suite("Reports of a play")
struct PlayReportTests {
    static let choice = WireFormatPolicy().choose(
        for: SourceSound(coding: .lossless(bits: 16), sampleRate: .hz44100, channelCount: 2))
    static let session = SessionChoice(.buffered, .ptp, "it has both")
    static let depth = SpeakerDepth(
        speaker: "Kitchen", state: .playing, secondsAhead: 61.239, bytesHeld: 100, bufferBytes: 1000)
    static let progress = PlayProgress(
        index: 2, title: "A – B", position: 3.14159, duration: 187.2, isPaused: false, volume: 40,
        speakers: [depth])

    static var loud: PlayProgress {
        var progress = progress
        progress.speakers[0].volume = 40
        return progress
    }

    static let events: [(PlayEvent, String?)] = [
        (
            .route(speaker: "Kitchen", address: "10.0.0.7:7000", session, choice),
            #"{"event":"route","speaker":"Kitchen","address":"10.0.0.7:7000","protocol":"AirPlay 2","#
                + #""stream":"buffered","clock":"ptp","wireFormat":"ALAC 44100/16/2","passThrough":false,"#
                + #""reason":"lossless, bit for bit","streamReason":"it has both"}"#
        ),
        (
            .clock(speaker: "K\"", state: "locked", role: "follower"),
            #"{"event":"clock","speaker":"K\"","state":"locked","role":"follower"}"#
        ),
        (
            .playing(index: 0, position: 1.23456, startMilliseconds: 812.34),
            #"{"event":"playing","index":0,"position":1.235,"startMs":812.3}"#
        ),
        (
            .progress(progress),
            #"{"event":"progress","index":2,"position":3.142,"ahead":{"Kitchen":61.24}}"#
        ),
        (.paused(index: 1, position: 9), #"{"event":"paused","index":1,"position":9}"#),
        (
            .warning(code: "late-edit", speaker: nil, message: "a\nb"),
            #"{"event":"warning","code":"late-edit","speaker":null,"message":"a\nb"}"#
        ),
        (
            .error(code: "render", speaker: "Kitchen", message: "no"),
            #"{"event":"error","code":"render","speaker":"Kitchen","message":"no"}"#
        ),
        (
            .speakerVolume(speaker: "Kitchen", 33.333),
            #"{"event":"volume","speaker":"Kitchen","volume":33.3}"#
        ),
        (
            .member(speaker: "Kitchen", .joining),
            #"{"event":"member","speaker":"Kitchen","state":"joining"}"#
        ),
        (
            .progress(loud),
            #"{"event":"progress","index":2,"position":3.142,"ahead":{"Kitchen":61.24},"volumes":{"Kitchen":40}}"#
        ),
        (.ended, #"{"event":"ended"}"#), (.volume(3), nil), (.format(choice), nil),
    ]

    @Test("each event is one JSON line", arguments: events)
    func json(event: PlayEvent, line: String?) {
        #expect(JSONPlayReport.lines(event).map(\.text) == (line.map { [$0] } ?? []))
    }

    static let clocks: [(Double, String)] = [
        (0, "0:00"), (7.9, "0:07"), (187, "3:07"), (3599.99, "59:59"), (3600, "1:00:00"), (3729, "1:02:09"),
        (-5, "0:00"), (.nan, "-:--"), (.infinity, "-:--"), (1e300, "277777:46:40"),
    ]

    @Test("times", arguments: clocks)
    func clock(seconds: Double, text: String) { #expect(PlayTitle.clock(seconds) == text) }

    static let bars: [(position: Double, ahead: Double, duration: Double?, counts: [Int])] = [
        (0, 0, 100, [0, 0, 10]), (50, 0, 100, [5, 0, 5]), (50, 30, 100, [5, 3, 2]),
        (100, 30, 100, [10, 0, 0]),
        (500, 500, 100, [10, 0, 0]), (-5, 0, 100, [0, 0, 10]), (5, 5, nil, [5, 5, 0]), (0, 0, 0, [0, 0, 10]),
        (1e12, 1e12, 0, [10, 0, 0]), (.nan, 0, 100, [0, 0, 10]), (0, .infinity, nil, [0, 0, 10]),
        (1e300, .nan, 1, [10, 0, 0]),
    ]

    @Test("the bar is as wide as it should be", arguments: bars)
    func bar(position: Double, ahead: Double, duration: Double?, counts: [Int]) {
        let bar = TerminalPlayReport.bar(
            position: position, ahead: ahead, duration: duration, width: 10, hasColor: true)
        let pieces = bar.split(separator: "\u{1B}[0m", omittingEmptySubsequences: true)
        #expect(pieces.map { $0.count { $0 == "━" } } == counts)
    }

    @Test("a bar without colours has a line of its own for each part")
    func colourlessBar() {
        let bar = TerminalPlayReport.bar(position: 50, ahead: 30, duration: 100, width: 10, hasColor: false)
        #expect(bar == "━━━━━───┈┈")
    }

    @Test("a play that failed has the status of its last error, and 1 for an unknown one")
    func outcome() {
        let outcome = PlayOutcome(PlainPlayReport(isVerbose: false))
        #expect(outcome.status == .failure)
        outcome.fail("unplayable", "notes.txt is not audio")
        #expect(outcome.status == .badMedia)
        outcome.fail("password-needed", "Kitchen wants a password", of: "Kitchen")
        outcome.warn("back", "Kitchen is back", of: "Kitchen")
        #expect(outcome.status == .noAccess)
        outcome.fail("nonsense", "")
        #expect(outcome.status == .failure)
    }

    @Test("each failure of a speaker has a status, and each status its meaning")
    func statuses() {
        let codes: [SpeakerFailure.Code: TuttiCommandLineInterface.ExitStatus] = [
            .unreachable: .unavailable, .silent: .unavailable, .busy: .busy, .refused: .refused,
            .pinNeeded: .noAccess, .passwordWrong: .noAccess, .noClock: .busy, .notASpeaker: .refused,
        ]
        for (code, status) in codes {
            #expect(TuttiCommandLineInterface.ExitStatus(failureCode: code.rawValue) == status)
        }
        let meanings = TuttiCommandLineInterface.ExitStatus.meanings.map(\.status)
        #expect(Set(meanings).isSuperset(of: codes.values) && Set(meanings).count == meanings.count)
    }

    @Test("lines of the display")
    func lines() {
        let lines = TerminalPlayReport.lines(
            Self.progress, choice: Self.choice, clocks: ["Kitchen": "locked"], columns: 60, hasColor: true)
        #expect(lines.count == 5)
        #expect(lines[0] == "▶ A – B")
        #expect(lines[2] == "0:03 / 3:07  volume 40")
        #expect(lines[3] == "  Kitchen: playing, 61 s ahead, clock locked")
        #expect(lines[4] == "  ALAC 44100/16/2: lossless, bit for bit")
        let none = TerminalPlayReport.lines(nil, choice: nil, clocks: [:], columns: 60, hasColor: true)
        #expect(none == ["Connecting…"])
    }

    @Test("no line is wider than the terminal", arguments: [0, 1, 12, 40])
    func narrow(columns: Int) {
        let lines = TerminalPlayReport.lines(
            Self.progress, choice: Self.choice, clocks: ["Kitchen": "locked"], columns: columns,
            hasColor: true)
        for index in lines.indices where index != 1 && index != 2 {
            #expect(DisplayWidth.of(lines[index]) <= columns)
        }
    }

    @Test("an event has the speaker's id beside its name, and speakers of one name are told apart")
    func ids() {
        let twins = ["02:00:00:AA:00:01", "02:00:00:AA:00:02"].map { NamedSpeaker(id: $0, name: "Kitchen") }
        #expect(
            JSONPlayReport.lines(.speakerVolume(speaker: twins[0], 20)).map(\.text) == [
                #"{"event":"volume","speaker":"Kitchen","id":"02:00:00:AA:00:01","volume":20}"#
            ])
        #expect(
            JSONPlayReport.lines(.error(code: "busy", speaker: twins[1], message: "no")).map(\.text) == [
                #"{"event":"error","code":"busy","speaker":"Kitchen","id":"02:00:00:AA:00:02","message":"no"}"#
            ])
        var progress = Self.progress
        progress.speakers = twins.map { twin in
            var depth = Self.depth
            depth.speaker = twin
            return depth
        }
        #expect(
            JSONPlayReport.lines(.progress(progress)).map(\.text) == [
                #"{"event":"progress","index":2,"position":3.142,"#
                    + #""ahead":{"02:00:00:AA:00:01":61.24,"02:00:00:AA:00:02":61.24}}"#
            ])
        let lines = TerminalPlayReport.lines(
            progress, choice: nil, clocks: [twins[1].id: "locked"], columns: 80, hasColor: true)
        #expect(lines[3] == "  Kitchen (02:00:00:AA:00:01): playing, 61 s ahead")
        #expect(lines[4] == "  Kitchen (02:00:00:AA:00:02): playing, 61 s ahead, clock locked")
    }
}
