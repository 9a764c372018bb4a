import AirPlayMessages
import Testing
import TuttiMediaTime

@testable import AirPlaySender

@Suite("Questions before a first sound whether speakers follow")
struct ConfirmationTests {
    private static let (a, b) = (PlanRun.a, PlanRun.b)

    /// Speakers that show whether they follow, and have accepted a line that begins in a second.
    private static func accepted(_ ids: [SessionID]) -> PlanRun {
        var run = PlanRun(open: ids, traits: PlanRun.traits(showsClock: true))
        for id in ids { run.ready[id] = .some(run.now.advanced(by: .seconds(1))) }
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        for id in ids { run.answer(id, .start(.accepted)) }
        return run
    }

    @Test("rooms that follow 0.3 s before their first sound are asked nothing just before it")
    func early() {
        var run = Self.accepted([Self.a, Self.b])
        run.wait(.milliseconds(699))
        #expect(run.requests.isEmpty)
        run.wait(.milliseconds(1))
        #expect(run.requests.map(\.request) == [.askWhetherItFollows, .askWhetherItFollows])
        run.answer(Self.a, .follows(true))
        run.answer(Self.b, .follows(true))
        run.wait(.seconds(1))
        #expect(run.requests.isEmpty && run.started.count == 1)
    }

    @Test(
        "a room that does not follow yet is asked again just before the first sound",
        arguments: [true, false])
    func again(follows: Bool) {
        var run = Self.accepted([Self.a, Self.b])
        run.wait(.milliseconds(700))
        run.answer(Self.a, .follows(true))
        run.answer(Self.b, .follows(false))
        #expect(run.started.count == 1)
        run.wait(.milliseconds(279))
        #expect(run.requests.isEmpty)
        run.wait(.milliseconds(1))
        #expect(run.requests.map(\.id) == [Self.b])
        run.answer(Self.b, .follows(follows))
        #expect(run.started.count == (follows ? 1 : 2))
    }

    @Test("an early question that is answered only just before the first sound decides")
    func slow() {
        var run = Self.accepted([Self.a, Self.b])
        run.wait(.milliseconds(985))
        run.answer(Self.a, .follows(true))
        run.answer(Self.b, .follows(false))
        #expect(run.started.count == 2)
    }

    /// Late answers to the question 0.3 s before the first sound.
    private static let lateAnswers: [GroupAnswer] = [
        .follows(true), .follows(false), .follows(nil), .failed(SpeakerFailure(.silent, "no answer in time")),
    ]

    @Test(
        "a line that has begun does not begin again, whatever another room answers late",
        arguments: lateAnswers.indices)
    func lateAnswer(index: Int) {
        var run = Self.accepted([Self.a, Self.b])
        run.wait(.milliseconds(700))
        run.answer(Self.a, .follows(false))
        run.wait(.milliseconds(280))
        // Just before the first sound, the first room is asked again without the other's answer.
        #expect(run.requests.map(\.id) == [Self.b, Self.a])
        run.answer(Self.a, .follows(true))
        run.wait(.milliseconds(1700))
        run.answer(Self.b, Self.lateAnswers[index])
        run.wait(.seconds(5))
        #expect(run.requests.isEmpty && run.started.count == 1 && run.plan.deadline == nil)
    }

    @Test(
        "the line moves for a room that does not follow just before the first sound, though another is silent"
    )
    func silent() throws {
        var run = Self.accepted([Self.a, Self.b])
        run.wait(.milliseconds(700))
        run.answer(Self.a, .follows(false))
        run.wait(.milliseconds(280))
        let silent = try #require(run.requests.first { $0.id == Self.b })
        run.answer(Self.a, .follows(false))
        #expect(run.started.count == 2)
        // An answer to a question before the move decides nothing.
        run.give(.answered(Self.b, round: silent.round, .follows(false), slowest: .zero))
        #expect(run.started.count == 2)
    }

    @Test("a room that accepts a line only after its first sound is not asked, and the others play on")
    func lateStart() {
        var run = PlanRun(open: [Self.a, Self.b], traits: PlanRun.traits(showsClock: true))
        for id in [Self.a, Self.b] { run.ready[id] = .some(run.now.advanced(by: .seconds(1))) }
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        run.answer(Self.a, .start(.accepted))
        run.wait(.milliseconds(2500))
        run.answer(Self.b, .start(.accepted))
        run.wait(.seconds(5))
        #expect(run.requests.isEmpty && run.started.count == 1)
        #expect(run.plan.playsCorrectly(Self.a) && run.plan.playsCorrectly(Self.b))
    }

    @Test("a room alone is asked just before the first sound only, because its line begins sooner")
    func alone() {
        var run = Self.accepted([Self.a])
        run.wait(.milliseconds(979))
        #expect(run.requests.isEmpty)
        run.wait(.milliseconds(1))
        #expect(run.requests.map(\.request) == [.askWhetherItFollows])
    }
}
