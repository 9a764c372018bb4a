import AirPlayMessages
import Testing
import TuttiMediaTime

@testable import AirPlaySender

/// Decisions of a group when a speaker joins a line that runs.
@Suite("Speakers that join a running line")
struct JoinTests {
    private static let (a, b) = (PlanRun.a, PlanRun.b)
    private static let retry = SenderTiming().anchorRetry

    @Test("a speaker that joins, is refused or leaves asks nothing of the one that plays on")
    func othersAreLeftAlone() {
        var run = PlanRun(open: [Self.a])
        run.playing()
        run.wait(.seconds(3))
        run.open(Self.b)
        run.wait(.milliseconds(500))
        #expect(run.starts.map(\.id) == [Self.b])
        run.answer(Self.b, .start(.notYet(503)))
        run.wait(.seconds(1))
        #expect(run.starts.map(\.id) == [Self.b])
        run.answer(Self.b, .start(.accepted))
        run.give(.left(MemberID(number: 2)))
        run.wait(.seconds(1))
        #expect(run.requests.isEmpty && run.started.isEmpty)
    }

    @Test(
        "a line along which a speaker plays that has joined does not move for one that is silent",
        arguments: [true, false])
    func joinedMeanwhile(hasJoinedBeforeFailure: Bool) throws {
        var run = PlanRun(open: [Self.a])
        run.give(.start(frame: 0, wanted: nil))
        run.prepareAll()
        let line = try #require(run.plan.line)
        run.wait(.seconds(3))
        run.open(Self.b)
        run.wait(.milliseconds(100))
        let silence = GroupAnswer.failed(SpeakerFailure(.silent, "no answer in time"))
        if hasJoinedBeforeFailure {
            run.answer(Self.b, .start(.accepted))
            run.answer(Self.a, silence)
        } else {
            run.answer(Self.a, silence)
            run.answer(Self.b, .start(.accepted))
        }
        run.wait(Self.retry)
        #expect(run.started.count == 1 && run.plan.playsCorrectly(Self.b))
        #expect(run.starts.map(\.id) == [Self.a])
        #expect(run.starts.first?.line == line.advanced(to: run.now.advanced(by: .milliseconds(300))))
    }
}
