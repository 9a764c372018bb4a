import AirPlayMessages
import Testing
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP
import TuttiRTSP
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlayReceiver

/// A stream as pyatv sends it: NTP, PCM, packets over UDP, one of them lost.
@Suite("A realtime stream over loopback", .tags(.machine))
struct RealtimeStreamTests {
    @Test("audio arrives in order, a lost packet is requested, the line comes from sync packets")
    func realtime() async throws {
        let stage = try SpeakerStage()
        let sender = try await HandSender(stage.address)
        try await sender.pair()
        let control = try UDPSocket(at: SocketAddress(.loopbackV4, port: 0))
        var message = try StreamSetupRequest.stage(.realtime)
        (message.audioFormat, message.codec) = (AudioWireFormat.pcm44100x16.mask, 1)
        message.controlPort = control.address.port
        let answer = try await sender.open(.stage(.ntp), message)
        let controlPort = try #require(answer.controlPort)
        let source = try #require(stage.timingSources.value.first)
        #expect(source.peer == SocketAddress(.loopbackV4, port: 6002))

        let requests = Recorder<[RealtimeControlPacket]>([])
        control.notifyWhenReadable(on: SerialQueue(label: "sender's control port")) {
            while (try? control.receive { bytes, _, _ in
                guard let packet = try? RealtimeControlPacket(parsing: bytes) else { return }
                requests.update { $0.append(packet) }
            }) == true {}
        }
        let data = try UDPSocket(at: SocketAddress(.loopbackV4, port: 0))
        var sealer = try RealtimePacketSealer(key: SymmetricKey([UInt8](repeating: 9, count: 32)))
        var sealed: [[UInt8]] = []
        for number in 0..<4 {
            sealed.append(
                try sealer.seal(
                    RealtimePacket(
                        sequenceNumber: UInt16(number), rtpTime: RTPTime(rawValue: UInt32(number * 352)),
                        isFirst: number == 0, payload: [UInt8](repeating: UInt8(number), count: 1408))))
        }
        let sync = RealtimeControlPacket.sync(
            .init(
                isFirst: true, frame: RTPTime(rawValue: 20_000), ntpTime: 9 << 32,
                nextFrame: RTPTime(rawValue: 86_150)))
        try control.send(sync.encoded, to: SocketAddress(.loopbackV4, port: controlPort))
        try data.send(sealed[0].map { ~$0 }, to: SocketAddress(.loopbackV4, port: answer.dataPort))
        for number in [0, 1, 3] {
            try data.send(sealed[number], to: SocketAddress(.loopbackV4, port: answer.dataPort))
        }
        let request = try await requests.wait(for: "a request") { $0.first }
        #expect(request == .resendRequest(.init(first: 2, count: 1)))
        let resent = RealtimeControlPacket.resent(sealed[2])
        try control.send(resent.encoded, to: SocketAddress(.loopbackV4, port: controlPort))

        let sink = try await stage.sink()
        let log = try await sink.log.wait(for: "four packets") { $0.packets.count == 4 ? $0 : nil }
        #expect(log.packets.map(\.sequenceNumber) == [0, 1, 2, 3])
        #expect(log.packets.allSatisfy { $0.format == .pcm44100x16 && $0.payload.count == 1408 })
        #expect(stage.server.sound?.unusableCount == 1)
        let anchor = try await sink.log.wait(for: "the line") { $0.plays.first }
        #expect(anchor.rtpTime == RTPTime(rawValue: 20_000 - 11_025))
        #expect(anchor.networkTime == NetworkTime(nanoseconds: 9_000_000_000))
        let description = try #require(stage.descriptions.value.first)
        #expect(
            description.clock.mapping(of: sink.log.value.timelines[0])?.network == StageTimingSource.start)

        var flush = RTSPRequest(.flush, "rtsp://x/1")
        flush.headers["RTP-Info"] = "seq=4;rtptime=1408"
        #expect(try await sender.ask(flush).status == .ok)
        #expect(sink.log.value.realtimeFlushes == [RTPTime(rawValue: 1408)])
        _ = try await sender.ask(RTSPRequest(.teardown, "rtsp://x/1"))
        _ = try await sink.log.wait(for: "the end") { $0.ends == 1 ? 1 : nil }
        _ = try await source.closes.wait(for: "the end of its clock") { $0 > 0 ? 1 : nil }
    }
}
