import AirPlayMessages
import HomeKitPairing
import Testing
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

@testable import AirPlaySender

@Suite("Handshake of an AirPlay 2 session with a realtime stream, without sockets")
struct RealtimeHandshakeTests {
    typealias Wait = HandshakeRun.Wait
    typealias Input = AirPlay2Handshake.Input

    @Test(
        "a realtime stream with PTP has ports of ours before the session, and its latencies in the stream SETUP"
    )
    func realtime() throws {
        var run = HandshakeRun(receiver: HandshakeRun.info(features: [.audio, .ptp, .transientPairing]))
        try run.run()
        let url = "rtsp://10.0.0.1/77"
        #expect(
            run.trace.suffix(11) == [
                "encrypt", "bind", "SETUP \(url)", "events 10.0.0.2:1111", "RECORD \(url)",
                "SETPEERS \(url)", "format", "SETUP \(url)", "restart 10.0.0.2", "data 10.0.0.2:2222",
                "opened",
            ])
        let stream = try StreamSetupRequest(body: run.requests[6].body)
        #expect(stream.kind == .realtime && stream.format == .alac44100x16 && stream.controlPort == 6001)
        #expect(stream.latencyMin == 11_025 && stream.latencyMax == 88_200)
        #expect(run.opened?.choice.stream == .realtime && run.opened?.choice.clock == .ptp)
    }

    @Test(
        "a realtime stream has the format that the user chose, and room for two seconds of it",
        arguments: SessionChoice.RealtimeFormat.allCases)
    func realtimeFormat(choice: SessionChoice.RealtimeFormat) throws {
        var configuration = HandshakeRun.configuration()
        (configuration.target.override.stream, configuration.target.override.format) = (.realtime, choice)
        var run = HandshakeRun(configuration)
        try run.run(to: .data)
        let stream = try StreamSetupRequest(body: try #require(run.requests.last).body)
        #expect(stream.format == choice.wireFormat && stream.codec == (choice == .pcm ? 1 : 2))
        guard case .openStream(let opening, _) = run.waiting?.output else {
            Issue.record("no stream")
            return
        }
        #expect(opening.realtime?.traits.format == choice.wireFormat)
        #expect(
            opening.bufferBytes
                == (choice == .alac48000x24 ? 576_000 : choice == .alac44100x24 ? 529_200 : 352_800))
    }

    @Test("a realtime stream with NTP names our timing port, serves no PTP and sets no peers")
    func realtimeNTP() throws {
        var run = HandshakeRun(receiver: HandshakeRun.info(features: [.audio, .transientPairing]))
        try run.run()
        #expect(run.trace.contains("remove 10.0.0.2") && run.trace.contains("bind, with timing"))
        #expect(!run.trace.contains { $0.hasPrefix("SETPEERS") || $0.hasPrefix("restart") })
        let session = try SessionSetupRequest(body: run.requests[3].body)
        #expect(session.timingProtocol == .ntp && session.timingPort == 6002)
        #expect(session.timingPeerInfo == nil && session.timingPeerList.isEmpty)
        #expect(run.opened?.choice.clock == .ntp && run.failure == nil)
    }

    private static let alone = AirPlayTXTRecord([
        (key: "model", value: "AudioAccessory5,1"), (key: "features", value: "0x4A7FCA00,0x3C354BD0"),
        (key: "igl", value: "1"), (key: "gid", value: "A"), (key: "osvers", value: "27.0"),
    ])

    @Test("a speaker that announces that it insists on its clock is followed, and never served")
    func leads() throws {
        var configuration = HandshakeRun.configuration()
        configuration.target.record = Self.alone
        var run = HandshakeRun(configuration, receiver: HandshakeRun.info(model: "AudioAccessory5,1"))
        try run.run()
        #expect(run.trace.contains("follow and add 10.0.0.2"))
        #expect(!run.trace.contains { $0.hasPrefix("restart") || $0.hasPrefix("follow 1") })
        #expect(run.opened?.choice.clock == .theirs && run.opened?.choice.stream == .realtime)
        let session = try SessionSetupRequest(body: run.requests[3].body)
        #expect(session.timingProtocol == .ptp && session.timingPeerInfo?.clockIdentity == HandshakeRun.clock)
        #expect(run.trace.contains { $0.hasPrefix("SETPEERS") })
    }

    @Test("the user's choice of the speaker's clock holds for any speaker with a realtime stream")
    func leadsByChoice() throws {
        var configuration = HandshakeRun.configuration()
        configuration.target.override.clock = .theirs
        var run = HandshakeRun(configuration, receiver: HandshakeRun.info(model: "Speaker1,1"))
        try run.run()
        #expect(run.opened?.choice.clock == .theirs && run.opened?.choice.stream == .realtime)
        #expect(!run.trace.contains { $0.hasPrefix("restart") })
    }

    @Test("the description decides the role if the announcement did not", arguments: [true, false])
    func roleChanges(wasAlone: Bool) throws {
        var configuration = HandshakeRun.configuration()
        if wasAlone { configuration.target.record = Self.alone }
        if wasAlone { configuration.target.override.stream = .realtime }
        let model = wasAlone ? "Sonos Era 100" : "AudioAccessory5,1"
        var info = HandshakeRun.info(model: model)
        if !wasAlone {
            let entries = ["igl=1", "gid=A", "osvers=27.0"].flatMap {
                [UInt8($0.utf8.count)] + Array($0.utf8)
            }
            info = ReceiverInfo(fields: info.fields.merging(["txtAirPlay": .data(entries)]) { $1 })
        }
        var run = HandshakeRun(configuration, receiver: info)
        try run.run()
        let change = wasAlone ? "lead 10.0.0.2" : "follow 10.0.0.2"
        #expect(run.trace.filter { $0.hasPrefix("lead") || $0.hasPrefix("follow 1") } == [change])
        #expect(run.opened?.choice.clock == (wasAlone ? .ptp : .theirs))
    }

    @Test("a failed handshake with a speaker that leads ends its following")
    func leadsAndFails() throws {
        var configuration = HandshakeRun.configuration()
        configuration.target.record = Self.alone
        var run = HandshakeRun(configuration, receiver: HandshakeRun.info(model: "AudioAccessory5,1"))
        try run.run(to: .record)
        run.give(.answered(RTSPResponse(.notFound)))
        #expect(run.trace.suffix(2) == ["remove 10.0.0.2 and unfollow", "failed"])
    }

    // MARK: Without PTP

    private static let noClock = SpeakerFailure(.noClock, "UDP 319 is taken by ptp4l")

    @Test("without a clock of ours a speaker that takes NTP gets it, and the reason is told")
    func withoutOurClock() throws {
        var run = HandshakeRun(receiver: HandshakeRun.info(model: "Speaker1,1"))
        try run.run(to: .addPeer)
        run.give(.peerRefused(Self.noClock))
        try run.run()
        let choice = try #require(run.opened?.choice)
        #expect("\(choice)" == "realtime, NTP: buffered sound needs PTP; UDP 319 is taken by ptp4l")
        #expect(!run.trace.contains { $0.hasPrefix("remove") || $0.hasPrefix("restart") })
    }

    @Test(
        "without a clock of ours a speaker that needs PTP fails with the reason",
        arguments: [("ShairportSync", nil), ("Speaker1,1", .ptp), ("Speaker1,1", .theirs)]
            as [(String, SessionChoice.Clock?)])
    func needsOurClock(model: String, clock: SessionChoice.Clock?) throws {
        var configuration = HandshakeRun.configuration()
        configuration.target.override.clock = clock
        var run = HandshakeRun(configuration, receiver: HandshakeRun.info(model: model))
        try run.run(to: .addPeer)
        run.give(.peerRefused(Self.noClock))
        try run.run()
        #expect(run.failure == Self.noClock)
        #expect(run.trace.suffix(2) == ["GET /info", "failed"])
    }

    @Test(
        "a clock in place of PTP is offered to a speaker that takes it",
        arguments: [
            ("Speaker1,1", .ntp, .ntp), ("Sonos Era 100", .ntp, .ptp), ("Speaker1,1", .theirs, .theirs),
        ] as [(String, SessionChoice.Clock, SessionChoice.Clock)])
    func instead(model: String, clock: SessionChoice.Clock, expected: SessionChoice.Clock) throws {
        var configuration = HandshakeRun.configuration()
        configuration.instead = SessionChoice.Alternative(clock: clock, reason: "because")
        var run = HandshakeRun(configuration, receiver: HandshakeRun.info(model: model))
        try run.run()
        #expect(run.opened?.choice.clock == expected)
        #expect(run.trace.contains("remove 10.0.0.2") == (expected == .ntp))
        #expect(run.trace.contains("follow 10.0.0.2") == (expected == .theirs))
        #expect(run.opened?.choice.reason.hasSuffix("; because") == (expected == clock))
    }
}
