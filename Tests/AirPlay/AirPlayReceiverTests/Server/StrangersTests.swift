import AirPlayMessages
import Glibc
import Testing
import TuttiMediaTime
import TuttiRTSP
import TuttiTestSupport

@testable import AirPlayReceiver
@testable import TuttiSystemIO

@Suite("Unpaired peers and lost senders", .tags(.machine))
struct StrangersTests {
    @Test("connections from one address stay within their share, and block nothing")
    func flood() async throws {
        let stage = try SpeakerStage()
        let player = try await HandSender(stage.address)
        try await player.pair()
        _ = try await player.open(.stage(), try .stage())
        var strangers: [TCPConnection] = []
        for number in 0..<100 {
            let connection = try await TCPConnection.connect(
                to: stage.address, from: nil, options: TCPOptions(), timeout: .seconds(60))
            connection.start(onBytes: { _ in }, onClose: { _ in })
            if number % 3 == 0 { connection.send(Array("GET /info RTSP/1.0\r\nX".utf8)) }
            strangers.append(connection)
            #expect(stage.server.connectionCount <= 16)
        }
        #expect(try await player.ask(.setRateAnchorTime, TakeoverTests.anchor).status == .ok)
        #expect(try await stage.sink().log.value.plays.count == 1)
    }

    @Test("an unpaired connection is closed at its time limit; a session stays")
    func slow() async throws {
        let stage = try SpeakerStage()
        let player = try await HandSender(stage.address)
        try await player.pair()
        _ = try await player.open(.stage(), try .stage())
        let stranger = try await HandSender(stage.address)
        #expect(try await stranger.ask(RTSPRequest(.get, "/info")).status == .ok)
        stage.server.performMaintenance(at: SystemClock.now.advanced(by: .seconds(10_001)))
        try await stranger.waitForClose()
        #expect(!player.isClosed)
        // A silent session without audio is closed in the end, too.
        stage.server.performMaintenance(at: SystemClock.now.advanced(by: .seconds(40_001)))
        try await player.waitForClose()
        #expect(try await stage.sink().log.value.ends == 1)
    }

    @Test("endless messages close the connection")
    func long() async throws {
        let stage = try SpeakerStage()
        for bytes in [
            Array("GET /info RTSP/1.0\r\nX: ".utf8) + [UInt8](repeating: 0x61, count: 40_000),
            Array("POST /pair-setup RTSP/1.0\r\nContent-Length: 100000000\r\n\r\n".utf8),
            [UInt8](repeating: 0, count: 30_000),
        ] {
            let stranger = try await HandSender(stage.address)
            stranger.connection.send(bytes)
            try await stranger.waitForClose()
        }
    }

    /// Ends a connection as a cut link does: without an orderly end.
    private func cut(_ sender: HandSender) {
        var nobody = sockaddr()
        nobody.sa_family = sa_family_t(AF_UNSPEC)
        let socket = sender.connection.socket as? KernelStream
        _ = connect(socket?.socket.number ?? -1, &nobody, socklen_t(MemoryLayout<sockaddr>.size))
    }

    @Test("audio plays to its end without its sender")
    func lost() async throws {
        let stage = try SpeakerStage()
        let sender = try await HandSender(stage.address)
        try await sender.pair()
        _ = try await sender.open(.stage(), try .stage())
        _ = try await sender.ask(.setRateAnchorTime, TakeoverTests.anchor)
        let sink = try await stage.sink()
        sink.set { ($0.isPlaying, $0.bufferedSeconds) = (true, 30) }
        cut(sender)
        try await stage.waitForEvent("the loss") { if case .senderLost = $0 { true } else { false } }
        stage.server.performMaintenance(at: SystemClock.now)
        #expect(sink.log.value.ends == 0)
        #expect(stage.server.sound != nil)
        sink.set { $0.bufferedSeconds = 0 }
        stage.server.performMaintenance(at: SystemClock.now)
        // The server performs maintenance itself as well, perhaps at the same time.
        try await stage.waitForEvent("the end") { if case .sessionEnded = $0 { true } else { false } }
        #expect(sink.log.value.ends == 1)
        #expect(stage.server.sender == nil)
    }

