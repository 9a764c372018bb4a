import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlaySender

@Suite("Faulty and unreachable speakers", .timeLimit(.minutes(10)), .tags(.machine))
struct TroublesTests {
    private static var later: HostTime { SystemClock.now.advanced(by: .seconds(3600)) }

    /// Returns the network time at which a speaker plays timeline frame 0, from its last anchor and packet.
    private static func origin(_ log: ReceiverLog, connection: Int = 1) throws -> NetworkTime {
        let entry = try #require(log.entries.last { $0.step == .anchor && $0.connection == connection })
        let anchor = try #require(entry.anchor)
        let packet = try #require(log.packets.last { $0.connection == connection && $0.frame != nil })
        let zero = packet.rtpTime.advanced(by: -(try #require(packet.frame)))
        return AnchoredTimeline(anchor: anchor, sampleRate: .hz44100).networkTime(of: zero)
    }

    @Test("a single speaker that refuses the anchor moves the start, and each new instant is reported")
    func refusedAnchor() async throws {
        let stage = try Stage(.refusesAnchor(times: 3))
        stage.fill(20)
        stage.start()
        let last = try await stage.waitForStart(4)
        let entry = try await stage.receiver.wait(for: .anchor, times: 4)
        try await stage.wait(for: .playing)
        let starts = stage.starts.value
        #expect(starts.count == 4)
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 })
        #expect(entry.anchor?.networkTime == stage.clock.networkTime(at: last))
        let anchors = stage.receiver.log.value.entries(.anchor).compactMap(\.anchor)
        #expect(Set(anchors.map(\.rtpTime)).count == 1)
        #expect(stage.receiver.log.value.count(.flush) == 0)
        await stage.group.close()
    }

    @Test("a speaker that never accepts the anchor fails with a clock error, and is retried")
    func neverAnchored() async throws {
        var timing = Stage.timing
        timing.anchorRetry = .milliseconds(1)
        let stage = Stage([try FakeReceiver(.refusesAnchor(times: .max))], timing: timing)
        stage.fill(20)
        stage.start()
        #expect(try await stage.waitForFailure().code == .clock)
        let anchors = stage.receiver.log.value.entries(.anchor)
        #expect(anchors.filter { $0.connection == anchors[0].connection }.count == PlayPhase.anchorTries)
        // The speaker has been said to find no clock: the next attempt is made without a word.
        _ = try await stage.receiver.wait(for: .anchor, times: PlayPhase.anchorTries + 1)
        await stage.group.close()
    }

    @Test(
        "a session releases the clock once, however it ends: another may be with a speaker at the same address"
    )
    func releasedOnce() async throws {
        let stage = try Stage(.standard)
        try await stage.wait(for: .waitingForClock)
        await stage.group.close()
        let address = stage.receiver.target().addresses[0].address
        try await stage.wait(for: .closed)
        let calls = stage.clock.calls
        #expect(calls.count { $0 == .add(address) } == calls.count { $0 == .remove(address) })
    }

    @Test("a speaker that keeps announcing its own clock is reported once, with the way out")
    func otherClock() async throws {
        var timing = Stage.timing
        timing.feedbackInterval = .milliseconds(40)
        let receiver = try FakeReceiver(.standard)
        let stage = Stage([receiver], timing: timing, override: SessionChoice.Override(clock: .ptp))
        stage.clock.insist(receiver.target().addresses[0].address, on: ClockIdentity(rawValue: 0x27))
        let message = try await stage.waitForWarning("clock")
        #expect(message.contains("--clock theirs"))
        try await stage.wait(for: .waitingForClock)
        await stage.group.close()
        let count = stage.events.value.count { event in
            if case .warning(_, "clock", _) = event { true } else { false }
        }
        #expect(count == 1)
    }

    @Test("a speaker that refuses the anchor joins the other speaker on the same line")
    func secondJoins() async throws {
        let first = try FakeReceiver(.standard, name: "First", host: 1)
        let second = try FakeReceiver(.refusesAnchor(times: 2), name: "Second", host: 2)
        let stage = Stage([first, second])
        // Half a minute of audio, so that some is left when the second speaker joins.
        stage.fill(4000)
        try await stage.wait(for: .waitingForClock, of: first)
        try await stage.wait(for: .waitingForClock, of: second)
        stage.start()
        try await stage.wait(for: .playing, of: first)
        try await stage.wait(for: .playing, of: second)
        _ = try await first.waitForPackets(100)
        _ = try await second.waitForPackets(100)
        #expect(stage.starts.value.count == 1)
        #expect(first.log.value.count(.anchor) == 1)
        #expect(second.log.value.count(.anchor) == 3)
        let error = try Self.origin(second.log.value).since(Self.origin(first.log.value))
        #expect(error >= .nanoseconds(-3) && error <= .nanoseconds(3))
        await stage.group.close()
    }

