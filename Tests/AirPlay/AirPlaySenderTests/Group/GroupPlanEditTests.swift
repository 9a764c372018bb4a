import AirPlayMessages
import Testing
import TuttiMediaTime

@testable import AirPlaySender

@Suite("Decisions of a group about pauses and edits, without speakers")
struct GroupPlanEditTests {
    private static let (a, b) = (PlanRun.a, PlanRun.b)

    @Test("a paused speaker is refilled shortly after the latest stop, from the frame of that stop")
    func refill() {
        var run = PlanRun(open: [Self.a])
        run.playing()
        run.give(.stop(frame: 10))
        #expect(run.requests.map(\.request) == [.stop] && run.plan.isBusy)
        run.answer(Self.a)
        #expect(!run.plan.isBusy && run.reports == [.state(Self.a, .ready)])
        run.wait(.milliseconds(150))
        run.give(.stop(frame: 20))
        run.wait(.milliseconds(199))
        #expect(run.requests.isEmpty)
        run.wait(.milliseconds(1))
        #expect(run.requests.map(\.request) == [.refill(frame: 20)])
        run.answer(Self.a)
        #expect(run.plan.deadline == nil)
    }

    @Test("an open cut defers the refill of a paused speaker until the cut ends")
    func openCut() {
        var run = PlanRun(open: [Self.a])
        run.playing()
        run.give(.stop(frame: 10))
        run.answer(Self.a)
        run.give(.cut)
        run.wait(.seconds(1))
        #expect(run.requests.isEmpty)
        run.give(.resume)
        #expect(run.requests.map(\.request) == [.refill(frame: 10)])
    }

    @Test(
        "a speaker that missed a cut is cleared and rejoins: after the cut if it refused, or once it answers",
        arguments: [SpeakerFailure.Code.refused, .silent])
    func missedCut(code: SpeakerFailure.Code) {
        var run = PlanRun(open: [Self.a, Self.b])
        run.playing()
        run.give(.cut)
        // The others do not wait until the request has timed out.
        if code == .silent { run.give(.resume) }
        run.give(.cutSent(Self.b))
        run.give(.cutMissed(Self.b, SpeakerFailure(code, "x")))
        #expect(run.requests.isEmpty && !run.plan.playsCorrectly(Self.b))
        if code == .refused { run.give(.resume) } else { run.give(.alive(Self.b, slowest: .zero)) }
        #expect(run.requests.map(\.request) == [.clear])
        run.answer(Self.b)
        #expect(run.starts.map(\.id) == [Self.b])
        run.answer(Self.b, .start(.accepted))
        #expect(run.plan.playsCorrectly(Self.b) && run.plan.playsCorrectly(Self.a))
    }

    @Test("a session does not count as playing correctly until its speaker has answered every cut")
    func cutUnderWay() {
        var run = PlanRun(open: [Self.a, Self.b])
        run.playing()
        for input in [GroupInput.cut, .cutSent(Self.a), .cutSent(Self.b), .cutSent(Self.b), .resume] {
            run.give(input)
        }
        run.give(.cutTaken(Self.a))
        run.give(.cutTaken(Self.b))
        // A connection that breaks now must not be continued: the speaker may have the withdrawn sound.
        #expect(run.plan.playsCorrectly(Self.a) && !run.plan.playsCorrectly(Self.b))
        run.give(.cutTaken(Self.b))
        #expect(run.plan.playsCorrectly(Self.b))
    }

    @Test("a speaker that missed a cut and answers while it is open is cleared at its end")
    func missedOpenCut() {
        var run = PlanRun(open: [Self.a, Self.b])
        run.playing()
        run.give(.cut)
        run.give(.cutSent(Self.b))
        run.give(.cutMissed(Self.b, SpeakerFailure(.silent, "x")))
        run.give(.alive(Self.b, slowest: .zero))
        #expect(run.requests.isEmpty)
        run.give(.resume)
        #expect(run.requests.map(\.request) == [.clear] && run.requests.map(\.id) == [Self.b])
    }

    @Test("a speaker that joins while a cut is open is started at its end")
    func joinsInCut() {
        var run = PlanRun(open: [Self.a])
        run.playing()
        run.give(.cut)
        run.open(Self.b)
        #expect(run.plan.deadline == nil)
        run.wait(.seconds(1))
        run.give(.alive(Self.b, slowest: .zero))
        #expect(run.requests.isEmpty)
        run.give(.resume)
        #expect(run.starts.map(\.id) == [Self.b])
    }

    @Test("a speaker that joins while a cut is open, and all sound is dropped, is started with the others")
    func joinsBeforeClear() {
        var run = PlanRun(open: [Self.a])
        run.playing()
        run.give(.cut)
        run.open(Self.b)
        run.give(.clear)
        #expect(run.requests.map(\.request) == [.clear, .clear])
        for id in [Self.a, Self.b] { run.answer(id) }
        run.give(.anchorAgain)
        #expect(run.starts.map(\.id) == [Self.a, Self.b])
    }

    @Test("a speaker that joins a pause while a cut is open is filled at its end")
    func joinsPauseInCut() {
        var run = PlanRun(open: [Self.a])
        run.playing()
        run.give(.stop(frame: 10))
        run.answer(Self.a)
        run.wait(.milliseconds(200))
        run.answer(Self.a)
        run.give(.cut)
        run.open(Self.b)
        #expect(run.requests.isEmpty && run.reports.last == .present)
        run.give(.resume)
        #expect(run.requests.map(\.request) == [.refill(frame: 10), .refill(frame: 10)])
        #expect(run.requests.map(\.id) == [Self.a, Self.b])
    }

    @Test("speakers rejoin the same line after a clear")
    func cleared() {
        var run = PlanRun(open: [Self.a, Self.b])
        run.playing()
        let line = run.plan.line
        run.give(.clear)
        #expect(run.plan.isBusy)
        run.answer(Self.a)
        run.answer(Self.b)
        #expect(!run.plan.isBusy && run.starts.isEmpty)
        run.give(.anchorAgain)
        #expect(run.starts.map(\.id) == [Self.a, Self.b] && run.plan.line == line)
    }

    @Test("the place of a cut is its distance from the playhead; before a start it is silent")
    func cutPlaces() {
        var run = PlanRun(open: [Self.a])
        #expect(run.plan.place(ofCut: 100, at: run.now) == .silent)
        run.give(.start(frame: 0, wanted: nil))
        #expect(run.plan.place(ofCut: 100, at: run.now) == .silent)
        run.prepareAll()
        run.answer(Self.a, .start(.accepted))
        #expect(run.plan.place(ofCut: 44_100, at: run.now) == .playing(.milliseconds(1100)))
        run.give(.stop(frame: 44_100))
        #expect(run.plan.place(ofCut: 88_200, at: run.now) == .paused(.seconds(1)))
    }

    @Test("a resumed session is already on the line, and gets no anchor")
    func resumed() {
        var run = PlanRun(open: [Self.a])
        run.playing()
        run.give(.lost(MemberID(number: 1)))
        var traits = PlanRun.traits()
        traits.hasResumed = true
        run.open(Self.b, traits)
        run.open(SessionID(number: 1), traits)
        run.wait(.seconds(1))
        #expect(run.starts.isEmpty && run.plan.playsCorrectly(Self.b))
    }
}