    @Test("a lost sender returns to its audio; another sender ends it")
    func returns() async throws {
        let stage = try SpeakerStage()
        let sender = try await HandSender(stage.address)
        try await sender.pair()
        let answer = try await sender.open(.stage(), try .stage())
        _ = try await sender.ask(.setRateAnchorTime, TakeoverTests.anchor)
        let sink = try await stage.sink()
        let data = try await TakeoverTests.connectData(stage, answer.dataPort)
        data.send(try TakeoverTests.packets(0..<3))
        _ = try await sink.log.wait(for: "sound") { $0.packets.count == 3 ? 1 : nil }
        sink.set { ($0.isPlaying, $0.bufferedSeconds) = (true, 30) }
        cut(sender)
        try await stage.waitForEvent("the loss") { if case .senderLost = $0 { true } else { false } }
        let again = try await HandSender(stage.address)
        try await again.pair()
        #expect(try await again.open(.stage(), try .stage()).continuesAt == 3)
        #expect(stage.sinks.value.count == 1)
        #expect(sink.log.value.ends == 0)
        // The stream uses the clock that the new session follows.
        let description = try #require(stage.descriptions.value.first)
        #expect(description.clock.mapping(of: ClockIdentity(rawValue: 5)) != nil)
        cut(again)
        try await stage.waitForEvent("the loss", times: 2) {
            if case .senderLost = $0 { true } else { false }
        }
        let other = try await HandSender(stage.address)
        try await other.pair()
        _ = try await other.ask(.setup, SessionSetupRequest.stage(uuid: "B"))
        #expect(sink.log.value.ends == 1)
    }

    @Test("a control-only session follows no clock, whatever peers it names")
    func controllersFollowNothing() async throws {
        let stage = try SpeakerStage()
        let controller = try await HandSender(stage.address)
        try await controller.pair()
        var session = SessionSetupRequest.stage(.ptp)
        session.isRemoteControlOnly = true
        #expect(try await controller.ask(.setup, session).status == .ok)
        let peers = PeerList(addresses: (1...40).map { "192.0.2.\($0)" })
        #expect(try await controller.ask(.setPeers, peers).status == .ok)
        #expect(stage.clock.followed.value.isEmpty)
    }

    @Test("at the clock limit a session still follows its sender's, and no other")
    func lastPlaces() async throws {
        let stage = try SpeakerStage()
        stage.clock.hasSpare.update { $0 = false }
        let sender = try await HandSender(stage.address)
        try await sender.pair()
        _ = try await sender.open(.stage(), try .stage())
        #expect(try await sender.ask(.setPeers, PeerList(addresses: ["192.0.2.7"])).status == .ok)
        #expect(stage.clock.followed.value == [.loopbackV4: 1])
    }

    /// A sender with a stream, and one that only controls the speaker.
    private static func playerAndController(_ stage: SpeakerStage) async throws -> (HandSender, HandSender) {
        let player = try await HandSender(stage.address)
        try await player.pair()
        _ = try await player.open(.stage(), try .stage())
        let controller = try await HandSender(stage.address)
        try await controller.pair()
        #expect(try await controller.ask(.setup, SessionSetupRequest.stage(.noClock)).status == .ok)
        return (player, controller)
    }

    @Test("a silent controller loses its connection, a silent sender keeps it")
    func silentController() async throws {
        let stage = try SpeakerStage()
        let (player, controller) = try await Self.playerAndController(stage)
        stage.server.performMaintenance(at: SystemClock.now.advanced(by: .seconds(290)))
        #expect(!controller.isClosed)
        stage.server.performMaintenance(at: SystemClock.now.advanced(by: .seconds(301)))
        try await controller.waitForClose()
        #expect(!player.isClosed)
    }

