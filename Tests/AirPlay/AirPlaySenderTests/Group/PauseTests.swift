import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlaySender

@Suite("Audio that a stopped speaker holds", .timeLimit(.minutes(10)), .tags(.machine))
struct PauseTests {
    /// A time so far ahead that nothing plays during a test.
    private static var later: HostTime { SystemClock.now.advanced(by: .seconds(3600)) }

    private static var timing: SenderTiming {
        var timing = Stage.timing
        timing.refillDelay = .zero
        return timing
    }

    /// Returns a stage with a playing speaker that holds 200 packets.
    private static func playing(
        _ situation: FakeReceiver.Situation, timing: SenderTiming = PauseTests.timing
    ) async throws -> Stage {
        let stage = Stage([try FakeReceiver(situation)], timing: timing)
        stage.setSilence()
        stage.fill(200)
        try await stage.wait(for: .waitingForClock)
        stage.start(host: later)
        _ = try await stage.receiver.waitForPackets(202)
        try await stage.wait(for: .playing)
        return stage
    }

    private static let paused: Int64 = 352 * 20

    private static func pause(_ stage: Stage) async throws {
        stage.group.stop(at: paused)
        try await stage.wait(for: .ready)
    }

    private static func ahead(_ stage: Stage) async -> Double? {
        await stage.group.depths().first?.secondsAhead
    }

    @Test("a speaker that keeps its audio gets only a new anchor when it resumes")
    func kept() async throws {
        let stage = try await Self.playing(.fast)
        try await Self.pause(stage)
        let depth = try #require(await Self.ahead(stage))
        #expect(abs(depth - Double(352 * 180) / 44_100) < 0.001)
        stage.start(at: Self.paused, host: Self.later)
        let anchor = try #require(try await stage.receiver.wait(for: .anchor, times: 2).anchor)
        try await stage.wait(for: .playing, times: 2)
        await stage.group.waitForFilledStreams()
        let log = stage.receiver.log.value
        #expect(log.steps.filter { $0 != .metadata }.suffix(3) == [.anchor, .pause, .anchor])
        #expect(log.packets.count == 202)
        #expect(log.packets.first { $0.rtpTime == anchor.rtpTime }?.frame == Self.paused)
        #expect(await Self.ahead(stage) == depth)
        await stage.group.close()
    }

    @Test(
        "a stop returns the frame at which the speaker says that its sound ended",
        arguments: [nil, 300] as [Int64?])
    func soundEnd(frames: Int64?) async throws {
        let stage = try await Self.playing(.fast)
        let first = try #require(stage.receiver.log.value.packets.first { $0.frame == 0 })
        stage.receiver.change { $0.soundEnd = frames.map { first.rtpTime.advanced(by: $0) } }
        let session = try #require(await stage.group.members.first?.session)
        #expect(try await session.stop() == frames)
        // A silent speaker is not asked.
        #expect(try await session.stop() == nil)
        await stage.group.close()
    }

    @Test("a stopped speaker still receives packets")
    func filledWhileStopped() async throws {
        let stage = try await Self.playing(.fast)
        try await Self.pause(stage)
        let depth = try #require(await Self.ahead(stage))
        stage.fill(100, from: 352 * 200)
        let packets = try await stage.receiver.waitForPackets(302)
        #expect(packets.compactMap(\.frame) == (0..<300).map { Int64($0) * 352 })
        let grown = try #require(await Self.ahead(stage))
        #expect(abs(grown - depth - Double(352 * 100) / 44_100) < 0.001)
        await stage.group.close()
    }

    @Test("the group's first start, with a stop right behind it, fills the speakers")
    func stoppedAtOnce() async throws {
        let stage = Stage([try FakeReceiver(.fast)], timing: Self.timing)
        stage.setSilence()
        stage.fill(200)
        try await stage.wait(for: .waitingForClock)
        await stage.group.together {
            stage.start(host: Self.later)
            stage.group.stop(at: Self.paused)
        }
        let packets = try await stage.receiver.waitForPackets(180)
        #expect(packets.suffix(180).compactMap(\.frame) == (20..<200).map { Int64($0) * 352 })
        stage.start(at: Self.paused, host: Self.later)
        try await stage.wait(for: .playing)
        await stage.group.close()
    }

