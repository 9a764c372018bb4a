import AirPlayMessages
import Testing
import TuttiMediaTime

@testable import AirPlaySender

@Suite("Decisions of a group, without speakers")
struct GroupPlanTests {
    private static let (a, b) = (PlanRun.a, PlanRun.b)
    private static let retry = SenderTiming().anchorRetry

    // MARK: Starts

    @Test("a start prepares, waits for the beginning, sends the anchor, and reports its instant")
    func order() {
        var run = PlanRun(open: [Self.a])
        run.give(.start(frame: 7, wanted: nil))
        #expect(run.requests.map(\.request) == [.prepare(frame: 7)] && run.plan.isBusy)
        run.answer(Self.a)
        #expect(run.requests.map(\.request) == [.waitForBeginning(frame: 7)] && run.plan.isBusy)
        #expect(run.started.isEmpty)
        run.answer(Self.a)
        #expect(!run.plan.isBusy)
        let line = PlanRun.line(frame: 7, at: run.now.advanced(by: .milliseconds(100)))
        #expect(run.requests.map(\.request) == [.start(line, needsBeginning: true)])
        #expect(run.started == [line.host])
        run.answer(Self.a, .start(.accepted))
        #expect(run.reports.contains(.state(Self.a, .playing)) && run.reports.last == .present)
        #expect(run.plan.playsCorrectly(Self.a) && run.plan.deadline == nil)
    }

