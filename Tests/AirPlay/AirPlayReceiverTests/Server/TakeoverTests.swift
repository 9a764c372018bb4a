import AirPlayMessages
import Testing
import TuttiCryptography
import TuttiMediaTime
import TuttiRTP
import TuttiRTSP
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlayReceiver

@Suite("Taking over the speaker", .tags(.machine))
struct TakeoverTests {
    /// Returns packets `numbers` of a stream, sealed.
    static func packets(_ numbers: Range<Int>, key: UInt8 = 9) throws -> [UInt8] {
        var sealer = try BufferedPacketSealer(
            key: SymmetricKey([UInt8](repeating: key, count: 32)), style: .formatCode23)
        var bytes: [UInt8] = []
        for number in numbers {
            var output = [UInt8](repeating: 0, count: 200)
            let payload = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 100)
            let count = try output.withUnsafeMutableBytes { output in
                try payload.withUnsafeBytes { payload in
                    try sealer.seal(
                        payload: payload, sequence: SequenceNumber(truncating: UInt32(number)),
                        rtpTime: RTPTime(rawValue: UInt32(number * 352)),
                        formatCode: AudioWireFormat.alac44100x16.formatCode, into: output)
                }
            }
            bytes += output[..<count]
        }
        return bytes
    }

    static func connectData(_ stage: SpeakerStage, _ port: UInt16) async throws -> TCPConnection {
        let connection = try await TCPConnection.connect(
            to: SocketAddress(stage.address.address, port: port), from: nil, options: TCPOptions(),
            timeout: .seconds(60))
        connection.start(onBytes: { _ in }, onClose: { _ in })
        return connection
    }

    static let anchor = RateAnchor.play(
        Anchor(rtpTime: RTPTime(rawValue: 0), networkTime: NetworkTime(nanoseconds: 5)),
        on: ClockIdentity(rawValue: 1))

    @Test("a second sender takes the speaker; the first one's connections are closed")
    func takeover() async throws {
        let stage = try SpeakerStage()
        let first = try await HandSender(stage.address)
        try await first.pair()
        _ = try await first.open(.stage(uuid: "A"), try .stage())
        _ = try await first.ask(.setRateAnchorTime, Self.anchor)
        let second = try await HandSender(stage.address)
        try await second.pair()
        let answer = try await second.open(.stage(uuid: "B"), try .stage(key: 3))
        #expect(answer.audioBufferSize == 1 << 20)
        try await first.waitForClose()
        let (old, new) = (try await stage.sink(1), try await stage.sink(2))
        #expect(old.log.value.ends == 1)
        #expect(new.log.value.ends == 0)
        let data = try await Self.connectData(stage, answer.dataPort)
        data.send(try Self.packets(0..<10, key: 3))
        _ = try await new.log.wait(for: "sound") { $0.packets.count == 10 ? 1 : nil }
    }

    @Test("remote control does not take the speaker")
    func remoteControl() async throws {
        let stage = try SpeakerStage()
        let player = try await HandSender(stage.address)
        try await player.pair()
        _ = try await player.open(.stage(), try .stage())
        let remote = try await HandSender(stage.address)
        try await remote.pair()
        let answer = try await remote.open(.stage(.noClock, uuid: "R"), try .stage(.remoteControl))
        #expect(answer.kind == .remoteControl)
        #expect(try await player.ask(.setRateAnchorTime, Self.anchor).status == .ok)
        #expect(try await stage.sink().log.value.ends == 0)
    }

    @Test("a second connection of the same session continues the audio")
    func continuation() async throws {
        let stage = try SpeakerStage()
        let first = try await HandSender(stage.address)
        try await first.pair()
        let answer = try await first.open(.stage(), try .stage())
        #expect(answer.continuesAt == nil)
        _ = try await first.ask(.setRateAnchorTime, Self.anchor)
        let data = try await Self.connectData(stage, answer.dataPort)
        let sink = try await stage.sink()
        // The last packet is cut in the middle.
        data.send(Array(try Self.packets(0..<6).dropLast(30)))
        _ = try await sink.log.wait(for: "five packets") { $0.packets.count == 5 ? 1 : nil }

        let second = try await HandSender(stage.address)
        try await second.pair()
        let again = try await second.open(.stage(), try .stage())
        #expect(again.continuesAt == 5)
        try await first.waitForClose()
        let moreData = try await Self.connectData(stage, again.dataPort)
        moreData.send(try Self.packets(5..<9))
        let numbers = try await sink.log.wait(for: "nine packets") { log in
            log.packets.count >= 9 ? log.packets.map(\.sequenceNumber) : nil
        }
        #expect(numbers == Array(0..<9))
        #expect(stage.sinks.value.count == 1)
        #expect(sink.log.value.ends == 0)
        #expect(sink.log.value.plays.count == 1)
        // The stream is the same in every way: pause works, and so does its end.
        _ = try await second.ask(.setRateAnchorTime, RateAnchor.pause)
        #expect(sink.log.value.pauses == 1)
        _ = try await second.ask(.teardown, Teardown.session)
        _ = try await sink.log.wait(for: "the end") { $0.ends == 1 ? 1 : nil }
    }

    @Test("the speaker reads as fast as there is room, and every packet arrives once")
    func lineSpeed() async throws {
        let stage = try SpeakerStage(sinkLimit: 32 << 10)
        let sender = try await HandSender(stage.address)
        try await sender.pair()
        let answer = try await sender.open(.stage(), try .stage())
        #expect(answer.audioBufferSize == 32 << 10)
        let data = try await Self.connectData(stage, answer.dataPort)
        data.send(try Self.packets(0..<20_000))
        let sink = try await stage.sink()
        var freed = 0
        while freed < 20_000 * 138 {
            let step = min(24 << 10, 20_000 * 138 - freed)
            _ = try await sink.log.wait(for: "\(step) bytes") { $0.heldBytes >= step ? 1 : nil }
            sink.free(step)
            freed += step
        }
        let log = sink.log.value
        #expect(log.packets.map(\.sequenceNumber) == Array(0..<20_000))
        #expect(log.refused == 0)
    }

    @Test("a peer without the session key starts a new session")
    func wrongProof() async throws {
        let stage = try SpeakerStage()
        let first = try await HandSender(stage.address)
        try await first.pair()
        _ = try await first.open(.stage(), try .stage())
        let second = try await HandSender(stage.address)
        try await second.pair()
        let answer = try await second.open(.stage(), try .stage(key: 1))
        #expect(answer.continuesAt == nil)
        let sinks = stage.sinks.value
        #expect(sinks.count == 2)
        #expect(sinks[0].log.value.ends == 1)
    }

    @Test("a session cut before any audio starts anew")
    func nothingToContinue() async throws {
        let stage = try SpeakerStage()
        let first = try await HandSender(stage.address)
        try await first.pair()
        _ = try await first.open(.stage(), try .stage())
        let second = try await HandSender(stage.address)
        try await second.pair()
        #expect(try await second.open(.stage(), try .stage()).continuesAt == nil)
        #expect(stage.sinks.value.map { $0.log.value.ends } == [1, 0])
    }

    @Test("a sender that closes its connection ends its audio")
    func orderlyEnd() async throws {
        let stage = try SpeakerStage()
        let sender = try await HandSender(stage.address)
        try await sender.pair()
        _ = try await sender.open(.stage(), try .stage())
        sender.connection.close()
        let sink = try await stage.sink()
        _ = try await sink.log.wait(for: "the end") { $0.ends == 1 ? 1 : nil }
    }

    @Test("a volume change on the speaker is sent to the sender")
    func ownVolume() async throws {
        let stage = try SpeakerStage()
        let sender = try await HandSender(stage.address)
        try await sender.pair()
        _ = try await sender.open(.stage(), try .stage())
        stage.server.setVolume(Volume(decibels: -5))
        let sink = try await stage.sink()
        #expect(sink.log.value.volumes.last == Volume(decibels: -5))
        let answer = try await sender.ask(RTSPRequest(.getParameter, "rtsp://x/1", body: Volume.query))
        #expect(try Volume(body: answer.body) == Volume(decibels: -5))
    }
}
