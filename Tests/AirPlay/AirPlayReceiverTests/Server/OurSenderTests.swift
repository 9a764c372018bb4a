import AirPlayMessages
import Testing
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlayReceiver
@testable import AirPlaySender

@Suite("Our sender plays to the speaker", .tags(.machine))
struct OurSenderTests {
    struct Sender {
        let store = AirPlaySender.PacketStore()
        let group: SpeakerGroup
        static let format = AudioWireFormat.alac44100x16

        init(
            _ stage: SpeakerStage, clock: StageSenderClock = StageSenderClock(),
            override: SessionChoice.Override = SessionChoice.Override()
        ) {
            var target = SpeakerTarget(name: "Stage", addresses: [stage.address])
            target.override = override
            group = SpeakerGroup(
                targets: [target], store: store,
                identity: SenderIdentity(name: "Phone", clock: clock.identity), clock: clock,
                machine: SystemMachine())
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

    @Test("a whole session works: audio, anchor, volume, pause, end")
    func session() async throws {
        let stage = try SpeakerStage()
        let sender = Sender(stage)
        sender.fill(200)
        let starts = Recorder<[HostTime]>([])
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

    @Test("a speaker that leads gets a realtime stream on its own clock, once that is known")
    func leads() async throws {
        let (stage, clock) = (try SpeakerStage(), StageSenderClock())
        let sender = Sender(stage, clock: clock, override: SessionChoice.Override(clock: .theirs))
        sender.fill(2000)
        let starts = Recorder<[HostTime]>([])
        sender.group.start(at: 0, host: nil) { instant in starts.update { $0.append(instant) } }
        _ = try await clock.yielded.wait(for: "the speaker to lead") { $0[.loopbackV4] == 1 ? 1 : nil }
        let sink = try await stage.sink()
        // The speaker's clock becomes known, and then good enough: only then the start is planned.
        let identity = ClockIdentity(rawValue: 0x27)
        let ahead: Int64 = 5_000_000_000_000
        let now = SystemClock.now
        var leader = LeaderClock(
            identity: identity,
            mapping: ClockMapping(
                host: now, network: NetworkTime(nanoseconds: now.nanoseconds + ahead), rateRatio: 1 + 40e-6),
            lastHeard: now)
        clock.leader.withLock { $0 = leader }
        #expect(starts.value.isEmpty && sink.log.value.plays.isEmpty)
        let settled = SystemClock.now
        leader.settledSince = settled
        clock.leader.withLock { [leader] in $0 = leader }

        let start = try await starts.wait(for: "the start") { $0.first }
        #expect(start > settled)
        let anchor = try await sink.log.wait(for: "the line") { $0.plays.first }
        #expect(sink.log.value.timelines.first == identity)
        let first = try await sink.log.wait(for: "sound") { log in
            log.packets.first { $0.payload.count == 400 && $0.payload[0] == 0 }
        }
        let heard = AnchoredTimeline(anchor: anchor, sampleRate: .hz44100).networkTime(of: first.rtpTime)
        #expect(abs(heard.nanoseconds - leader.mapping.networkTime(at: start).nanoseconds) < 100_000)

        let chosen = await sender.group.members.first?.choice
        #expect(chosen?.clock == .theirs && chosen?.stream == .realtime)
        await sender.group.close()
        _ = try await clock.yielded.wait(for: "the end") { $0[.loopbackV4] == 0 ? 1 : nil }
    }

    /// Makes the sender believe that its connection is dead, as an old kernel's TCP does after a cut.
    private static func interrupt(_ group: SpeakerGroup) async throws -> any SpeakerSession {
        let session = try #require(await group.members.first?.session)
        session.detach(SpeakerFailure(.silent, "cut"))
        return session
    }

    @Test(
        "a dead connection is replaced: playback continues without a new anchor and without a gap")
    func secondConnection() async throws {
        let stage = try SpeakerStage()
        let sender = Sender(stage)
        let sink = try await stage.sink()
        // The speaker reads slowly, so that some bytes are in flight and some unsent when it happens.
        sink.occupy((1 << 20) - (24 << 10))
        sender.fill(2000)
        // The anchor is ahead, so that no audio becomes too late to be sent.
        sender.group.start(at: 0, host: SystemClock.now.advanced(by: .seconds(600))) { _ in }
        _ = try await sink.log.wait(for: "a full buffer") { $0.heldBytes > (1 << 20) - 1000 ? 1 : nil }
        // The anchor has been answered.
        for await event in sender.group.events {
            if case .state(_, .playing) = event { break }
        }
        let old = try await Self.interrupt(sender.group)
        try await stage.waitForEvent("the return") { if case .senderReturned = $0 { true } else { false } }
        for await event in sender.group.events {
            if case .warning(_, "answers-again", _) = event { break }
        }
        sink.free(1 << 20)
        _ = try await sink.log.wait(for: "all of it") { $0.packets.count >= 2000 ? 1 : nil }
        let session = try #require(await sender.group.members.first?.session)
        #expect(session !== old && session.traits.hasResumed)
        let log = sink.log.value
        #expect(log.timelines.count == 1 && log.flushes.isEmpty && log.pauses == 0 && log.ends == 0)
        let sound = log.packets.filter { $0.payload.count == 400 }
        #expect(sound.count == 2000)
        let isInOrder = sound.map { $0.payload[0] } == (0..<2000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(isInOrder)
        for (first, second) in zip(sound, sound.dropFirst()) {
            #expect(second.rtpTime.frames(since: first.rtpTime) == 352)
            #expect((second.sequenceNumber &- first.sequenceNumber) & 0x7F_FFFF < 2500)
        }
        await sender.group.close()
        _ = try await sink.log.wait(for: "the end") { $0.ends == 1 ? 1 : nil }
    }

    @Test("a session displaced by another sender does not take the speaker back")
    func noReturn() async throws {
        let stage = try SpeakerStage(sinkLimit: 64 << 10)
        let sender = Sender(stage)
        sender.fill(2000)
        sender.group.start(at: 0, host: nil) { _ in }
        let sink = try await stage.sink()
        _ = try await sink.log.wait(for: "an anchor") { $0.timelines.first }
        for await event in sender.group.events {
            if case .state(_, .playing) = event { break }
        }
        let other = Sender(stage)
        other.fill(200)
        other.group.start(at: 0, host: nil) { _ in }
        try await stage.waitForEvent("the other") { if case .sessionEnded = $0 { true } else { false } }
        for await event in sender.group.events {
            if case .state(_, .lost) = event { break }
        }
        #expect(await sender.group.members.first?.interrupted == nil)
        // The old session's end is reported before the new one's start.
        try await stage.waitForEvent("both starts", times: 2) {
            if case .sessionStarted = $0 { true } else { false }
        }
        let started = stage.events.value.filter { if case .sessionStarted = $0 { true } else { false } }
        #expect(started.count == 2)
        // The speaker also learns the sender's remote control address, and the sender that the speaker is free again.
        let token = String(await sender.group.identity.activeRemote)
        #expect(stage.displaced.value.map(\.token) == [token])
        await sender.group.close()
        await other.group.close()
        let told = try await stage.displaced.wait(for: "the release") { $0.count > 1 ? $0 : nil }
        #expect(told.map(\.token) == [token, token] && told.map(\.isDisplaced) == [true, false])
    }

    @Test("a displaced sender stays away when the speaker is free, and takes it when the user plays")
    func displaced() async throws {
        let stage = try SpeakerStage(sinkLimit: 64 << 10)
        let sender = Sender(stage)
        sender.fill(2000)
        sender.group.start(at: 0, host: nil) { _ in }
        for await event in sender.group.events {
            if case .state(_, .playing) = event { break }
        }
        let other = Sender(stage)
        other.fill(200)
        other.group.start(at: 0, host: nil) { _ in }
        for await event in sender.group.events {
            if case .state(_, .lost(let failure)) = event, failure.code == .busy { break }
        }
        #expect(await sender.group.members.first?.waitsForRecall == true)
        await other.group.close()
        try await stage.waitForEvent("both ends", times: 2) {
            if case .sessionEnded = $0 { true } else { false }
        }
        #expect(await sender.group.members.first?.waitsForRecall == true)
        sender.group.stop(at: 1000)
        sender.group.start(at: 1000, host: nil) { _ in }
        try await stage.waitForEvent("the return", times: 3) {
            if case .sessionStarted = $0 { true } else { false }
        }
        #expect(await sender.group.members.first?.waitsForRecall == false)
        await sender.group.close()
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