    @Test("a start whose flush is refused is reported and retried")
    func refusedFlush() async throws {
        let stage = try Stage(.refusesFlush(times: 1))
        stage.fill(20)
        stage.start(host: Self.later)
        try await stage.wait(for: .playing)
        _ = try await stage.receiver.waitForPackets(20)
        stage.start(at: 352 * 10, host: Self.later)
        _ = try await stage.waitForWarning(SpeakerFailure.Code.refused.rawValue)
        _ = try await stage.receiver.wait(for: .anchor, times: 2)
        await stage.group.close()
    }

    @Test("a speaker that closes the connection is reconnected, and rejoins the line")
    func reopened() async throws {
        let stage = try Stage(.fast)
        // Half a minute of audio, so that some is left when the speaker reconnects.
        stage.fill(4000)
        stage.start()
        try await stage.wait(for: .playing)
        _ = try await stage.receiver.waitForPackets(4000)
        stage.receiver.drop()
        let failure = try await stage.waitForFailure()
        #expect(failure.code == .lost)
        try await stage.wait(for: .playing, times: 2)
        let log = try await stage.receiver.log.wait(for: "sound on the second connection") { log in
            log.packets.contains { $0.connection == 2 } && log.entries(.anchor).count == 2 ? log : nil
        }
        #expect(stage.starts.value.count == 1)
        let error = try Self.origin(log, connection: 2).since(Self.origin(log, connection: 1))
        #expect(error >= .nanoseconds(-3) && error <= .nanoseconds(3))
        await stage.group.close()
    }

    @Test(
        "a speaker that closes the connection after any answer plays in the end",
        arguments: [.info, .setUpSession, .setPeers, .setUpStream, .arm, .anchor] as [Step])
    func hangsUp(step: Step) async throws {
        let stage = try Stage(.closesAfter(step))
        stage.fill(4000)
        stage.start()
        #expect(try await stage.waitForFailure().code != .closed)
        _ = try await stage.receiver.log.wait(for: "an anchor on the second connection") { log in
            log.entries(.anchor).contains { $0.connection == 2 } ? true : nil
        }
        _ = try await stage.receiver.log.wait(for: "sound on the second connection") { log in
            log.packets.contains { $0.connection == log.dataConnections } ? true : nil
        }
        await stage.group.close()
    }

    @Test("a speaker that reads nothing does not delay another")
    func stalled() async throws {
        let stalled = try FakeReceiver(.stallsAfterSetup, name: "Stalled", host: 1)
        stalled.change { $0.model = "Tutti1,1" }
        let fast = try FakeReceiver(.fast, name: "Fast", host: 2)
        let stage = Stage([stalled, fast])
        try await stage.wait(for: .waitingForClock, of: stalled)
        try await stage.wait(for: .waitingForClock, of: fast)
        stage.start(host: Self.later)
        try await stage.wait(for: .playing, of: stalled)
        stage.fill(4000, payloadBytes: 1400)
        #expect(try await fast.waitForPackets(4000).count == 4000)
        #expect(stalled.log.value.packets.isEmpty)
        stalled.readAudio()
        #expect(try await stalled.waitForPackets(4000).map(\.frame) == fast.log.value.packets.map(\.frame))
        await stage.group.close()
    }

    @Test("the announced buffer is never exceeded", arguments: [40_000, 100_000, 300_000])
    func smallBuffer(bytes: Int) async throws {
        var situation = FakeReceiver.Situation.smallBuffer(bytes)
        situation.model = "Tutti1,1"
        let stage = try Stage(situation)
        try await stage.wait(for: .waitingForClock)
        stage.start(host: Self.later)
        try await stage.wait(for: .playing)
        stage.fill(1000, payloadBytes: 1400)
        await stage.group.waitForFilledStreams()
        let held = try #require(await stage.group.progress(of: "Kitchen")).speakerBytes
        #expect(held <= bytes)
        #expect(held > bytes / 2)
        let log = try await stage.receiver.log.wait(for: "\(held) bytes") { $0.wireBytes >= held ? $0 : nil }
        #expect(log.wireBytes == held)
        await stage.group.close()
    }

    @Test("unanswered feedback requests cause a warning, not a disconnect; their recovery is reported too")
    func silent() async throws {
        var timing = Stage.timing
        timing.feedbackInterval = .milliseconds(8)
        timing.feedbackTimeout = .milliseconds(10)
        let stage = Stage([try FakeReceiver(.holds(.feedback))], timing: timing)
        let words = try await stage.waitForWarning("silent")
        #expect(words.contains("Kitchen does not answer"))
        stage.receiver.release(.feedback)
        _ = try await stage.waitForWarning("answers-again")
        #expect(stage.receiver.log.value.controlConnections == 1)
        await stage.group.close()
    }

    @Test("an idle speaker that does not answer is lost after the silence limit")
    func silentForLong() async throws {
        var timing = Stage.timing
        timing.feedbackInterval = .milliseconds(4)
        timing.feedbackTimeout = .milliseconds(5)
        timing.silenceLimit = .milliseconds(30)
        let stage = Stage([try FakeReceiver(.holds(.feedback))], timing: timing)
        #expect(try await stage.waitForFailure().code == .silent)
        try await stage.wait(for: .connecting, times: 2)
        await stage.group.close()
    }

