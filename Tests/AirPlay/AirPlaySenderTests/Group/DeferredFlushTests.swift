import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlaySender

@Suite("Replacing buffered audio during playback", .timeLimit(.minutes(10)), .tags(.machine))
struct DeferredFlushTests {
    private static func playing(_ situation: FakeReceiver.Situation = .init()) async throws -> Stage {
        let stage = Stage([try FakeReceiver(situation)])
        stage.setSilence()
        stage.fill(50)
        try await stage.wait(for: .waitingForClock)
        stage.start(host: SystemClock.now.advanced(by: .seconds(3600)))
        _ = try await stage.receiver.waitForPackets(52)
        try await stage.wait(for: .playing)
        return stage
    }

    @Test("a cut flushes exactly the sent packets from its frame on, and the replacement follows them")
    func replace() async throws {
        let stage = try await Self.playing()
        let old = stage.receiver.log.value.packets
        let frame: Int64 = 352 * 30
        #expect(await stage.group.cut(at: frame))
        let victim = try #require(old.first { $0.frame == frame })
        let flush = try #require(try await stage.receiver.wait(for: .deferredFlush).flush)
        #expect(flush.from == .init(sequenceNumber: victim.sequence, rtpTime: victim.rtpTime))
        #expect(
            flush.until
                == .init(sequenceNumber: old[51].sequence + 1, rtpTime: old[51].rtpTime.advanced(by: 352)))
        stage.store.truncate(at: frame)
        stage.fill(5, from: frame, mark: 1)
        #expect(stage.receiver.log.value.packets.count == 52)
        stage.group.resume(from: frame)
        let new = Array(try await stage.receiver.waitForPackets(57)[52...])
        #expect(new.map(\.mark) == [1, 1, 1, 1, 1])
        #expect(new[0].sequence == old[51].sequence + 1)
        #expect(new[0].rtpTime == victim.rtpTime)
        #expect(new.map(\.frame) == (30..<35).map { Int64($0) * 352 })
        // Later packets continue as before.
        stage.fill(2, from: frame + 5 * 352, mark: 2)
        let last = try await stage.receiver.waitForPackets(59)
        #expect(last[57].rtpTime == victim.rtpTime.advanced(by: 5 * 352))
        #expect(stage.receiver.log.value.steps.suffix(2) == [.anchor, .deferredFlush])
        await stage.group.close()
    }

    @Test("a speaker that refused a cut is flushed, and rejoins the line with the new audio")
    func missed() async throws {
        let stage = try await Self.playing(.refusesCut(times: 1))
        let frame: Int64 = 352 * 30
        #expect(await stage.group.cut(at: frame))
        stage.store.truncate(at: frame)
        stage.fill(20, from: frame, mark: 1)
        stage.group.resume(from: frame)
        let flush = try #require(try await stage.receiver.wait(for: .flush).flush)
        #expect(flush.isImmediate)
        let until = flush.until.sequenceNumber
        let heard = try await stage.receiver.log.wait(for: "the new sound") { log in
            let kept = log.packets.filter { $0.sequence >= until && ($0.frame ?? -1) >= frame }
            return kept.count == 20 ? kept : nil
        }
        #expect(heard.allSatisfy { $0.mark == 1 })
        await stage.group.close()
    }

    @Test("a speaker that joins while a cut is open is sent nothing of what the cut replaces")
    func joinsInCut() async throws {
        let stage = try await Self.playing()
        let joining = try FakeReceiver(.wantsText, name: "Second", host: 2)
        let frame: Int64 = 352 * 30
        #expect(await stage.group.cut(at: frame))
        stage.group.setVolume(Volume(percent: 20))
        stage.group.setTargets([stage.receiver.target(), joining.target()])
        // The volume follows the text, which lets a speaker of this kind be sent sound.
        _ = try await joining.wait(for: .volume)
        #expect(await stage.group.progress(of: "Second")?.packets == 0)
        stage.store.truncate(at: frame)
        stage.fill(20, from: frame, mark: 1)
        stage.group.resume(from: frame)
        _ = try await joining.wait(for: .anchor)
        let packets = try await joining.waitForPackets(52)
        #expect(packets.allSatisfy { ($0.frame ?? -1) < frame || $0.mark == 1 })
        await stage.group.close()
    }

    @Test("a cut inside a packet flushes the whole packet")
    func insidePacket() async throws {
        let stage = try await Self.playing()
        let victim = try #require(stage.receiver.log.value.packets.first { $0.frame == 352 * 30 })
        #expect(await stage.group.cut(at: 352 * 30 + 100))
        let flush = try #require(try await stage.receiver.wait(for: .deferredFlush).flush)
        #expect(flush.from?.sequenceNumber == victim.sequence)
        #expect(flush.from?.rtpTime == victim.rtpTime)
        await stage.group.close()
    }

    @Test("a cut after the last sent packet flushes nothing")
    func behind() async throws {
        let stage = try await Self.playing()
        let frame: Int64 = 352 * 50
        #expect(await stage.group.cut(at: frame))
        stage.fill(3, from: frame, mark: 1)
        stage.group.resume(from: frame)
        let packets = try await stage.receiver.waitForPackets(55)
        #expect(packets[52].frame == frame)
        #expect(packets[52].sequence == packets[51].sequence + 1)
        #expect(stage.receiver.log.value.count(.deferredFlush) == 0)
        await stage.group.close()
    }

    @Test("a ninth pending cut is refused, and changes nothing")
    func pending() async throws {
        let stage = try await Self.playing()
        for number in 0..<8 {
            let frame = Int64(352 * (48 - number))
            #expect(await stage.group.cut(at: frame))
            stage.store.truncate(at: frame)
            stage.fill(1, from: frame, mark: UInt8(number + 1))
            stage.group.resume(from: frame)
            _ = try await stage.receiver.waitForPackets(53 + number)
        }
        #expect(await stage.group.cut(at: 352 * 10) == false)
        #expect(stage.receiver.log.value.count(.deferredFlush) == 8)
        stage.fill(1, from: 352 * 42, mark: 99)
        let packets = try await stage.receiver.waitForPackets(61)
        #expect(packets[60].mark == 99)
        await stage.group.close()
    }

    @Test("a cut too near the playhead is refused, and changes nothing")
    func tooNear() async throws {
        let stage = Stage([try FakeReceiver()])
        stage.fill(50)
        try await stage.wait(for: .waitingForClock)
        // From now on the first second is nearer to the playhead than the margin.
        stage.start()
        try await stage.wait(for: .playing)
        #expect(await stage.group.cut(at: 352) == false)
        #expect(stage.receiver.log.value.count(.deferredFlush) == 0)
        await stage.group.close()
    }

    @Test("a cut before a start sends no request; the start flushes instead")
    func beforeStart() async throws {
        let stage = Stage([try FakeReceiver()])
        try await stage.wait(for: .waitingForClock)
        stage.fill(20)
        let old = try await stage.receiver.waitForPackets(20)
        #expect(await stage.group.cut(at: 352 * 10))
        stage.store.truncate(at: 352 * 10)
        stage.fill(10, from: 352 * 10, mark: 1)
        stage.group.resume(from: 352 * 10)
        stage.start(host: SystemClock.now.advanced(by: .seconds(3600)))
        let flush = try #require(try await stage.receiver.wait(for: .flush).flush)
        #expect(flush.isImmediate)
        try await stage.wait(for: .playing)
        await stage.group.waitForFilledStreams()
        let until = flush.until.sequenceNumber
        let heard = try await stage.receiver.log.wait(for: "all that is heard") { log in
            let kept = log.packets.filter { $0.sequence >= until }
            return kept.count == 20 ? kept : nil
        }
        #expect(heard.map(\.frame) == (0..<20).map { Int64($0) * 352 })
        #expect(heard.map(\.mark) == (0..<20).map { $0 < 10 ? 0 : 1 })
        #expect(until > old[19].sequence)
        await stage.group.close()
    }
}
