import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlaySender

@Suite("Starting, pausing and seeking", .timeLimit(.minutes(10)), .tags(.machine))
struct StartTests {
    /// A time so far ahead that nothing plays during a test.
    private static var later: HostTime { SystemClock.now.advanced(by: .seconds(3600)) }

    private static func opened(
        _ situation: FakeReceiver.Situation = .standard, format: AudioWireFormat = .alac44100x16
    ) async throws -> Stage {
        let stage = Stage([try FakeReceiver(situation)], format: format)
        stage.setSilence()
        stage.fill(40)
        try await stage.wait(for: .waitingForClock)
        return stage
    }

    @Test("the anchor has the instant reported to the caller, and the requested frame")
    func anchor() async throws {
        let stage = try await Self.opened()
        let wanted = Self.later
        stage.start(at: 352 * 3, host: wanted)
        #expect(try await stage.waitForStart() == wanted)
        let anchor = try #require(try await stage.receiver.wait(for: .anchor).anchor)
        #expect(anchor.networkTime == stage.clock.networkTime(at: wanted))
        let packets = try await stage.receiver.waitForPackets(2 + 37)
        let first = try #require(packets.first { !$0.isSilence })
        #expect(first.frame == Int64(1056))
        #expect(first.rtpTime == anchor.rtpTime)
        await stage.group.close()
    }

    @Test("a start that is late for all speakers is postponed for all")
    func late() async throws {
        let stage = Stage([
            try FakeReceiver(.missesBeginnings(times: 2), name: "Kitchen", host: 1),
            try FakeReceiver(.missesBeginnings(times: 2), name: "Study", host: 2),
        ])
        stage.fill(40)
        for receiver in stage.receivers { try await stage.wait(for: .waitingForClock, of: receiver) }
        stage.start()
        let last = try await stage.waitForStart(3)
        for receiver in stage.receivers {
            try await stage.wait(for: .playing, of: receiver)
            let anchor = try #require(try await receiver.wait(for: .anchor, times: 3).anchor)
            #expect(anchor.networkTime == stage.clock.networkTime(at: last))
        }
        let starts = stage.starts.value
        #expect(starts.count == 3)
        for (before, after) in zip(starts, starts.dropFirst()) {
            #expect(after.since(before) >= .milliseconds(70))
        }
        await stage.group.close()
    }

    private static func withoutSound(_ patience: Duration) throws -> Stage {
        var timing = Stage.timing
        timing.soundPatience = patience
        return Stage([try FakeReceiver(.fast)], timing: timing)
    }

    @Test("a start at no given time waits until its first audio is sent", arguments: [false, true])
    func sound(precedesSession isFirst: Bool) async throws {
        let stage = try Self.withoutSound(.seconds(3600))
        if isFirst { stage.start() }
        try await stage.wait(for: .waitingForClock)
        if !isFirst { stage.start() }
        for _ in 0..<100 { _ = await stage.group.depths() }
        stage.fill(2)
        for _ in 0..<100 { _ = await stage.group.depths() }
        let filledAt = SystemClock.now
        stage.fill(40, from: 2 * 352)
        #expect(try await stage.waitForStart() > filledAt)
        await stage.group.close()
    }

    @Test("the wait of a start for audio has a limit, and a start at a given time does not wait")
    func noSound() async throws {
        let impatient = try Self.withoutSound(.milliseconds(1))
        impatient.start()
        _ = try await impatient.waitForStart()
        await impatient.group.close()
        let stage = try Self.withoutSound(.seconds(3600))
        let wanted = Self.later
        stage.start(host: wanted)
        #expect(try await stage.waitForStart() == wanted)
        await stage.group.close()
    }

    @Test("a single late speaker joins the line of the others, which do not restart")
    func lateAlone() async throws {
        let stage = Stage([
            try FakeReceiver(.missesBeginnings(times: 1), name: "Kitchen", host: 1),
            try FakeReceiver(.fast, name: "Study", host: 2),
        ])
        stage.fill(40)
        for receiver in stage.receivers { try await stage.wait(for: .waitingForClock, of: receiver) }
        stage.start()
        for receiver in stage.receivers { try await stage.wait(for: .playing, of: receiver) }
        let start = stage.clock.networkTime(at: try await stage.waitForStart())
        #expect(stage.starts.value.count == 1)
        let logs = stage.receivers.map { $0.log.value.entries(.anchor).compactMap { $0.anchor?.networkTime } }
        #expect(logs == [[start, start], [start]])
        await stage.group.close()
    }

