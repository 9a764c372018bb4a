import Testing
import TuttiMediaTime

@testable import AirPlaySender

@Suite("Start time of a group")
struct StartPlanTests {
    private static func at(_ milliseconds: Int64) -> HostTime {
        HostTime(nanoseconds: milliseconds * 1_000_000)
    }

    /// The situations of a start requested at 10,000; all times in milliseconds.
    private static let cases:
        [(String, now: Int64, wanted: Int64?, [StartPlan.Candidate], StartPlan.Decision)] = [
            ("no speaker", 10_000, nil, [], .nobody),
            ("all lost", 10_000, nil, [.lost, .lost], .nobody),
            ("one, warm", 10_000, nil, [ready(5_000)], .start(at(10_100))),
            ("one, ready soon", 10_000, nil, [ready(10_700)], .start(at(10_700))),
            ("the last of two decides", 10_000, nil, [ready(10_300), ready(10_900)], .start(at(10_900))),
            ("a lost one is not waited for", 10_000, nil, [.lost, ready(0)], .start(at(10_100))),
            ("a later wish", 10_000, 30_000, [ready(0)], .start(at(30_000))),
            ("a wish that is too soon", 10_000, 10_050, [ready(0)], .start(at(10_100))),
            ("a wish before the speaker can", 10_000, 10_200, [ready(10_800)], .start(at(10_800))),
            ("only one connecting", 60_000, nil, [.connecting], .wait(until: at(60_025))),
            (
                "one connecting, within patience", 11_499, nil, [ready(0), .connecting],
                .wait(until: at(11_524))
            ),
            ("one connecting, after patience", 11_500, nil, [ready(0), .connecting], .start(at(11_600))),
            (
                "patience begins when the first is open", 13_400, nil,
                [ready(12_000, since: 12_000), .connecting],
                .wait(until: at(13_425))
            ),
            (
                "and ends", 13_500, nil, [ready(12_000, since: 12_000), .connecting], .start(at(13_600))
            ),
            ("clock not known, alone", 10_000, nil, [unready], .wait(until: at(10_025))),
            ("clock not known, another ready", 10_500, nil, [unready, ready(0)], .wait(until: at(10_525))),
            ("clock not known, after patience", 11_600, nil, [unready, ready(0)], .start(at(11_700))),
        ]

    private static func ready(_ milliseconds: Int64, since: Int64 = 0) -> StartPlan.Candidate {
        .open(since: at(since), readyAt: at(milliseconds))
    }

    private static let unready = StartPlan.Candidate.open(since: at(9_000), readyAt: nil)

    @Test(
        "the rest of a lead is extended if the speakers were slow to prepare or to answer",
        arguments: [
            (lead: 40, spent: 4, preparing: 4, answer: 2, left: 36), (100, 25, 25, 10, 75),
            (40, 12, 12, 0, 32),
            (40, 5, 5, 30, 80), (40, 60, 60, 10, 80), (100, 900, 900, 900, 150), (400, 100, 100, 900, 300),
            // The wait for audio does not count as a slow answer.
            (40, 100, 5, 4, 28),
        ])
    func lead(lead: Int, spent: Int, preparing: Int, answer: Int, left: Int) {
        let rest = StartPlan.lead(
            .milliseconds(lead), after: .milliseconds(spent), preparing: .milliseconds(preparing),
            answer: .milliseconds(answer))
        #expect(rest == .milliseconds(left))
    }

    @Test("the speakers' states decide when to start, and their order does not", arguments: cases.indices)
    func decide(index: Int) {
        let (name, now, wanted, candidates, decision) = Self.cases[index]
        let plan = StartPlan(requestedAt: Self.at(10_000), wanted: wanted.map(Self.at))
        #expect(plan.decide(candidates, at: Self.at(now)) == decision, "\(name)")
        #expect(plan.decide(candidates.reversed(), at: Self.at(now)) == decision, "\(name), other order")
    }
}
