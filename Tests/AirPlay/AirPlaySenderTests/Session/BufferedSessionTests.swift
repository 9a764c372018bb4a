import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlaySender

@Suite("Commands of a buffered session", .timeLimit(.minutes(10)), .tags(.machine))
struct BufferedSessionTests {
    /// A time so far ahead that nothing plays during a test.
    private static var later: HostTime { SystemClock.now.advanced(by: .seconds(3600)) }

    /// The time after which a test of something that never comes fails.
    private static let limit = Duration.seconds(20)

    /// Returns a stage with a playing speaker that holds 200 packets, and its session.
    private static func playing(
        timing: SenderTiming = Stage.timing
    ) async throws -> (stage: Stage, session: BufferedSession) {
        let stage = Stage([try FakeReceiver(.fast)], timing: timing)
        stage.setSilence()
        stage.fill(200)
        try await stage.wait(for: .waitingForClock)
        stage.start(host: later)
        _ = try await stage.receiver.waitForPackets(202)
        try await stage.wait(for: .playing)
        let session = await stage.group.members.first?.session
        return (stage, try #require(session as? BufferedSession))
    }

    private static func line(_ frame: Int64) -> FrameLine { PlanRun.line(frame: frame, at: later) }

    /// Returns the requests of a receiver that concern its sound, in order.
    private static func steps(_ receiver: FakeReceiver) -> [Step] {
        receiver.log.value.steps.filter { step in
            switch step {
            case .anchor, .pause, .flush, .deferredFlush: true
            default: false
            }
        }
    }

    @Test("sound is withdrawn at once while a stop is unanswered, and the message follows the stop")
    func takesBackAtOnce() async throws {
        let (stage, session) = try await Self.playing()
        stage.receiver.change { $0.held = [.pause] }
        let stopping = Task { try await session.stop() }
        _ = try await stage.receiver.wait(for: .pause)
        let frame: Int64 = 352 * 100
        let isTaken = Recorder(false)
        let taking = Task { () -> Withdrawal? in
            let withdrawal = await session.takeBack(from: frame)
            isTaken.update { $0 = true }
            return withdrawal
        }
        let hasTaken = try await isTaken.wait(for: "the withdrawal", limit: Self.limit) { $0 ? true : nil }
        #expect(hasTaken && session.depth().endFrame == frame)
        guard let withdrawal = await taking.value else { return #expect(Bool(false), "no message") }
        let telling = Task { try await withdrawal(.zero) }
        stage.receiver.release(.pause)
        _ = try await stopping.value
        try await telling.value
        #expect(Self.steps(stage.receiver) == [.anchor, .pause, .deferredFlush])
        await stage.group.close()
    }

    @Test("no message follows a withdrawal if the speaker drops all its sound before it")
    func droppedMeanwhile() async throws {
        let (stage, session) = try await Self.playing()
        guard let withdrawal = await session.takeBack(from: 352 * 100) else {
            return #expect(Bool(false), "no message")
        }
        #expect(try await session.start(Self.line(352 * 10), needsBeginning: false) == .accepted)
        try await withdrawal(.zero)
        #expect(Self.steps(stage.receiver) == [.anchor, .pause, .flush, .anchor])
        session.resume(from: 352 * 100)
        await stage.group.close()
    }

    @Test("sound of which the speaker has refused a clear is flushed by the next start")
    func failedClear() async throws {
        let (stage, session) = try await Self.playing()
        stage.receiver.change { $0.flushRefusals = 1 }
        await #expect(throws: SpeakerFailure.self) { try await session.clear() }
        // The stream has begun anew, with all that the store has.
        _ = try await stage.receiver.waitForPackets(202 + 202)
        #expect(try await session.start(Self.line(352 * 10), needsBeginning: false) == .accepted)
        #expect(Self.steps(stage.receiver) == [.anchor, .pause, .flush, .flush, .anchor])
        await stage.group.close()
    }

    @Test(
        "a start flushes if sound was withdrawn without a message before the stop was answered"
    )
    func stopBehindSilentWithdrawal() async throws {
        var timing = Stage.timing
        timing.stopLimit = .seconds(3600)
        let (stage, session) = try await Self.playing(timing: timing)
        stage.receiver.change { $0.held = [.pause] }
        let stopping = Task { try await session.stop() }
        _ = try await stage.receiver.wait(for: .pause)
        await session.takeBackSilently(from: 352 * 100)
        session.resume(from: 352 * 100)
        stage.receiver.release(.pause)
        _ = try await stopping.value
        #expect(try await session.start(Self.line(352 * 20), needsBeginning: false) == .accepted)
        #expect(Self.steps(stage.receiver) == [.anchor, .pause, .flush, .anchor])
        await stage.group.close()
    }

    @Test("an edit does not wait for a speaker that does not answer a seek, and reaches it behind the seek")
    func editBesideSilence() async throws {
        var timing = Stage.timing
        timing.groupAnswerTimeout = .milliseconds(20)
        let receivers = try [
            FakeReceiver(.fast, name: "First", host: 1), FakeReceiver(.fast, name: "Second", host: 2),
        ]
        let stage = Stage(receivers, timing: timing)
        stage.setSilence()
        stage.fill(200)
        for receiver in receivers { try await stage.wait(for: .waitingForClock, of: receiver) }
        stage.start(host: Self.later)
        for receiver in receivers {
            try await stage.wait(for: .playing, of: receiver)
            _ = try await receiver.waitForPackets(202)
        }
        receivers[1].change { $0.held = [.pause] }
        stage.start(at: 352 * 20, host: Self.later)
        _ = try await receivers[1].wait(for: .pause)
        _ = try await receivers[0].wait(for: .anchor, times: 2)
        // The second speaker, too, is being sent the sound of the seek.
        _ = try await receivers[1].waitForPackets(202 + 182)
        let frame: Int64 = 352 * 100
        let answer = Recorder<Bool?>(nil)
        stage.group.cut(at: frame) { isCut in answer.update { $0 = isCut } }
        #expect(try await answer.wait(for: "an answer to the cut", limit: Self.limit) { $0 })
        _ = try await receivers[0].wait(for: .deferredFlush)
        stage.store.truncate(at: frame)
        stage.fill(40, from: frame, mark: 1)
        stage.group.resume(from: frame)
        receivers[1].release(.pause)
        let flush = try #require(try await receivers[1].wait(for: .deferredFlush).flush)
        let packets = try await receivers[1].waitForPackets(202 + 182 + 40)
        #expect(flush.from?.sequenceNumber == packets.last { $0.frame == frame && $0.mark == 0 }?.sequence)
        #expect(Self.steps(receivers[1]) == [.anchor, .pause, .flush, .anchor, .deferredFlush])
        await stage.group.close()
    }
}
