import AirPlayMessages
import HomeKitPairing
import Testing
import TuttiRTSP
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlaySender

@Suite("Opening a session", .timeLimit(.minutes(10)), .tags(.machine))
struct HandshakeTests {
    private static let order: [Step] = [
        .info, .pairSetup, .pairSetup, .setUpSession, .record, .setPeers, .setUpStream,
    ]

    @Test("the requests have the one order that every receiver accepts")
    func order() async throws {
        // The fake receiver answers RECORD only after the event connection is open.
        let stage = try Stage(.standard)
        try await stage.wait(for: .waitingForClock)
        let log = try await stage.receiver.log.wait(for: "an event answer") {
            $0.eventAnswers.isEmpty || $0.dataConnections == 0 ? nil : $0
        }
        #expect(log.steps == Self.order)
        #expect(log.controlConnections == 1 && log.eventConnections == 1 && log.dataConnections == 1)
        #expect(log.complaints.isEmpty)
        await stage.group.close()
    }

    @Test("requests name the sender, pairing requests their kind, and only encrypted ones the secret ids")
    func headers() async throws {
        let stage = try Stage(.standard)
        try await stage.wait(for: .waitingForClock)
        for entry in stage.receiver.log.value.entries {
            let headers = entry.request.headers
            #expect(headers["User-Agent"] == SenderIdentity.userAgent)
            #expect(headers["X-Apple-Client-Name"] == "Stage")
            // The ids that give access to our remote control are sent only encrypted.
            let isSecret = entry.step != .info && entry.step != .pairSetup
            #expect(headers["DACP-ID"] == (isSecret ? "020000FFFE000042" : nil))
            #expect(headers["Client-Instance"] == (isSecret ? "020000FFFE000042" : nil))
            #expect((headers["Active-Remote"].flatMap { UInt32($0) } != nil) == isSecret)
            #expect(headers["CSeq"] != nil)
            #expect((headers["X-Apple-HKP"] == "4") == (entry.step == .pairSetup))
            #expect((headers["Content-Type"] != nil) == !entry.request.body.isEmpty)
        }
        await stage.group.close()
    }

    @Test("the session SETUP offers our clock, and SETPEERS names both addresses")
    func sessionSetup() async throws {
        let stage = try Stage(.standard)
        try await stage.wait(for: .waitingForClock)
        let log = stage.receiver.log.value
        let setup = try SessionSetupRequest(body: log.entries(.setUpSession)[0].request.body)
        #expect(setup.timingProtocol == .ptp)
        #expect(setup.timingPeerInfo?.clockIdentity == stage.clock.identity)
        #expect(setup.timingPeerInfo?.addresses == ["127.0.0.1"])
        #expect(setup.timingPeerList.count == 1)
        #expect(setup.deviceID == "00:FF:FE:00:00:42")
        #expect(setup.groupContainsGroupLeader == false)
        let peers = try PeerList(body: log.entries(.setPeers)[0].request.body)
        #expect(peers.addresses == ["127.0.0.1", "127.0.0.1"])
        let targets = Set(log.entries.dropFirst(3).map(\.request.target))
        #expect(targets.count == 1)
        #expect(targets.first?.hasPrefix("rtsp://127.0.0.1/") == true)
        await stage.group.close()
    }

    @Test("the stream SETUP names the format, a key and no latency", arguments: [false, true])
    func streamSetup(isAAC: Bool) async throws {
        let format = isAAC ? AudioWireFormat.aac44100 : .alac44100x16
        let stage = Stage([try FakeReceiver()], format: format)
        try await stage.wait(for: .waitingForClock)
        let body = stage.receiver.log.value.entries(.setUpStream)[0].request.body
        let setup = try StreamSetupRequest(body: body)
        #expect(setup.kind == .buffered && setup.format == format)
        #expect(setup.codec == (isAAC ? 4 : 2) && setup.framesPerPacket == (isAAC ? 1024 : 352))
        #expect(setup.key != nil)
        let fields = try #require(try PropertyList(parsing: body)["streams"]?.arrayValue?.first)
        #expect(fields["shk"]?.dataValue?.count == 32)
        #expect(fields["latencyMin"] == nil && fields["latencyMax"] == nil)
        await stage.group.close()
    }

    @Test("the clock adds the speaker, measures its path again, restarts serving it, and removes it")
    func clock() async throws {
        let stage = try Stage(.standard)
        try await stage.wait(for: .waitingForClock)
        let peer = IPAddress.loopbackV4
        #expect(
            stage.clock.calls == [
                .add(peer), .behaves(.shairportSync, peer), .measured(peer), .measured(peer),
                .restartServing(peer),
            ])
        await stage.group.close()
        #expect(stage.clock.calls.last == .remove(peer))
    }

    @Test("no stream is opened before its format is known")
    func waitsForFormat() async throws {
        let stage = Stage([try FakeReceiver()], setsFormat: false)
        _ = try await stage.receiver.wait(for: .setPeers)
        let receivers = await stage.group.receivers(patience: .seconds(20))
        #expect(receivers.map(\.family) == [.shairportSync])
        #expect(stage.receiver.log.value.count(.setUpStream) == 0)
        stage.group.setFormat(.aac44100)
        let entry = try await stage.receiver.wait(for: .setUpStream)
        #expect(try StreamSetupRequest(body: entry.request.body).format == .aac44100)
        await stage.group.close()
    }

    @Test("requests of the speaker are forwarded as commands, and answered with a bare 200")
    func events() async throws {
        let stage = try Stage(.standard)
        try await stage.wait(for: .waitingForClock)
        stage.receiver.press(.mediaRemote(.nextItem))
        let commands = try await stage.events.wait(for: "a button") { events in
            let commands = events.compactMap { event in
                if case .command("Kitchen", let command) = event { command } else { nil }
            }
            return commands.count == 2 ? commands : nil
        }
        #expect(commands == [.updateInfo(stage.receiver.info), .mediaRemote(.nextItem)])
        let answers = try await stage.receiver.log.wait(for: "two answers") {
            $0.eventAnswers.count == 2 ? $0.eventAnswers : nil
        }
        for answer in answers {
            #expect(answer.status == .ok && answer.body.isEmpty)
            #expect(answer.headers["Content-Length"] == nil)
        }
        await stage.group.close()
    }

    @Test("closing a session pauses and flushes the speaker, then sends both TEARDOWNs")
    func close() async throws {
        let stage = try Stage(.standard)
        stage.fill(10)
        try await stage.wait(for: .waitingForClock)
        stage.start()
        _ = try await stage.receiver.waitForPackets(10)
        _ = try await stage.receiver.wait(for: .anchor)
        try await stage.wait(for: .playing)
        await stage.group.close()
        let log = stage.receiver.log.value
        // The check whether the speaker follows the clock may come in between.
        let steps = log.steps.filter { $0 != .feedback }
        #expect(steps.suffix(4) == [.pause, .flush, .tearDownStream, .tearDownSession])
        let last = try #require(log.packets.last)
        let flush = try #require(log.entries(.flush).last?.flush)
        #expect(flush.until.sequenceNumber == (last.sequence + 1) & 0x7F_FFFF)
        try await stage.wait(for: .closed)
    }
}