    @Test("a controller does not change the volume of another sender's session")
    func volumeOfOthers() async throws {
        let stage = try SpeakerStage()
        let (player, controller) = try await Self.playerAndController(stage)
        let before = stage.server.volume
        let full = RTSPRequest(
            .setParameter, "rtsp://127.0.0.1/1", contentType: Volume.contentType, body: Volume.full.body)
        #expect(try await controller.ask(full).status == .ok)
        #expect(stage.server.volume == before)
        #expect(try await player.ask(full).status == .ok)
        #expect(stage.server.volume == .full)
    }

    @Test("a returning sender recognizes its own session")
    func ownSession() async throws {
        let stage = try SpeakerStage()
        let sender = try await HandSender(stage.address)
        try await sender.pair()
        _ = try await sender.open(.stage(), try .stage())
        _ = try await sender.ask(.setRateAnchorTime, TakeoverTests.anchor)
        try await stage.sink().set { ($0.isPlaying, $0.bufferedSeconds) = (true, 30) }
        func isInUse(_ sender: IPAddress) -> Bool {
            stage.server.info(for: SocketAddress(sender, port: 1)).statusFlags?.contains(.sessionActive)
                ?? false
        }
        #expect(isInUse(.loopbackV4) && isInUse(IPAddress(192, 0, 2, 1)))
        cut(sender)
        try await stage.waitForEvent("the loss") { if case .senderLost = $0 { true } else { false } }
        #expect(!isInUse(.loopbackV4))
        #expect(isInUse(IPAddress(192, 0, 2, 1)))
    }

    @Test("a session hears only the clocks of its own group")
    func ownClocks() async throws {
        let stage = try SpeakerStage()
        let sender = try await HandSender(stage.address)
        try await sender.pair()
        _ = try await sender.open(.stage(), try .stage())
        #expect(try await sender.ask(.setPeers, PeerList(addresses: ["192.0.2.7"])).status == .ok)
        let description = try #require(stage.descriptions.value.first)
        #expect(description.clock.mapping(of: ClockIdentity(rawValue: 5)) != nil)
        #expect(stage.clock.asked.value.last == [.loopbackV4, IPAddress(192, 0, 2, 7)])
    }

    @Test("a control-only session plays nothing before it takes the speaker, also with a second SETUP")
    func secondSetup() throws {
        var run = try SessionRun.paired()
        var message = SessionSetupRequest.stage(.ptp)
        message.isRemoteControlOnly = true
        _ = run.ask(.setup, message)
        message.isRemoteControlOnly = false
        _ = run.ask(.setup, message)
        let opened = run.others.compactMap { output in
            if case .openSession(let session) = output { session.isRemoteControlOnly } else { nil }
        }
        #expect(opened == [true, false])
    }

    @Test("a sender for which the machine has no port is refused, and the user is told once")
    func noPort() async throws {
        let stage = try SpeakerStage(timingFailure: SystemError(operation: "socket", code: EMFILE))
        for uuid in ["A", "B"] {
            let sender = try await HandSender(stage.address)
            try await sender.pair()
            let answer = try await sender.ask(.setup, SessionSetupRequest.stage(.ntp, uuid: uuid))
            #expect(answer.status == .internalServerError)
        }
        let codes = stage.events.value.compactMap { event in
            if case .warning(let code, _) = event { code } else { nil }
        }
        #expect(codes == ["no-port"])
    }

    @Test("a wrong password gives no access")
    func password() async throws {
        let stage = try SpeakerStage(password: "secret")
        let wrong = try await HandSender(stage.address)
        await #expect(throws: (any Error).self) { try await wrong.pair() }
        #expect(try await wrong.ask(.setup, SessionSetupRequest.stage()).status == .forbidden)
        let right = try await HandSender(stage.address)
        try await right.pair(password: "secret")
        #expect(try await right.ask(.setup, SessionSetupRequest.stage()).status == .ok)
    }
}
