import Testing
import TuttiMediaTime

@testable import AirPlaySender

@Suite("Starts that are too late for a speaker")
struct LateStartTests {
    private static let (a, b) = (PlanRun.a, PlanRun.b)

    @Test(
        "a line late for all moves three times, by the lateness and a jump's lead, then loses its beginning")
    func allLate() {
        var run = PlanRun(open: [Self.a, Self.b])
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        for moves in 0..<3 {
            #expect(run.starts.allSatisfy { $0.needsBeginning } && run.starts.count == 2)
            let before = run.started.last ?? run.now
            run.answer(Self.a, .start(.late(.milliseconds(10))))
            run.answer(Self.b, .start(.late(.milliseconds(30))))
            #expect(run.started.count == moves + 2)
            #expect(run.started.last?.since(before) == .milliseconds(70))
        }
        #expect(run.starts.allSatisfy { !$0.needsBeginning })
    }

    @Test("a line whose start arrives seconds late moves by the lateness, not by the time on the way as well")
    func lateByFar() throws {
        var run = PlanRun(open: [Self.a])
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        let line = try #require(run.plan.line)
        run.wait(.seconds(3))
        run.answer(Self.a, .start(.late(.milliseconds(3100))))
        #expect(run.plan.line?.host == line.host.advanced(by: .milliseconds(3140)))
        run.wait(.seconds(2))
        let now = run.now
        run.answer(Self.a, .start(.late(.milliseconds(20))))
        #expect(run.plan.line?.host == now.advanced(by: .milliseconds(40)))
    }

    @Test("a speaker that refuses its anchor, or is late for it, does not wait for one out of reach")
    func refusedBesideSilent() {
        for answer in [StartAnswer.notYet(400), .late(.milliseconds(30))] {
            for isKnown in [true, false] {
                var run = PlanRun(open: [Self.a, Self.b])
                run.playing()
                if isKnown { run.give(.silent(Self.b)) }
                run.give(.start(frame: 0, wanted: nil))
                while let next = run.requests.first(where: { $0.id == Self.a }) {
                    if case .start = next.request { break }
                    run.answer(Self.a)
                    run.answerBeginning(of: Self.b)
                    if !isKnown { run.wait(.milliseconds(400)) }
                }
                let asked = run.now
                run.answer(Self.a, .start(answer))
                while !run.starts.contains(where: { $0.id == Self.a }), let next = run.plan.deadline {
                    run.wait(next.since(run.now))
                }
                #expect(run.starts.contains { $0.id == Self.a })
                #expect(run.now.since(asked) <= .milliseconds(isKnown ? 500 : 900), "\(answer) \(isKnown)")
            }
        }
    }

    @Test("a single late speaker starts on the same line, and loses its beginning")
    func lateAlone() throws {
        var run = PlanRun(open: [Self.a, Self.b])
        run.give(.start(frame: 1000, wanted: nil))
        run.prepareAll()
        run.answer(Self.a, .start(.accepted))
        let line = try #require(run.plan.line)
        run.answer(Self.b, .start(.late(.milliseconds(100))))
        let start = try #require(run.starts.first)
        #expect(run.starts.count == 1 && start.id == Self.b)
        #expect(!start.needsBeginning && start.line == line && run.plan.line == line)
        run.answer(Self.b, .start(.accepted))
        #expect(run.plan.playsCorrectly(Self.b) && run.started.count == 1)
    }

    @Test("the line moves for a late speaker only once the others have had their time to answer")
    func lateBeforeOthers() {
        var run = PlanRun(open: [Self.a, Self.b])
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        run.answer(Self.b, .start(.late(.milliseconds(30))))
        run.wait(.milliseconds(399))
        #expect(run.started.count == 1 && run.starts.map(\.id) == [Self.a])
        run.wait(.milliseconds(1))
        #expect(run.started.count == 2 && run.starts.map(\.id) == [Self.a, Self.b])
        // The other speaker has begun along the line before: it joins the new one.
        run.answer(Self.a, .start(.accepted))
        #expect(run.starts.map(\.id) == [Self.b, Self.a] && run.started.count == 2)
    }

    @Test(
        "a speaker that is late for a line along which another one plays does not wait for one out of reach")
    func lateBesideSilent() throws {
        let c = SessionID(number: 3)
        for isLateFirst in [true, false] {
            var run = PlanRun(open: [Self.a, Self.b, c])
            run.give(.start(frame: 0, wanted: nil))
            run.prepareAll()
            let line = try #require(run.plan.line)
            if isLateFirst { run.answer(Self.b, .start(.late(.milliseconds(25)))) }
            run.answer(Self.a, .start(.accepted))
            if !isLateFirst { run.answer(Self.b, .start(.late(.milliseconds(25)))) }
            let start = try #require(run.starts.first { $0.id == Self.b })
            #expect(!start.needsBeginning && start.line == line)
            run.answer(Self.b, .start(.accepted))
            #expect(run.plan.playsCorrectly(Self.b))
            run.wait(.seconds(2))
            #expect(run.starts.map(\.id) == [c] && run.started.count == 1)
        }
    }

    @Test("a late speaker that was anchored again meanwhile is not started twice", arguments: [true, false])
    func lateAnchoredAgain(isAnswered: Bool) {
        var run = PlanRun(open: [Self.a, Self.b])
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        run.answer(Self.b, .start(.late(.milliseconds(25))))
        run.give(.anchorAgain)
        if isAnswered { run.answer(Self.b, .start(.accepted)) }
        run.answer(Self.a, .start(.accepted))
        #expect(run.starts.count { $0.id == Self.b } == (isAnswered ? 0 : 1))
        run.answer(Self.b, .start(.accepted))
        #expect(run.plan.playsCorrectly(Self.b))
    }
}
