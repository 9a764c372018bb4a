import AirPlaySender
import Playback
import Testing

@testable import TuttiPlayCommand

@Suite("Lines of tutti play without a terminal")
struct PlainReportTests {
    static let lines: [(event: PlayEvent, plain: String?, verbose: String?)] = [
        (
            .title(index: 0, StreamTitle(title: "Song", artist: "Band")), "   Band – Song", "   Band – Song"
        ),
        (.title(index: 0, StreamTitle(title: "Song")), "   Song", "   Song"),
        (.title(index: 0, StreamTitle(title: "")), nil, nil),
        (
            .format(PlayReportTests.choice), "   ALAC 44100/16/2: lossless, bit for bit",
            "   ALAC 44100/16/2: lossless, bit for bit"
        ),
        (
            .opened(
                speaker: "Kitchen", address: "10.0.0.7:7000", receiver: ReceiverDescription(),
                bufferBytes: 2_097_152),
            "   to Kitchen", "   Kitchen at 10.0.0.7:7000: unknown model, buffer of 2048 KiB"
        ),
        (
            .clock(speaker: "Kitchen", state: "ready", role: "leader"), nil, "   clock of Kitchen: ready"
        ),
        (
            .playing(index: 1, position: 61, startMilliseconds: 812.9), nil,
            "   playing from 1:01, heard after 812 ms"
        ),
        (.paused(index: 1, position: 3599.9), "   paused at 59:59", "   paused at 59:59"),
        (.member(speaker: "Bath", .joining), "   Bath joins", "   Bath joins"),
        (.member(speaker: "Bath", .playing), "   Bath plays", "   Bath plays"),
        (.member(speaker: "Bath", .left), "   Bath has left", "   Bath has left"),
        (.speakerVolume(speaker: "Bath", 33.6), nil, "   volume of Bath: 34"),
        (.progress(PlayReportTests.progress), nil, nil), (.volume(3), nil, nil), (.ended, nil, nil),
        (.warning(code: "late-edit", speaker: nil, message: "m"), nil, nil),
    ]

    @Test("a change is a line, and details come with --verbose", arguments: lines)
    func shows(event: PlayEvent, plain: String?, verbose: String?) {
        #expect(PlainPlayReport.line(event, isVerbose: false) == plain)
        #expect(PlainPlayReport.line(event, isVerbose: true) == verbose)
    }

    static let titles: [(title: String, artist: String?, text: String)] = [
        ("Song", "Band", "Band – Song"), ("Song", nil, "Song"), ("Song", "", "Song"), ("", "Band", "Band"),
        ("", nil, ""), ("", "", ""),
    ]

    @Test("a stream's title is what there is of artist and title", arguments: titles)
    func streamTitle(title: String, artist: String?, text: String) {
        #expect(StreamTitle(title: title, artist: artist).text == text)
    }

    @Test("a track is called by its list, else by its place, and a stream also by what it plays")
    func trackTitles() {
        var named = PlayTrack(PlayInput(path: "http://radio.example/live", title: "Radio"), id: 0)
        #expect(PlayTitle.of(named) == "Radio")
        named.heardTitle = StreamTitle(title: "Song", artist: "Band")
        #expect(PlayTitle.of(named) == "Radio: Band – Song")
        named.heardTitle = StreamTitle(title: "")
        #expect(PlayTitle.of(named) == "Radio")
        #expect(PlayTitle.of(PlayTrack(PlayInput(path: "/m/a b.flac"), id: 1)) == "/m/a b.flac")
    }

    @Test(
        "the last part of a path or address is its name",
        arguments: [
            ("/m/a b.flac", "a b.flac"), ("a.flac", "a.flac"), ("http://a.example/x/", "x"),
            ("https://radio.example", "radio.example"), ("", nil), ("///", nil), ("-", "-"),
        ] as [(String, String?)])
    func lastPart(location: String, name: String?) {
        #expect(PlayTitle.lastPart(of: location) == name)
    }
}

@Suite("Events of tutti play --json at their edges")
struct JSONPlayReportTests {
    private static func lines(_ event: PlayEvent) -> [String] { JSONPlayReport.lines(event).map(\.text) }