    @Test("shairport-sync, which discards decoded audio, is refilled during a pause")
    func refilled() async throws {
        let stage = try await Self.playing(.standard)
        let old = stage.receiver.log.value.packets
        try await Self.pause(stage)
        let all = try await stage.receiver.waitForPackets(202 + 182)
        let new = Array(all[202...])
        #expect(new.map(\.frame) == [nil, nil] + (20..<200).map { Int64($0) * 352 })
        let flush = try #require(try await stage.receiver.wait(for: .flush).flush)
        #expect(flush.isImmediate)
        #expect(flush.until.sequenceNumber == new[0].sequence)
        #expect(new[0].sequence == old[201].sequence + 1)
        let depth = try #require(await Self.ahead(stage))
        #expect(abs(depth - Double(352 * 180) / 44_100) < 0.001)
        // The speaker holds all it needs, so the start sends only an anchor.
        stage.start(at: Self.paused, host: Self.later)
        let anchor = try #require(try await stage.receiver.wait(for: .anchor, times: 2).anchor)
        try await stage.wait(for: .playing, times: 2)
        await stage.group.waitForFilledStreams()
        let log = stage.receiver.log.value
        #expect(
            log.steps.filter { $0 != .metadata }.suffix(4) == [.anchor, .pause, .flush, .anchor])
        #expect(log.packets.count == 202 + 182)
        #expect(new[2].rtpTime == anchor.rtpTime)
        await stage.group.close()
    }

    @Test("an immediate resume flushes and refills the speaker only once")
    func resumedAtOnce() async throws {
        var timing = Self.timing
        timing.refillDelay = .seconds(3600)
        let stage = try await Self.playing(.standard, timing: timing)
        try await Self.pause(stage)
        #expect(stage.receiver.log.value.count(.flush) == 0)
        stage.start(at: Self.paused, host: Self.later)
        try await stage.wait(for: .playing, times: 2)
        _ = try await stage.receiver.waitForPackets(202 + 182)
        #expect(stage.receiver.log.value.count(.flush) == 1)
        await stage.group.close()
    }

    @Test("a speaker that answers a stop late is refilled, because it may have dropped audio")
    func lateStop() async throws {
        var timing = Self.timing
        timing.stopLimit = .zero
        let stage = try await Self.playing(.fast, timing: timing)
        try await Self.pause(stage)
        _ = try await stage.receiver.wait(for: .flush)
        _ = try await stage.receiver.waitForPackets(202 + 182)
        await stage.group.close()
    }

    @Test("a speaker that has not answered its anchor before a stop is refilled")
    func stoppedInStart() async throws {
        let stage = Stage([try FakeReceiver(.holds(.anchor))], timing: Self.timing)
        stage.setSilence()
        stage.fill(200)
        try await stage.wait(for: .waitingForClock)
        stage.start(host: Self.later)
        _ = try await stage.receiver.waitForPackets(202)
        _ = try await stage.receiver.wait(for: .anchor)
        stage.group.stop(at: 0)
        await stage.group.waitForStop()
        stage.receiver.release(.anchor)
        _ = try await stage.receiver.wait(for: .flush)
        _ = try await stage.receiver.waitForPackets(202 + 202)
        await stage.group.close()
    }

    @Test("a start at a frame that the stopped speaker holds needs no flush, unlike any other frame")
    func seeks() async throws {
        for (frame, flushes) in [(Int64(352 * 150), 0), (352 * 10, 0), (-352, 1), (352 * 2000, 1)] {
            let stage = try await Self.playing(.fast)
            try await Self.pause(stage)
            if frame < 0 { stage.fill(10, from: frame) }
            stage.start(at: frame, host: Self.later)
            let anchor = try #require(try await stage.receiver.wait(for: .anchor, times: 2).anchor)
            let log = stage.receiver.log.value
            #expect(log.count(.flush) == flushes, "to \(frame)")
            if flushes == 0 {
                #expect(log.packets.first { $0.rtpTime == anchor.rtpTime }?.frame == frame)
            }
            await stage.group.close()
        }
    }

    @Test("a stop at another frame during a pause refills shairport-sync from that frame")
    func movedWhileStopped() async throws {
        let stage = try await Self.playing(.standard)
        try await Self.pause(stage)
        _ = try await stage.receiver.waitForPackets(202 + 182)
        let moved: Int64 = 352 * 5
        stage.group.stop(at: moved)
        let all = try await stage.receiver.waitForPackets(202 + 182 + 197)
        #expect(all[386].frame == moved)
        await stage.group.close()
    }

    @Test("a start after a clear during a pause plays the new audio")
    func flushed() async throws {
        for situation in [FakeReceiver.Situation.fast, .standard] {
            let stage = try await Self.playing(situation)
            try await Self.pause(stage)
            stage.store.removeAll()
            stage.group.clear()
            _ = try await stage.receiver.wait(for: .flush)
            stage.fill(50, from: 352 * 1000, mark: 1)
            stage.start(at: 352 * 1000, host: Self.later)
            let anchor = try #require(try await stage.receiver.wait(for: .anchor, times: 2).anchor)
            let first = try await stage.receiver.log.wait(for: "the new sound") { log in
                log.packets.last { $0.rtpTime == anchor.rtpTime }
            }
            #expect(first.mark == 1 && first.frame == 352 * 1000)
            await stage.group.close()
        }
    }

    @Test("an edit far ahead of the paused frame flushes only what it replaces")
    func edited() async throws {
        let stage = try await Self.playing(.fast)
        try await Self.pause(stage)
        let frame: Int64 = 352 * 180
        #expect(await stage.group.cut(at: frame))
        stage.store.truncate(at: frame)
        stage.fill(40, from: frame, mark: 1)
        stage.group.resume(from: frame)
        let packets = try await stage.receiver.waitForPackets(242)
        let flush = try #require(try await stage.receiver.wait(for: .deferredFlush).flush)
        #expect(flush.from?.sequenceNumber == packets.first { $0.frame == frame }?.sequence)
        stage.start(at: Self.paused, host: Self.later)
        try await stage.wait(for: .playing, times: 2)
        let log = stage.receiver.log.value
        #expect(log.count(.flush) == 0)
        #expect(log.packets.count == 242)
        await stage.group.close()
    }

    @Test("an edit near the paused frame refills the speaker at once")
    func editedNear() async throws {
        for situation in [FakeReceiver.Situation.fast, .standard] {
            let stage = try await Self.playing(situation)
            try await Self.pause(stage)
            let frame: Int64 = 352 * 30
            #expect(await stage.group.cut(at: frame))
            stage.store.truncate(at: frame)
            stage.fill(40, from: frame, mark: 1)
            stage.group.resume(from: frame)
            let kept = try await stage.receiver.log.wait(for: "the sound from the pause on") {
                log -> [ReceiverLog.Packet]? in
                guard let until = log.entries(.flush).last?.flush?.until.sequenceNumber else { return nil }
                let kept = log.packets.filter { $0.sequence >= until && !$0.isSilence }
                // A flush before the edit belongs to the pause.
                return kept.count == 50 && kept.last?.mark == 1 ? kept : nil
            }
            #expect(kept.map(\.frame) == (20..<70).map { Int64($0) * 352 })
            #expect(kept.map(\.mark) == (20..<70).map { $0 < 30 ? 0 : 1 })
            stage.start(at: Self.paused, host: Self.later)
            try await stage.wait(for: .playing, times: 2)
            await stage.group.close()
        }
    }

    @Test("a speaker that joins during a pause starts together with the others")
    func joiner() async throws {
        let receivers = try [
            FakeReceiver(.fast, name: "Kitchen", host: 1), FakeReceiver(.fast, name: "Study", host: 2),
        ]
        let stage = Stage([receivers[0]], timing: Self.timing)
        stage.setSilence()
        stage.fill(200)
        try await stage.wait(for: .waitingForClock)
        stage.start(host: Self.later)
        try await stage.wait(for: .playing)
        try await Self.pause(stage)
        stage.group.setTargets(receivers.map { $0.target() })
        let joined = try await receivers[1].waitForPackets(182)
        try await stage.wait(for: .waitingForClock, of: receivers[1])
        let wanted = Self.later
        stage.start(at: Self.paused, host: wanted)
        let anchor = try #require(try await receivers[1].wait(for: .anchor).anchor)
        #expect(anchor.networkTime == stage.clock.networkTime(at: wanted))
        #expect(joined.first { $0.rtpTime == anchor.rtpTime }?.frame == Self.paused)
        #expect(receivers[0].log.value.count(.flush) == 0)
        await stage.group.close()
    }

    @Test("a full stopped speaker receives no more, and resumes from its buffer")
    func full() async throws {
        var situation = FakeReceiver.Situation.fast
        situation.bufferBytes = 100_000
        let stage = Stage([try FakeReceiver(situation)], timing: Self.timing)
        stage.setSilence()
        stage.fill(200, payloadBytes: 1400)
        try await stage.wait(for: .waitingForClock)
        stage.start(host: Self.later)
        try await stage.wait(for: .playing)
        await stage.group.waitForFilledStreams()
        let bytes = try #require(await stage.group.progress(of: "Kitchen")?.speakerBytes)
        try await Self.pause(stage)
        stage.fill(200, from: 352 * 200, payloadBytes: 1400)
        await stage.group.waitForFilledStreams()
        #expect(await stage.group.progress(of: "Kitchen")?.speakerBytes == bytes)
        stage.start(host: Self.later)
        try await stage.wait(for: .playing, times: 2)
        #expect(stage.receiver.log.value.count(.flush) == 0)
        #expect(await stage.group.progress(of: "Kitchen")?.speakerBytes == bytes)
        await stage.group.close()
    }
}
