import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiRTP
import TuttiRTSP
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlayReceiver

/// A sender of AirPlay 1, driven by hand: control connection and its three UDP ports.
private final class ClassicSender: Sendable {
    let control: HandSender
    let controlPort: UDPSocket
    let data: UDPSocket
    let received = Recorder<[RealtimeControlPacket]>([])
    private let queue = SerialQueue(label: "sender's control port")

    init(_ address: SocketAddress) async throws {
        control = try await HandSender(address)
        controlPort = try UDPSocket(at: SocketAddress(.loopbackV4, port: 0))
        data = try UDPSocket(at: SocketAddress(.loopbackV4, port: 0))
        let (socket, received) = (controlPort, received)
        controlPort.notifyWhenReadable(on: queue) {
            while (try? socket.receive { bytes, _, _ in
                guard let packet = try? RealtimeControlPacket(parsing: bytes) else { return }
                received.update { $0.append(packet) }
            }) == true {}
        }
    }

    deinit { controlPort.stopNotifying() }

    /// Announces, sets up and records; returns the ports of the speaker.
    func open(
        _ stream: StreamAnnouncement = RAOPRun.cd, headers: [String: String] = [:]
    ) async throws -> RealtimeTransport {
        #expect(try await control.ask(RAOPRun.announce(stream)).status == .ok)
        var setUp = RAOPRun.setUp(
            RealtimeTransport(controlPort: controlPort.address.port, timingPort: 7002).headerValue)
        for (name, value) in headers { setUp.headers[name] = value }
        let answer = try await control.ask(setUp)
        #expect(try await control.ask(RTSPRequest(.record, RAOPRun.url)).status == .ok)
        return try #require(RealtimeTransport(headerValue: answer.headers["Transport"] ?? ""))
    }

    static func packet(_ number: Int, bytes: Int = 1408) -> RealtimePacket {
        RealtimePacket(
            sequenceNumber: UInt16(truncatingIfNeeded: number),
            rtpTime: RTPTime(rawValue: UInt32(number * 352)), isFirst: number == 0,
            payload: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: bytes))
    }

    func send(_ packet: [UInt8], to ports: RealtimeTransport) throws {
        try data.send(packet, to: SocketAddress(.loopbackV4, port: ports.dataPort ?? 0))
    }

    func sendControl(_ packet: RealtimeControlPacket, to ports: RealtimeTransport) throws {
        try controlPort.send(packet.encoded, to: SocketAddress(.loopbackV4, port: ports.controlPort))
    }

    static func sync(isFirst: Bool = true, addsLatency: Bool = true) -> RealtimeControlPacket {
        .sync(
            .init(
                isFirst: isFirst, addsLatency: addsLatency, frame: RTPTime(rawValue: 20_000),
                ntpTime: 9 << 32, nextFrame: RTPTime(rawValue: 86_150)))
    }
}