    @Test("a start that stays late moves three times, then loses its beginning; a given time does not move")
    func tooLate() async throws {
        let stage = try await Self.opened(.missesBeginnings(times: 100))
        stage.start()
        _ = try await stage.waitForStart(4)
        try await stage.wait(for: .playing)
        #expect(stage.starts.value.count == 4)
        let wanted = Self.later
        stage.start(at: 352, host: wanted)
        #expect(try await stage.waitForStart(5) == wanted)
        _ = try await stage.receiver.wait(for: .anchor, times: 5)
        #expect(stage.starts.value.count == 5)
        await stage.group.close()
    }

    @Test("shairport-sync gets a separate rate 1 before its first anchor; other receivers do not")
    func arms() async throws {
        for (situation, steps) in [
            (FakeReceiver.Situation.standard, [Step.arm, .anchor]), (.fast, [.anchor]),
        ] {
            let stage = try await Self.opened(situation)
            stage.start(host: Self.later)
            try await stage.wait(for: .playing)
            #expect(stage.receiver.log.value.steps.suffix(from: 7) == steps[...])
            await stage.group.close()
        }
    }

    @Test("an ALAC run begins with two packets of silence")
    func silence() async throws {
        let stage = try await Self.opened()
        stage.start(host: Self.later)
        let packets = try await stage.receiver.waitForPackets(42)
        #expect(packets.count == 42)
        #expect(packets.map(\.isSilence) == [true, true] + Array(repeating: false, count: 40))
        #expect(packets[0].sequence < 1 << 22)
        for (number, packet) in packets.enumerated() {
            #expect(packet.sequence == packets[0].sequence + UInt32(number))
            #expect(packet.rtpTime == packets[0].rtpTime.advanced(by: Int64(number) * 352))
            #expect(packet.formatCode == 0xFACE)
            #expect(packet.frame == (number < 2 ? nil : Int64(number - 2) * 352))
        }
        await stage.group.close()
    }

    @Test("an AAC run begins two packets early, the first of them one frame earlier still")
    func primingPackets() async throws {
        let stage = Stage([try FakeReceiver()], format: .aac44100)
        stage.fill(40)
        try await stage.wait(for: .waitingForClock)
        stage.start(at: 10 * 1024, host: Self.later)
        let anchor = try #require(try await stage.receiver.wait(for: .anchor).anchor)
        let packets = try await stage.receiver.waitForPackets(32)
        #expect(packets.map(\.frame) == (8..<40).map { Int64($0) * 1024 })
        #expect(packets[0].rtpTime == anchor.rtpTime.advanced(by: -2 * 1024 - 1))
        for packet in packets.dropFirst() {
            let frame = try #require(packet.frame)
            #expect(packet.rtpTime == anchor.rtpTime.advanced(by: frame - 10 * 1024))
            #expect(packet.formatCode == 0x1600_0000)
        }
        await stage.group.close()
    }

    @Test("a resume resends from the paused frame: rate 0, flush, anchor")
    func resume() async throws {
        let stage = try await Self.opened()
        stage.start(host: Self.later)
        let old = try await stage.receiver.waitForPackets(42)
        try await stage.wait(for: .playing)
        stage.group.stop(at: 352 * 20)
        try await stage.wait(for: .ready)
        stage.start(at: 352 * 20, host: Self.later)
        _ = try await stage.waitForStart(2)
        let all = try await stage.receiver.waitForPackets(42 + 22)
        let anchor = try #require(try await stage.receiver.wait(for: .anchor, times: 2).anchor)
        let log = stage.receiver.log.value
        #expect(log.steps.suffix(4) == [.anchor, .pause, .flush, .anchor])
        let new = Array(all[42...])
        let flush = try #require(log.entries(.flush).first?.flush)
        #expect(flush.isImmediate)
        #expect(flush.until.sequenceNumber == new[0].sequence)
        #expect(new[0].sequence == old[41].sequence + 1)
        #expect(new.map(\.frame) == [nil, nil] + (20..<40).map { Int64($0) * 352 })
        #expect(new[2].rtpTime == anchor.rtpTime)
        // RTP time moves forward by more than a receiver decodes ahead.
        #expect(new[0].rtpTime.frames(since: old[41].rtpTime) > 44_100)
        await stage.group.close()
    }

