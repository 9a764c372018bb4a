import AirPlayMessages
import AirPlaySender
import MediaTime
import SystemIO
import Testing

@testable import AirPlayReceiver

@Suite("our own sender plays to the speaker")
struct OurSenderTests {
    struct Sender {
        let store = AirPlaySender.PacketStore()
        let group: SpeakerGroup
        static let format = AudioWireFormat.alac44100x16

        init(_ stage: SpeakerStage) {
            let clock = StageSenderClock()
            group = SpeakerGroup(
                targets: [SpeakerTarget(name: "Stage", addresses: [stage.address])], store: store,
                identity: SenderIdentity(name: "Phone", clock: clock.identity), clock: clock)
            group.setFormat(Self.format)
        }

        func fill(_ count: Int) {
            for number in 0..<count {
                let frame = Int64(number * Self.format.framesPerPacket)
                let payload = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 400)
                payload.withUnsafeBytes {
                    store.append(
                        frame: frame, frameCount: Self.format.framesPerPacket, format: Self.format,
                        payload: $0)
                }
            }
        }
    }

    @Test("from the first request to the last: sound, anchor, volume, pause, end")
    func session() async throws {
        let stage = try SpeakerStage()
        let sender = Sender(stage)
        sender.fill(200)
        let starts = SessionRecorder<[HostTime]>([])
        sender.group.start(at: 0, host: nil) { instant in starts.update { $0.append(instant) } }
        _ = try await starts.wait(for: "the start") { $0.first }
        let sink = try await stage.sink()
        let packets = try await sink.log.wait(for: "200 packets") { log in
            let sound = log.packets.filter { $0.payload.count == 400 }
            return sound.count >= 200 ? log.packets : nil
        }
        #expect(packets.allSatisfy { $0.format == .alac44100x16 })
        let sound = packets.filter { $0.payload.count == 400 }
        #expect(sound.prefix(200).map { $0.payload[0] } == (0..<200).map { UInt8($0) })
        for (first, second) in zip(packets, packets.dropFirst()) {
            #expect(second.sequenceNumber == (first.sequenceNumber + 1) & 0x7F_FFFF)
        }
        let timeline = try await sink.log.wait(for: "an anchor") { $0.timelines.first }
        #expect(timeline == StageSenderClock().identity)

        sender.group.setVolume(Volume(decibels: -10))
        _ = try await sink.log.wait(for: "the volume") {
            $0.volumes.contains(Volume(decibels: -10)) ? 1 : nil
        }
        sender.group.stop(at: 1000)
        _ = try await sink.log.wait(for: "silence") { $0.pauses + $0.flushes.count > 0 ? 1 : nil }
        await sender.group.close()
        _ = try await sink.log.wait(for: "the end") { $0.ends == 1 ? 1 : nil }
        try await stage.waitForEvent("the end") { if case .sessionEnded = $0 { true } else { false } }
        let names = stage.events.value.compactMap { event in
            if case .sessionStarted(let sender) = event { sender.name } else { nil }
        }
        #expect(names == ["Phone"])
        let followed = try await stage.clock.followed.wait(for: "the clock") { followed in
            followed.values.allSatisfy { $0 == 0 } ? followed : nil
        }
        #expect(followed.keys.contains(.loopbackV4))
    }

    @Test("a full speaker makes the sender wait, and loses nothing")
    func fullBuffer() async throws {
        let stage = try SpeakerStage(sinkLimit: 64 << 10)
        let sender = Sender(stage)
        sender.fill(2000)
        sender.group.start(at: 0, host: nil) { _ in }
        let sink = try await stage.sink()
        for _ in 0..<2 {
            _ = try await sink.log.wait(for: "a full buffer") { $0.heldBytes > 60 << 10 ? 1 : nil }
            sink.free(32 << 10)
        }
        let log = sink.log.value
        #expect(log.refused == 0)
        for (first, second) in zip(log.packets, log.packets.dropFirst()) {
            #expect(second.sequenceNumber == (first.sequenceNumber + 1) & 0x7F_FFFF)
        }
        await sender.group.close()
    }
}