@Suite("An AirPlay 1 sender over loopback", .tags(.machine))
struct RAOPStreamTests {
    @Test(
        "plain audio arrives in order, a lost packet is requested, and plays the latency later than its line")
    func plays() async throws {
        let stage = try SpeakerStage()
        let sender = try await ClassicSender(stage.address)
        let ports = try await sender.open(StreamAnnouncement(.alac(.init()), name: "Den"))
        #expect(ports.timingPort == 6099)
        let source = try #require(stage.timingSources.value.first)
        #expect(source.peer == SocketAddress(.loopbackV4, port: 7002))
        _ = try await source.starts.wait(for: "the first request") { $0 > 0 ? 1 : nil }
        try sender.sendControl(ClassicSender.sync(), to: ports)
        try sender.send([0x80, 0x60, 0, 0, 0, 0], to: ports)
        for number in [0, 1, 3] { try sender.send(ClassicSender.packet(number).plain(), to: ports) }
        let request = try await sender.received.wait(for: "a request") { $0.first }
        #expect(request == .resendRequest(.init(first: 2, count: 1)))
        try sender.sendControl(.resent(ClassicSender.packet(2).plain()), to: ports)

        let sink = try await stage.sink()
        let log = try await sink.log.wait(for: "four packets") { $0.packets.count == 4 ? $0 : nil }
        #expect(log.packets.map(\.sequenceNumber) == [0, 1, 2, 3])
        #expect(log.packets.map { $0.payload.first } == [0, 1, 2, 3])
        #expect(log.packets.allSatisfy { $0.format == .alac44100x16 && $0.payload.count == 1408 })
        #expect(stage.server.sound?.unusableCount == 1)
        let anchor = try await sink.log.wait(for: "the line") { $0.plays.first }
        #expect(anchor.rtpTime == RTPTime(rawValue: 20_000 - 11_025))
        #expect(anchor.networkTime == NetworkTime(nanoseconds: 9_000_000_000))
        #expect(stage.server.sender?.name == "Den")

        #expect(try await sender.control.ask(RAOPRun.flush("seq=4;rtptime=1408")).status == .ok)
        #expect(sink.log.value.realtimeFlushes == [RTPTime(rawValue: 1408)])
        #expect(try await sender.control.ask(RTSPRequest(.teardown, RAOPRun.url)).status == .ok)
        try await sender.control.waitForClose()
        _ = try await sink.log.wait(for: "the end") { $0.ends == 1 ? 1 : nil }
        _ = try await source.closes.wait(for: "the end of its clock") { $0 > 0 ? 1 : nil }
        #expect(stage.server.sender == nil)
        try await stage.waitForEvent("the end") { if case .sessionEnded = $0 { true } else { false } }
    }

    @Test("packets of 4096 frames, which no network frame holds, arrive whole")
    func longPackets() async throws {
        let stage = try SpeakerStage()
        let sender = try await ClassicSender(stage.address)
        let ports = try await sender.open(StreamAnnouncement(.alac(.init(framesPerPacket: 4096))))
        try sender.send(ClassicSender.packet(0, bytes: 4096 * 4 + 8).plain(), to: ports)
        let sink = try await stage.sink()
        let packet = try await sink.log.wait(for: "a packet") { $0.packets.first }
        #expect(packet.payload.count == 4096 * 4 + 8 && packet.format.framesPerPacket == 4096)
    }

    @Test("a sync packet without the latency's mark is followed as it is")
    func withoutLatency() async throws {
        let stage = try SpeakerStage()
        let sender = try await ClassicSender(stage.address)
        let ports = try await sender.open()
        try sender.sendControl(ClassicSender.sync(addsLatency: false), to: ports)
        let sink = try await stage.sink()
        let anchor = try await sink.log.wait(for: "the line") { $0.plays.first }
        #expect(anchor.rtpTime == RTPTime(rawValue: 20_000))
    }

    @Test(
        "each kind of sender takes the speaker from the other, and is told by DACP that it is lost and free")
    func takeover() async throws {
        let stage = try SpeakerStage()
        let classic = try await ClassicSender(stage.address)
        _ = try await classic.open(headers: ["DACP-ID": "AB", "Active-Remote": "11"])
        let modern = try await HandSender(stage.address)
        try await modern.pair()
        _ = try await modern.open(.stage(), try .stage())
        try await classic.control.waitForClose()
        _ = try await stage.displaced.wait(for: "the word of it") { $0.count == 1 ? 1 : nil }
        #expect(stage.displaced.value[0] == ("11", true))
        #expect(stage.sinks.value[0].log.value.ends == 1)

        let third = try await ClassicSender(stage.address)
        _ = try await third.open(headers: ["DACP-ID": "CD", "Active-Remote": "22"])
        try await modern.waitForClose()
        #expect(stage.server.sender?.remote?.token == "22")
        #expect(try await third.control.ask(RTSPRequest(.teardown, RAOPRun.url)).status == .ok)
        try await third.control.waitForClose()
        #expect(stage.server.sender == nil)
    }

