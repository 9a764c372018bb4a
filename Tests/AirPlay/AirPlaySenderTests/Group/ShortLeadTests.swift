import AirPlayMessages
import Testing
import TuttiMediaTime

@testable import AirPlaySender

@Suite("Lead of a first start on a speaker that refuses late starts")
struct ShortLeadTests {
    private static let (a, b) = (PlanRun.a, PlanRun.b)

    @Test(
        "a speaker alone that refuses late starts has a short lead; in a group, or by instant, the usual one",
        arguments: 0..<3)
    func shortLeadAlone(situation: Int) {
        var run = PlanRun()
        run.give(.joined(MemberID(number: 1)))
        if situation == 1 { run.give(.joined(MemberID(number: 2))) }
        // A time that is too early for any speaker.
        let wanted = situation == 2 ? run.now : nil
        run.give(.start(frame: 3, wanted: wanted))
        run.wait(.seconds(1))
        var traits = PlanRun.traits()
        traits.startLeadAlone = DeviceQuirks(family: .tutti).startLeadAlone
        run.open(Self.a, traits)
        if situation == 1 { run.open(Self.b, traits) }
        run.prepareAll()
        let lead = Duration.milliseconds(situation == 0 ? 40 : 100)
        #expect(run.started == [run.now.advanced(by: lead)])
        #expect(run.starts.allSatisfy { $0.needsBeginning == (situation < 2) })
    }

    @Test("a short lead that is too short moves the line, and nothing is lost")
    func shortLeadTooShort() throws {
        var run = PlanRun()
        run.give(.joined(MemberID(number: 1)))
        run.give(.start(frame: 3, wanted: nil))
        var traits = PlanRun.traits()
        traits.startLeadAlone = .milliseconds(40)
        run.open(Self.a, traits)
        run.prepareAll()
        run.answer(Self.a, .start(.late(.milliseconds(25))))
        let start = try #require(run.starts.first)
        #expect(start.line.frame == 3 && start.needsBeginning && run.plan.line == start.line)
        #expect(start.line.host == run.now.advanced(by: .milliseconds(40 + 25 + 40)))
    }
}