    @Test("a start at a given instant needs no beginning, does not move, and is not confirmed")
    func wanted() {
        var run = PlanRun(open: [Self.a], traits: PlanRun.traits(showsClock: true))
        let wanted = run.now.advanced(by: .seconds(10))
        run.give(.start(frame: 7, wanted: wanted))
        run.answer(Self.a)
        #expect(
            run.requests.map(\.request) == [
                .start(PlanRun.line(frame: 7, at: wanted), needsBeginning: false)
            ])
        run.answer(Self.a, .start(.accepted))
        #expect(run.plan.deadline == nil)
    }

    @Test("a speaker that does not answer delays the start by one timeout for each of two steps")
    func patience() {
        var run = PlanRun(open: [Self.a, Self.b])
        run.give(.start(frame: 0, wanted: nil))
        run.answer(Self.a)
        run.wait(.milliseconds(399))
        #expect(run.plan.isBusy && run.requests.count == 1)
        run.wait(.milliseconds(1))
        run.requests.removeAll { $0.id == Self.a }
        run.give(.time)
        run.wait(.milliseconds(400))
        #expect(!run.plan.isBusy && run.starts.map(\.id) == [Self.a, Self.b])
    }

    @Test("a beginning that waited for the link makes a start later, one that waited for sound does not")
    func blockedBeginning() {
        for (blocked, lead) in [(0, 20), (30, 50), (500, 150)] {
            var run = PlanRun(open: [Self.a, Self.b])
            run.playing()
            run.give(.start(frame: 7, wanted: nil))
            run.answer(Self.a)
            run.answer(Self.b)
            run.wait(.milliseconds(60))
            run.answer(Self.a, .sent(blocked: .milliseconds(blocked)))
            run.answer(Self.b, .sent(blocked: .zero))
            let line = PlanRun.line(frame: 7, at: run.now.advanced(by: .milliseconds(lead)))
            #expect(run.starts.map(\.line) == [line, line], "\(blocked) ms")
        }
    }

    /// The lead of a start in each situation, if the speakers answer at once.
    private static let leads: [(String, Duration, @Sendable (inout PlanRun) -> Void)] = [
        ("first start", .milliseconds(100), { _ in }),
        ("jump", .milliseconds(40), { $0.playing() }),
        (
            "behind a first start that never began", .milliseconds(100),
            { run in
                run.give(.start(frame: 0, wanted: nil))
                run.give(.startSuperseded)
            }
        ),
        (
            "right behind a stop of a first start that never began", .milliseconds(100),
            { run in
                run.give(.start(frame: 0, wanted: nil))
                run.give(.startSuperseded)
                run.give(.stop(frame: 0))
                run.answer(a)
                run.answer(a)
            }
        ),
        (
            "jump right behind a stop", .milliseconds(40),
            { run in
                run.playing()
                run.give(.stop(frame: 0))
                run.answer(a)
            }
        ),
        (
            "resume", .milliseconds(100),
            { run in
                run.playing()
                run.give(.stop(frame: 0))
                run.answer(a)
                run.wait(.seconds(1))
            }
        ),
        (
            "resume, some time after a flush under the running line", .milliseconds(100),
            { run in
                run.playing()
                run.give(.clear)
                run.answer(a)
                run.give(.anchorAgain)
                run.answer(a, .start(.accepted))
                run.give(.stop(frame: 0))
                run.answer(a)
                run.wait(.seconds(1))
            }
        ),
        (
            "another sound after a pause", .milliseconds(40),
            { run in
                run.playing()
                run.give(.stop(frame: 0))
                run.answer(a)
                run.give(.clear)
                run.prepareAll()
                run.wait(.seconds(1))
            }
        ),
    ]

    @Test("the situation decides the lead of a start", arguments: leads.indices)
    func lead(index: Int) {
        let (name, lead, situation) = Self.leads[index]
        var run = PlanRun(open: [Self.a])
        situation(&run)
        (run.requests, run.reports) = ([], [])
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        #expect(run.started == [run.now.advanced(by: lead)], "\(name)")
    }

    @Test("a session that opens while a start waits is prepared without blocking commands")
    func opensLater() {
        var run = PlanRun()
        run.give(.joined(MemberID(number: 1)))
        run.give(.start(frame: 3, wanted: nil))
        #expect(!run.plan.isBusy)
        run.wait(.seconds(1))
        run.open(Self.a)
        #expect(run.requests.map(\.request) == [.prepare(frame: 3)] && !run.plan.isBusy)
        run.prepareAll()
        #expect(run.starts.count == 1)
    }

    @Test("a start covers the lead of a session that opens after it was requested", arguments: [true, false])
    func leadOfLaterSession(isFree: Bool) {
        var run = PlanRun()
        run.give(.joined(MemberID(number: 1)))
        run.give(.start(frame: 3, wanted: isFree ? nil : run.now.advanced(by: .seconds(2))))
        run.wait(.seconds(1))
        var traits = PlanRun.traits()
        traits.leads.start = .milliseconds(2600)
        run.open(Self.a, traits)
        run.prepareAll()
        #expect(run.started == [run.now.advanced(by: .milliseconds(2600))])
    }

    @Test("a start waits for a speaker whose clock is unknown, and fails it after a time limit")
    func clockless() {
        var run = PlanRun(open: [Self.a])
        run.ready[Self.a] = .some(nil)
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        run.wait(.seconds(7))
        #expect(run.starts.isEmpty && !run.reports.contains(.fail(Self.a, nil)))
        run.wait(.seconds(2))
        #expect(run.reports.contains(.fail(Self.a, nil)))
        run.give(.lost(MemberID(number: 1)))
        #expect(run.plan.deadline == nil)
    }

    // MARK: Anchors

    @Test("a refusal by all moves the line, up to twenty times; then the speaker fails")
    func refused() {
        var run = PlanRun(open: [Self.a])
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        for number in 1...PlayPhase.anchorTries {
            #expect(run.starts.count == 1)
            run.answer(Self.a, .start(.notYet(400)))
            #expect(run.reports.contains(.fail(Self.a, nil)) == (number == PlayPhase.anchorTries))
            run.wait(Self.retry)
        }
        let starts = run.started
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("a speaker that refuses while the other accepts joins the same line later")
    func oneRefuses() {
        var run = PlanRun(open: [Self.a, Self.b])
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        run.answer(Self.b, .start(.notYet(400)))
        run.answer(Self.a, .start(.accepted))
        let line = run.plan.line
        #expect(run.starts.isEmpty)
        run.wait(Self.retry)
        #expect(run.starts.map(\.id) == [Self.b])
        #expect(run.starts.first?.line == line?.advanced(to: run.now.advanced(by: .milliseconds(300))))
        run.answer(Self.b, .start(.accepted))
        #expect(run.plan.playsCorrectly(Self.b) && run.started.count == 1)
    }

    @Test("a speaker that refuses anchors until its clock is ready plays the beginning of the others' line")
    func refusesUntilReady() throws {
        var run = PlanRun(open: [Self.a])
        var traits = PlanRun.traits()
        traits.receiver.airPlay = AirPlayTXTRecord([(key: "manufacturer", value: "Sonos")])
        run.open(Self.b, traits)
        let isReadyAt = run.now.advanced(by: .milliseconds(2300))
        run.ready[Self.b] = isReadyAt
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        run.answer(Self.b, .start(.notYet(400)))
        run.answer(Self.a, .start(.accepted))
        let line = try #require(run.plan.line)
        while run.now < isReadyAt {
            run.wait(.milliseconds(10))
            if run.now < isReadyAt, !run.starts.isEmpty { run.answer(Self.b, .start(.notYet(400))) }
        }
        #expect(run.starts.map(\.id) == [Self.b])
        #expect(run.starts.first?.line == line)
    }

    /// Answers to an anchor after the other speaker has begun, and the wait until the speaker joins.
    private static let lateAnswers: [(String, GroupAnswer, moved: Bool, next: Duration?)] = [
        ("taken", .start(.accepted), false, nil),
        ("taken, of a line that has moved", .start(.accepted), true, .zero),
        ("refused", .start(.notYet(400)), false, retry),
        ("refused, of a line that has moved", .start(.notYet(400)), true, retry),
        ("silent", .failed(SpeakerFailure(.silent, "x")), false, retry),
        ("too late", .start(.late(.milliseconds(3))), false, .zero),
        ("too late, of a line that has moved", .start(.late(.milliseconds(3))), true, .zero),
        ("replaced", .start(.superseded), false, nil),
        ("gone", .failed(SpeakerFailure(.lost, "x")), false, nil),
    ]

    @Test("a speaker that answers an anchor late joins the running line", arguments: lateAnswers.indices)
    func lateAnswer(index: Int) throws {
        let (name, answer, moved, next) = Self.lateAnswers[index]
        var run = PlanRun(open: [Self.a, Self.b], traits: PlanRun.traits(showsClock: moved))
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        run.answer(Self.a, .start(.accepted))
        if moved {
            // The second speaker has already confirmed its clock; the first has not, and moves the line.
            run.plan.sessions.change(Self.b) { $0.hasShownClock = true }
            run.wait(.milliseconds(100))
            run.answer(Self.a, .follows(false))
            #expect(run.started.count == 2, "\(name)")
        }
        run.wait(.milliseconds(500))
        let line = try #require(run.plan.line)
        run.requests.removeAll { $0.id == Self.a }
        run.answer(Self.b, answer)
        if let next {
            run.wait(next)
            let start = try #require(run.starts.first { $0.id == Self.b }, "\(name)")
            #expect(start.line.host == line.host(of: start.line.frame), "\(name)")
            #expect(start.line.host > run.now, "\(name)")
        } else {
            run.wait(.seconds(2))
            #expect(run.starts.isEmpty, "\(name)")
            #expect(run.plan.playsCorrectly(Self.b) == (answer == .start(.accepted)), "\(name)")
        }
    }

    @Test("a first start moves until every speaker confirms that it follows the clock")
    func confirmation() {
        var run = PlanRun(open: [Self.a], traits: PlanRun.traits(showsClock: true))
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        run.answer(Self.a, .start(.accepted))
        for (number, move) in [40, 80, 120, 120].enumerated() {
            run.wait(.milliseconds(120))
            #expect(run.requests.map(\.request) == [.askWhetherItFollows])
            run.answer(Self.a, .follows(false))
            #expect(run.started.count == number + 2)
            #expect(run.started.last?.since(run.now) == .milliseconds(move))
            #expect(
                run.requests.map(\.request) == [.move(run.plan.line ?? PlanRun.line(frame: 0, at: run.now))])
            run.answer(Self.a)
        }
        run.wait(.milliseconds(120))
        run.answer(Self.a, .follows(true))
        #expect(run.plan.deadline == nil && run.started.count == 5)
    }

    // MARK: Stale answers

    @Test("a stop makes all answers to the start before it ineffective", arguments: 0..<3)
    func oldAnswers(answered: Int) {
        var run = PlanRun(open: [Self.a, Self.b])
        run.give(.start(frame: 0, wanted: nil))
        for _ in 0..<answered {
            run.answer(Self.a)
            run.answer(Self.b)
        }
        let old = run.requests
        run.give(.stop(frame: 50))
        run.requests.removeAll { sent in old.contains { $0.round == sent.round } }
        run.answer(Self.a)
        run.answer(Self.b)
        run.wait(.seconds(1))
        (run.requests, run.reports) = ([], [])
        for sent in old {
            for answer in [
                GroupAnswer.done, .start(.accepted), .start(.late(.zero)), .start(.notYet(400)),
            ] {
                run.give(.answered(sent.id, round: sent.round, answer, slowest: .zero))
            }
        }
        run.wait(.seconds(5))
        #expect(run.requests.isEmpty && run.reports.isEmpty)
        #expect(run.plan.playhead(at: run.now) == 50 && run.plan.line == nil)
    }

    @Test("a speaker that has missed a stop is told again when it answers")
    func missedStop() {
        var run = PlanRun(open: [Self.a, Self.b])
        run.playing()
        run.give(.stop(frame: 44_100))
        run.answer(Self.a, .stopped(at: nil))
        run.answer(Self.b, .failed(SpeakerFailure(.silent, "no answer in time")))
        run.wait(.seconds(2))
        run.requests = []
        for _ in 0..<2 {
            for id in [Self.a, Self.b] { run.give(.alive(id, slowest: .zero)) }
            #expect(run.requests.map { $0.id } == [Self.b])
        }
        run.answer(Self.b, .stopped(at: nil))
        run.give(.alive(Self.b, slowest: .zero))
        #expect(run.requests.isEmpty)
    }

    @Test("a speaker that has missed a stop and a clear behind it is stopped when it answers")
    func missedStopAndClear() {
        let silence = GroupAnswer.failed(SpeakerFailure(.silent, "no answer in time"))
        var run = PlanRun(open: [Self.a, Self.b])
        run.playing()
        run.give(.stop(frame: 44_100))
        run.answer(Self.a, .stopped(at: nil))
        run.wait(.seconds(1))
        run.give(.clear)
        run.requests.removeAll { $0.id == Self.a || $0.request == .refill(frame: 44_100) }
        // The stop's answer, which comes behind the clear, is not the newest.
        run.answer(Self.b, silence)
        run.give(.alive(Self.b, slowest: .zero))
        #expect(run.requests.map(\.request) == [.clear])
        run.answer(Self.b, silence)
        run.wait(.seconds(1))
        for id in [Self.a, Self.b] { run.give(.alive(id, slowest: .zero)) }
        #expect(run.requests.map(\.request) == [.stop] && run.requests.map(\.id) == [Self.b])
        run.answer(Self.b, .stopped(at: nil))
        run.give(.alive(Self.b, slowest: .zero))
        #expect(run.requests.isEmpty)
    }

    @Test("a start does not wait for the answer of an ended session")
    func endedSession() {
        var run = PlanRun(open: [Self.a, Self.b])
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        run.give(.lost(MemberID(number: 2)))
        run.answer(Self.a, .start(.notYet(400)))
        #expect(run.plan.deadline != nil)
        run.answer(Self.b, .failed(SpeakerFailure(.lost, "x")))
        run.wait(Self.retry)
        #expect(run.starts.map(\.id) == [Self.a])
    }
}
