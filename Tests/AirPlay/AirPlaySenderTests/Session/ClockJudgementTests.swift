import Testing
import TuttiMediaTime

@testable import AirPlaySender

@Suite("The judgement of a speaker's clock, in virtual time")
struct ClockJudgementTests {
    /// A second of a session: what is known of the clock, and whether the control connection answers.
    private typealias Second = (report: ClockReport, answers: Bool)

    private static let asking = ClockReport(
        .ptp, state: .ready, requests: 9, readyTime: HostTime(nanoseconds: 0))
    private static let stalled = ClockReport(.ptp, state: .stalled, requests: 9)

    /// Returns the first second with a trouble, and the trouble.
    private func run(_ seconds: [Second]) -> (second: Int, trouble: ClockTrouble)? {
        let start = HostTime(nanoseconds: 1_000_000_000)
        var judgement = ClockJudgement(since: start)
        var lastAnswer = start
        for (index, second) in seconds.enumerated() {
            for quarter in 0..<4 {
                let now = start.advanced(by: .milliseconds(Int64(index * 1000 + quarter * 250)))
                if second.answers { lastAnswer = now }
                let trouble = judgement.trouble(second.report, lastAnswer: lastAnswer, at: now)
                if let trouble { return (index, trouble) }
            }
        }
        return nil
    }

    private func seconds(_ count: Int, _ report: ClockReport, answers: Bool = true) -> [Second] {
        Array(repeating: (report, answers), count: count)
    }

    @Test("a speaker whose link is cut and comes back is told of otherwise, not for its clock")
    func cut() {
        let cut =
            seconds(10, Self.asking) + seconds(5, Self.asking, answers: false)
            + seconds(10, Self.stalled, answers: false)
        // It answers again a moment before it asks again.
        #expect(run(cut + seconds(2, Self.stalled) + seconds(60, Self.asking)) == nil)
    }

    @Test(
        "a speaker that answers everything but asks no more is warned of, after ten seconds without a request"
    )
    func stalledAlone() throws {
        let found = try #require(run(seconds(10, Self.asking) + seconds(60, Self.stalled)))
        #expect(found == (15, .stalled))
    }

    @Test("a healthy speaker is never warned of", arguments: [ClockReport(.host), asking])
    func healthy(report: ClockReport) {
        #expect(run(seconds(600, report)) == nil)
    }

    @Test("a speaker that never asked, or gave no sign, is warned of after five seconds")
    func never() throws {
        #expect(try #require(run(seconds(60, ClockReport(.ptp)))) == (5, .unused))
        let listening = ClockReport(.ptp, state: .ready, neverAsks: true)
        #expect(try #require(run(seconds(60, listening))) == (5, .unshown))
        #expect(try #require(run(seconds(60, ClockReport(.theirs)))) == (5, .unheard))
    }
}