    @Test("a title that ends is an event with an empty title")
    func title() {
        #expect(
            Self.lines(.title(index: 2, StreamTitle(title: "", artist: nil)))
                == [#"{"event":"title","index":2,"title":"","artist":null}"#])
        #expect(
            Self.lines(.title(index: 0, StreamTitle(title: "\u{1B}a\"", artist: "B")))
                == [#"{"event":"title","index":0,"title":"\u001ba\"","artist":"B"}"#])
    }

    static let sessions: [(SessionChoice?, String)] = [
        (
            SessionChoice(.airPlay1, .ntp, "why"),
            #""protocol":"AirPlay 1","stream":"realtime","clock":"ntp""#
        ),
        (
            SessionChoice(.realtime, .theirs, "why"),
            #""protocol":"AirPlay 2","stream":"realtime","clock":"theirs""#
        ),
        (SessionChoice(.local, .host, "why"), #""protocol":null,"stream":"local","clock":"host""#),
        (nil, #""protocol":"AirPlay 2","stream":null,"clock":null"#),
    ]

    @Test("a route names the protocol, and AirPlay 1 as a realtime stream", arguments: sessions)
    func route(session: SessionChoice?, words: String) {
        let lines = Self.lines(.route(speaker: "Bath", address: "a", session, PlayReportTests.choice))
        #expect(lines.count == 1 && lines[0].contains(words), "\(lines)")
    }

    @Test("numbers that JSON lacks are null")
    func numbers() {
        var progress = PlayReportTests.progress
        progress.position = .nan
        progress.speakers[0].secondsAhead = .infinity
        #expect(
            Self.lines(.progress(progress))
                == [#"{"event":"progress","index":2,"position":null,"ahead":{"Kitchen":null}}"#])
    }

    @Test("an error that is about no speaker has none, and one about a twin has its id")
    func errors() {
        #expect(
            Self.lines(.error(code: "input", speaker: nil, message: "there is no file 'a'"))
                == [#"{"event":"error","code":"input","speaker":null,"message":"there is no file 'a'"}"#])
        let twin = NamedSpeaker(id: "02:00:00:AA:00:01", name: "Kitchen")
        #expect(
            Self.lines(.clock(speaker: twin, state: "ready", role: "leader")) == [
                #"{"event":"clock","speaker":"Kitchen","id":"02:00:00:AA:00:01","state":"ready","role":"leader"}"#
            ])
    }

    @Test("progress without speakers has none, and no volumes")
    func noSpeakers() {
        var progress = PlayReportTests.progress
        progress.speakers = []
        #expect(
            Self.lines(.progress(progress))
                == [#"{"event":"progress","index":2,"position":3.142,"ahead":{}}"#])
    }
}

@Suite("The display of tutti play at its edges")
struct TerminalReportTests {
    private static func lines(_ progress: PlayProgress, columns: Int = 80) -> [String] {
        TerminalPlayReport.lines(
            progress, choice: nil, clocks: [:], columns: columns, hasColor: false)
    }

    @Test("a pause, an unknown length and an unknown volume are shown as such")
    func unknown() {
        var progress = PlayReportTests.progress
        (progress.isPaused, progress.duration, progress.volume) = (true, nil, nil)
        let lines = Self.lines(progress)
        #expect(lines[0] == "⏸ A – B" && lines[2] == "0:03 / -:--")
    }

    @Test("a title and a speaker's words cannot move the cursor")
    func harmful() {
        var progress = PlayReportTests.progress
        progress.title = "x\u{1B}[2Jy\nz"
        progress.speakers[0].state = .lost(SpeakerFailure(.busy, "\u{1B}]0;taken\u{7}"))
        let lines = Self.lines(progress)
        #expect(lines[0] == "▶ x?[2Jy?z")
        #expect(lines[3] == "  Kitchen: lost: ?]0;taken?, 61 s ahead")
    }

    static let states: [(SpeakerState, String)] = [
        (.connecting, "connecting"), (.waitingForClock, "waiting for the clock"), (.ready, "ready"),
        (.playing, "playing"), (.starved, "starved: the network is too slow"), (.closed, "closed"),
    ]

    @Test("each state of a speaker has its words", arguments: states)
    func state(state: SpeakerState, words: String) {
        var progress = PlayReportTests.progress
        progress.speakers[0].state = state
        #expect(Self.lines(progress)[3] == "  Kitchen: \(words), 61 s ahead")
    }

    @Test("volumes of speakers are shown where there are several")
    func volumes() {
        var progress = PlayReportTests.loud
        #expect(!Self.lines(progress)[3].contains("volume"))
        progress.speakers.append(PlayReportTests.depth)
        progress.speakers[1].speaker = "Bath"
        let lines = Self.lines(progress)
        #expect(lines[3] == "  Kitchen: playing, 61 s ahead, volume 40")
        #expect(lines[4] == "  Bath: playing, 61 s ahead")
    }
}
