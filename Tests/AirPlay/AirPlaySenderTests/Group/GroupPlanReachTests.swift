import Testing
import TuttiMediaTime

@testable import AirPlaySender

@Suite("Commands of a group of which a speaker is out of reach")
struct GroupPlanReachTests {
    private static let (a, b) = (PlanRun.a, PlanRun.b)

    /// Gives a command, lets all but one speaker answer at once, and returns how long the next command has to wait. The wait
    /// for a beginning is answered on this side, also of the silent speaker.
    private static func busyTime(_ run: inout PlanRun, _ command: GroupInput, silent: SessionID) -> Duration {
        let start = run.now
        run.give(command)
        while true {
            run.answerBeginning(of: silent)
            while let next = run.requests.first(where: { $0.id != silent }) { run.answer(next.id) }
            guard run.plan.isBusy, let deadline = run.plan.deadline else { return run.now.since(start) }
            run.wait(deadline.since(run.now))
        }
    }

    @Test("commands wait a second and a half at most for a speaker out of reach, until it answers again")
    func outOfReach() {
        var run = PlanRun(open: [Self.a, Self.b])
        run.playing()
        var waited = Duration.zero
        for number in 0..<10 as Range<Int64> {
            waited += Self.busyTime(&run, .stop(frame: number), silent: Self.b)
            waited += Self.busyTime(&run, .clear, silent: Self.b)
            waited += Self.busyTime(&run, .start(frame: number, wanted: nil), silent: Self.b)
        }
        #expect(waited <= .milliseconds(1500) && waited >= .seconds(1))
        while run.requests.contains(where: { $0.id == Self.b }) { run.answer(Self.b) }
        #expect(Self.busyTime(&run, .stop(frame: 0), silent: Self.b) == .milliseconds(400))
    }

    @Test("once a sign of life is missing, no command waits for the speaker, nor a start for its clock")
    func missingSign() {
        var run = PlanRun(open: [Self.a, Self.b])
        run.playing()
        run.ready[Self.b] = .some(nil)
        run.give(.silent(Self.b))
        for command in [GroupInput.stop(frame: 0), .start(frame: 0, wanted: nil)] {
            #expect(Self.busyTime(&run, command, silent: Self.b) == .zero)
        }
        #expect(run.plan.line != nil)
        run.give(.alive(Self.b, slowest: .zero))
        for _ in 0..<4 { run.answer(Self.b) }
        #expect(Self.busyTime(&run, .stop(frame: 0), silent: Self.b) == .milliseconds(400))
    }

    @Test("if no speaker answers, all are waited for")
    func allOutOfReach() {
        var run = PlanRun(open: [Self.a])
        run.playing()
        run.give(.silent(Self.a))
        #expect(Self.busyTime(&run, .stop(frame: 0), silent: Self.a) == .milliseconds(400))
    }

    @Test("a speaker whose request was not answered in time is waited for again after its next sign of life")
    func backInReach() {
        var run = PlanRun(open: [Self.a, Self.b])
        run.playing()
        run.give(.stop(frame: 0))
        run.answer(Self.a)
        run.wait(.seconds(5))
        while run.requests.contains(where: { $0.id == Self.b }) {
            run.answer(Self.b, .failed(SpeakerFailure(.silent, "no answer in time")))
        }
        #expect(Self.busyTime(&run, .stop(frame: 1), silent: Self.b) == .zero)
        run.give(.alive(Self.b, slowest: .zero))
        #expect(Self.busyTime(&run, .clear, silent: Self.b) == .milliseconds(400))
    }

    @Test(
        "a speaker whose session is resumed during a pause is stopped, because it may play on",
        arguments: [true, false])
    func openedInPause(hasResumed: Bool) {
        var run = PlanRun(open: [Self.a])
        run.playing()
        run.give(.stop(frame: 7))
        run.answer(Self.a)
        run.requests = []
        var traits = PlanRun.traits()
        (traits.hasResumed, traits.mayPlay) = (hasResumed, true)
        run.open(Self.b, traits)
        #expect(run.requests.first?.request == .stop && run.requests.first?.id == Self.b)
        // Its answer is lost.
        run.answer(Self.b, .failed(SpeakerFailure(.silent, "no answer in time")))
        run.give(.alive(Self.b, slowest: .zero))
        #expect(run.requests.last?.request == .stop && run.requests.last?.id == Self.b)
    }
}