    @Test("a start right after a stop waits two packets, until shairport-sync has seen the stop")
    func stopIsSeen() async throws {
        for format in [AudioWireFormat.alac44100x16, .aac44100] {
            let stage = try await Self.opened(format: format)
            stage.start(host: Self.later)
            try await stage.wait(for: .playing)
            let frame = Int64(format.framesPerPacket * 20)
            stage.group.stop(at: frame)
            stage.start(at: frame, host: Self.later)
            _ = try await stage.receiver.wait(for: .anchor, times: 2)
            let log = stage.receiver.log.value
            let (pause, anchor) = (try #require(log.entries(.pause).last), log.entries(.anchor)[1])
            #expect(anchor.at.since(pause.at) >= format.packetDuration * 2)
            await stage.group.close()
        }
    }

    /// Returns a stage with two playing speakers.
    private static func twoPlaying(timing: SenderTiming = Stage.timing) async throws -> Stage {
        let stage = Stage(
            [
                try FakeReceiver(.fast, name: "Kitchen", host: 1),
                try FakeReceiver(.fast, name: "Study", host: 2),
            ], timing: timing)
        stage.fill(400)
        for receiver in stage.receivers { try await stage.wait(for: .waitingForClock, of: receiver) }
        stage.start()
        for receiver in stage.receivers { try await stage.wait(for: .playing, of: receiver) }
        return stage
    }

    @Test("the instant of a start is chosen after every speaker has answered its flush")
    func preparedFirst() async throws {
        let stage = try await Self.twoPlaying()
        stage.receivers[1].change { $0.held = [.flush] }
        stage.start(at: 352 * 300)
        for receiver in stage.receivers { _ = try await receiver.wait(for: .flush) }
        #expect(stage.starts.value.count == 1)
        let answered = SystemClock.now
        stage.receivers[1].release(.flush)
        #expect(try await stage.waitForStart(2).since(answered) >= .milliseconds(20))
        for receiver in stage.receivers { try await stage.wait(for: .playing, of: receiver) }
        #expect(stage.receivers.map { $0.log.value.count(.flush) } == [1, 1])
        await stage.group.close()
    }

    @Test("a speaker that does not answer delays no command to the others")
    func outOfReach() async throws {
        var timing = Stage.timing
        (timing.groupAnswerTimeout, timing.answerTimeout) = (.milliseconds(10), .seconds(3600))
        timing.farewellTimeout = .milliseconds(10)
        let stage = try await Self.twoPlaying(timing: timing)
        stage.receivers[1].change { $0.held = [.pause, .flush, .anchor, .volume] }
        stage.group.stop(at: 352 * 10)
        stage.start(at: 352 * 300)
        _ = try await stage.receiver.wait(for: .anchor, times: 2)
        stage.group.setVolume(Volume(percent: 30))
        _ = try await stage.receiver.wait(for: .volume)
        stage.group.stop(at: 352 * 320)
        _ = try await stage.receiver.wait(for: .pause, times: 2)
        stage.start(at: 0)
        _ = try await stage.receiver.wait(for: .anchor, times: 3)
        #expect(stage.receivers[1].log.value.count(.anchor) == 1)
        await stage.group.close()
    }

    @Test("a speaker that answers an anchor late does not delay the others, and joins them later")
    func lateAnswer() async throws {
        var timing = Stage.timing
        timing.groupAnswerTimeout = .milliseconds(10)
        let stage = try await Self.twoPlaying(timing: timing)
        stage.receivers[1].change { ($0.held, $0.anchorRefusals) = ([.anchor], 1) }
        stage.start(at: 352 * 300)
        _ = try await stage.receiver.wait(for: .anchor, times: 2)
        stage.group.setVolume(Volume(percent: 30))
        _ = try await stage.receiver.wait(for: .volume)
        _ = try await stage.receivers[1].wait(for: .anchor, times: 2)
        stage.receivers[1].release(.anchor)
        let anchor = try #require(try await stage.receivers[1].wait(for: .anchor, times: 3).anchor)
        #expect(anchor.networkTime > stage.clock.networkTime(at: try await stage.waitForStart(2)))
        try await stage.wait(for: .playing, of: stage.receivers[1], times: 2)
        await stage.group.close()
    }

    @Test("sequence numbers increase by one, and RTP times increase, through many seeks")
    func seeks() async throws {
        let stage = try await Self.opened(.fast)
        var expected = 0
        let frames: [Int64] = [0, 352 * 30, 0, 352 * 10, 352 * 39]
        for (number, frame) in frames.enumerated() {
            stage.start(at: frame, host: Self.later)
            expected += 2 + 40 - Int(frame) / 352
            let packets = try await stage.receiver.waitForPackets(expected)
            let anchor = try #require(try await stage.receiver.wait(for: .anchor, times: number + 1).anchor)
            #expect(packets.first { $0.rtpTime == anchor.rtpTime }?.frame == frame)
            #expect(stage.receiver.log.value.count(.flush) == number)
        }
        let packets = stage.receiver.log.value.packets
        #expect(packets.count == expected)
        for (before, after) in zip(packets, packets.dropFirst()) {
            #expect(after.sequence == before.sequence + 1)
            #expect(after.rtpTime.frames(since: before.rtpTime) >= 352)
        }
        // Each flush names the first packet after it, and follows a rate 0.
        let entries = stage.receiver.log.value.entries
        for (index, entry) in entries.enumerated() where entry.step == .flush {
            #expect(entries[index - 1].step == .pause)
            let until = try #require(entry.flush?.until.sequenceNumber)
            let first = try #require(packets.first { $0.sequence == until })
            #expect(first.isSilence)
        }
        await stage.group.close()
    }

    @Test("a start that replaces one with an unanswered anchor flushes, because the speaker may play")
    func replaced() async throws {
        let stage = try await Self.opened(.fast)
        stage.receiver.change { $0.held = [.anchor] }
        stage.start(at: 0, host: Self.later)
        _ = try await stage.receiver.wait(for: .anchor)
        stage.start(at: 352 * 10, host: Self.later)
        // The new start reaches the session before the answer does.
        for _ in 0..<1000 { await Task.yield() }
        stage.receiver.release(.anchor)
        _ = try await stage.receiver.wait(for: .anchor, times: 2)
        #expect(stage.receiver.log.value.count(.flush) == 1)
        await stage.group.close()
    }

    @Test("a start at a frame that was already sent flushes nothing")
    func prefilled() async throws {
        let stage = Stage([try FakeReceiver()])
        stage.setSilence()
        try await stage.wait(for: .waitingForClock)
        stage.fill(40)
        let packets = try await stage.receiver.waitForPackets(42)
        #expect(packets[2].frame == 0)
        stage.start(at: 352 * 5, host: Self.later)
        let anchor = try #require(try await stage.receiver.wait(for: .anchor).anchor)
        #expect(packets[7].rtpTime == anchor.rtpTime && packets[7].frame == 352 * 5)
        try await stage.wait(for: .playing)
        #expect(stage.receiver.log.value.count(.flush) == 0)
        #expect(stage.receiver.log.value.packets.count == 42)
        await stage.group.close()
    }

    @Test("a clear drops the speaker's audio, and the line continues with new audio")
    func clear() async throws {
        let stage = try await Self.opened()
        stage.start(host: Self.later)
        let old = try await stage.receiver.waitForPackets(42)
        try await stage.wait(for: .playing)
        stage.store.removeAll()
        stage.group.clear()
        let flush = try #require(try await stage.receiver.wait(for: .flush).flush)
        #expect(flush.until.sequenceNumber == old[41].sequence + 1)
        stage.fill(10, from: 0, mark: 9)
        stage.group.anchorAgain()
        let anchor = try #require(try await stage.receiver.wait(for: .anchor, times: 2).anchor)
        let new = Array(try await stage.receiver.waitForPackets(42 + 12)[42...])
        #expect(new.first?.sequence == old[41].sequence + 1)
        let first = try #require(new.first { !$0.isSilence })
        #expect(first.mark == 9 && first.frame == 0)
        #expect(first.rtpTime == anchor.rtpTime)
        #expect(anchor.networkTime == stage.clock.networkTime(at: stage.starts.value[0]))
        await stage.group.close()
    }

    @Test("a first start is postponed, without a flush, until feedback shows that the speaker reads")
    func putOff() async throws {
        var situation = FakeReceiver.Situation.standard
        situation.unreadFeedbacks = 2
        let stage = try await Self.opened(situation)
        stage.start()
        _ = try await stage.receiver.wait(for: .feedback, times: 3)
        let last = try await stage.waitForStart(3)
        let log = stage.receiver.log.value
        #expect(log.count(.anchor) == 3)
        #expect(log.count(.flush) == 0 && log.count(.pause) == 0)
        let anchors = log.entries(.anchor).compactMap(\.anchor)
        #expect(Set(anchors.map(\.rtpTime)).count == 1)
        #expect(anchors.last?.networkTime == stage.clock.networkTime(at: last))
        #expect(zip(anchors, anchors.dropFirst()).allSatisfy { $0.networkTime < $1.networkTime })
        await stage.group.close()
    }

    @Test("a start at a given time is not postponed")
    func namedTime() async throws {
        var situation = FakeReceiver.Situation.standard
        situation.unreadFeedbacks = .max
        let stage = try await Self.opened(situation)
        stage.start(host: Self.later)
        try await stage.wait(for: .playing)
        #expect(stage.receiver.log.value.count(.feedback) == 0)
        await stage.group.close()
    }
}