    @Test("a speaker that does not answer when it leaves is told of the end all the same")
    func leavesUnanswered() async throws {
        var timing = Stage.timing
        timing.farewellTimeout = .milliseconds(10)
        let stage = Stage([try FakeReceiver(.holds(.pause))], timing: timing)
        try await stage.wait(for: .waitingForClock)
        await stage.group.close()
        _ = try await stage.receiver.wait(for: .tearDownSession)
        #expect(stage.receiver.log.value.count(.tearDownStream) == 0)
    }

    @Test("a speaker that does not follow the clock fails with a clock error")
    func clockNeverReady() async throws {
        var timing = Stage.timing
        timing.clockPatience = .milliseconds(50)
        let clock = FakeClock()
        clock.setReady(false, .loopbackV4)
        let stage = Stage([try FakeReceiver()], timing: timing, clock: clock)
        stage.start()
        #expect(try await stage.waitForFailure().code == .clock)
        clock.setReady(true, .loopbackV4)
        try await stage.wait(for: .playing)
        await stage.group.close()
    }

    @Test("a speaker that finds no clock is said to be lost once, and to be open again when it has found one")
    func clockTold() async throws {
        var timing = Stage.timing
        timing.clockPatience = .milliseconds(50)
        let clock = FakeClock()
        clock.setReady(false, .loopbackV4)
        let stage = Stage([try FakeReceiver()], timing: timing, clock: clock)
        stage.start()
        // Two sessions have failed when the third opens its stream.
        _ = try await stage.receiver.wait(for: .setUpStream, times: 3)
        clock.setReady(true, .loopbackV4)
        try await stage.wait(for: .playing)
        let events = stage.events.value
        let losses = events.count { if case .state(_, .lost) = $0 { true } else { false } }
        let openings = events.count { if case .opened = $0 { true } else { false } }
        let attempts = events.count { if case .state(_, .connecting) = $0 { true } else { false } }
        #expect(losses == 1 && openings == 2 && attempts == 1)
        await stage.group.close()
    }

    @Test("a stop during a start leaves the speaker silent")
    func stopWhileStarting() async throws {
        let stage = try Stage(.holds(.arm))
        stage.fill(20)
        // The start is requested before the session opens, and is carried out afterwards.
        stage.start()
        _ = try await stage.receiver.wait(for: .arm)
        stage.group.stop(at: 0)
        // Wait until the group has begun the stop.
        #expect(await stage.group.waitForPause())
        stage.receiver.release(.arm)
        try await stage.wait(for: .ready)
        await stage.group.setAndWaitForVolume(stage)
        let steps = stage.receiver.log.value.steps.filter { [.anchor, .pause].contains($0) }
        #expect(steps.last == .pause)
        await stage.group.close()
    }

    @Test("a speaker that is being greeted during a start is started only once")
    func startWhileGreeting() async throws {
        var situation = FakeReceiver.Situation.holds(.arm)
        situation.held.insert(.volume)
        var timing = Stage.timing
        // The start does not wait for the volume, whose answer is held.
        timing.groupAnswerTimeout = SenderTiming().groupAnswerTimeout
        let stage = Stage([try FakeReceiver(situation)], timing: timing)
        stage.fill(100)
        stage.group.setVolume(Volume(percent: 30))
        _ = try await stage.receiver.wait(for: .volume)
        stage.start()
        _ = try await stage.waitForStart()
        stage.receiver.release(.volume)
        _ = try await stage.receiver.wait(for: .arm)
        // The greeting is answered. Its consequences get time to happen while the start waits for its
        // answer; the amount of time does not affect a pass.
        for _ in 0..<3000 { await Task.yield() }
        await stage.group.setAndWaitForVolume(stage, times: 2, releasing: .arm)
        try await stage.wait(for: .playing)
        _ = try await stage.receiver.waitForPackets(100)
        await stage.group.setAndWaitForVolume(stage, times: 3)
        let log = stage.receiver.log.value
        #expect(log.count(.arm) == 1 && log.count(.anchor) == 1)
        #expect(log.count(.flush) == 0)
        #expect(log.packets.count == 100)
        await stage.group.close()
    }
}

extension SpeakerGroup {
    /// Waits until a stop has reached the group.
    fileprivate func waitForPause() async -> Bool {
        while true {
            if case .paused = plan.phase { return true }
            await Task.yield()
        }
    }

    /// Sets the volume, and waits until the speaker receives it; all earlier requests have been sent by then.
    fileprivate nonisolated func setAndWaitForVolume(
        _ stage: Stage, times: Int = 1, releasing step: Step? = nil
    ) async {
        setVolume(.full)
        if let step { stage.receiver.release(step) }
        _ = try? await stage.receiver.wait(for: .volume, times: times)
    }
}