    @Test("buttons and the speaker's own volume go to the sender by DACP")
    func buttons() async throws {
        let stage = try SpeakerStage()
        let sender = try await ClassicSender(stage.address)
        _ = try await sender.open(headers: ["DACP-ID": "AB", "Active-Remote": "11"])
        for button in [MediaRemoteCommand.play, .pause, .nextItem, .previousItem] {
            stage.server.press(button)
        }
        stage.server.press(MediaRemoteCommand(rawValue: "what"))
        stage.server.setVolume(Volume(decibels: -3))
        #expect(
            stage.commands.value.map(\.command) == [
                .play, .pause, .nextItem, .previousItem, .volume(Volume(decibels: -3)),
            ])
        #expect(stage.commands.value.allSatisfy { $0.token == "11" })
    }

    @Test("a sender that vanishes while it plays is let go after a minute, one that has paused after three")
    func vanishes() async throws {
        let stage = try SpeakerStage()
        let limits = SpeakerStage.limits
        for (pauses, limit) in [(false, limits.silentSession), (true, limits.silentPausedSession)] {
            let sender = try await ClassicSender(stage.address)
            _ = try await sender.open()
            if pauses { #expect(try await sender.control.ask(RAOPRun.flush()).status == .ok) }
            stage.server.performMaintenance(at: SystemClock.now.advanced(by: limit - .seconds(100)))
            #expect(stage.server.sender != nil)
            stage.server.performMaintenance(at: SystemClock.now.advanced(by: limit + .seconds(1)))
            try await sender.control.waitForClose()
            #expect(stage.server.sender == nil)
        }
    }

    @Test("strangers' datagrams, truncated packets and floods of resent ones do no harm")
    func hostile() async throws {
        let stage = try SpeakerStage()
        let sender = try await ClassicSender(stage.address)
        let ports = try await sender.open(StreamAnnouncement(.pcm(sampleRate: 44_100, channelCount: 2)))
        let good = ClassicSender.packet(0).plain()
        for count in 0...20 { try sender.send(Array(good.prefix(count)), to: ports) }
        var control = SystemRandomNumberGenerator()
        for length in [0, 1, 3, 4, 5, 16, 20, 40, 2000] {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &control) }
            try sender.send(bytes, to: ports)
            for kind in [UInt8(0xD4), 0xD5, 0xD6, 0xD7] {
                try sender.controlPort.send(
                    [0x90, kind] + bytes, to: SocketAddress(.loopbackV4, port: ports.controlPort))
            }
        }
        try sender.sendControl(.resent([]), to: ports)
        // Numbers and times that jump as far as they can.
        for number in [0x7FFF, 0xFFFF, 0, 0x8000, 1] {
            try sender.send(ClassicSender.packet(number, bytes: 4).plain(), to: ports)
        }
        #expect(try await sender.control.ask(RTSPRequest(.post, "/feedback")).status == .ok)
        #expect(stage.server.sender != nil)
        #expect(try await sender.control.ask(RTSPRequest(.teardown, RAOPRun.url)).status == .ok)
    }

    @Test("a flood of announcements is slowed down as one of pairings is")
    func flood() async throws {
        let stage = try SpeakerStage()
        let sender = try await HandSender(stage.address)
        var statuses: [RTSPStatus] = []
        for _ in 0..<60 { statuses.append(try await sender.ask(RAOPRun.announce()).status) }
        #expect(statuses.prefix(8).allSatisfy { $0 == .ok })
        #expect(statuses.contains(.notEnoughBandwidth))
    }

    @Test("a stranger of AirPlay 1 may send little")
    func limits() async throws {
        let stage = try SpeakerStage()
        let sender = try await HandSender(stage.address)
        var request = RAOPRun.announce()
        request.body += [UInt8](repeating: 0x0A, count: 9000)
        await #expect(throws: HandSender.Closed.self) { try await sender.ask(request) }
        // In a session pictures are allowed, but not more.
        let second = try await ClassicSender(stage.address)
        _ = try await second.open()
        let picture = RTSPRequest(
            .setParameter, RAOPRun.url, contentType: "image/jpeg",
            body: [UInt8](repeating: 0xFF, count: 100_000))
        #expect(try await second.control.ask(picture).status == .ok)
    }
}
