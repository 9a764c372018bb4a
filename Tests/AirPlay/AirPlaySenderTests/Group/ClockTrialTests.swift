import Testing
import TuttiMediaTime

@testable import AirPlaySender

@Suite("Trial of another clock")
struct ClockTrialTests {
    private static let troubles: [(ClockTrouble, SessionChoice.Clock, words: String)] = [
        (.unused, .ntp, "Tutti now tries NTP"), (.insists, .theirs, "Tutti now follows its clock"),
    ]

    @Test(
        "a speaker that never asks for PTP gets its own clock or NTP, and PTP for good if that does no better",
        arguments: troubles.indices)
    func neither(index: Int) throws {
        let (trouble, clock, words) = Self.troubles[index]
        var trial = ClockTrial()
        #expect(trial.instead == nil)
        let next = try #require(trial.next(after: trouble, ClockReport(.ptp)))
        #expect(next.clock == clock)
        #expect(trial.begin(next, name: "Kitchen").message.hasSuffix(words))
        #expect(trial.instead == next)
        // The clock of the session that ends is in trouble once more.
        #expect(trial.end(after: trouble, with: .ptp, name: "Kitchen") == nil)
        let failure = trial.end(after: clock == .ntp ? .unused : .unheard, with: clock, name: "Kitchen")
        #expect(failure?.message.contains("blocked") == true)
        #expect(trial.instead == nil)
        #expect(trial.next(after: trouble, ClockReport(.ptp)) == nil)
    }

    @Test(
        "nothing changes for a clock that was asked for once, and by NTP or the speaker's clock from the first"
    )
    func keeps() {
        var trial = ClockTrial()
        #expect(trial.next(after: .stalled, ClockReport(.ptp, requests: 3)) == nil)
        #expect(trial.next(after: .insists, ClockReport(.ptp, requests: 3)) == nil)
        for clock in [SessionChoice.Clock.ntp, .theirs] {
            #expect(trial.next(after: .unused, ClockReport(clock)) == nil)
            #expect(trial.end(after: .unused, with: clock, name: "Kitchen") == nil)
        }
        #expect(trial == ClockTrial())
    }

    @Test("a clock that was used stays, however long it is silent later", arguments: troubles.indices)
    func settled(index: Int) throws {
        let (trouble, clock, _) = Self.troubles[index]
        var trial = ClockTrial()
        let next = try #require(trial.next(after: trouble, ClockReport(.ptp)))
        _ = trial.begin(next, name: "Kitchen")
        trial.settle(on: clock)
        #expect(trial.end(after: .unused, with: clock, name: "Kitchen") == nil)
        #expect(trial.end(after: .unheard, with: clock, name: "Kitchen") == nil)
        let ends = trial.openingFailed(SpeakerFailure(.refused, "x"))
        #expect(!ends && trial.instead == next)
        var announced = ClockTrial()
        announced.settle(on: .ptp)
        #expect(announced.next(after: .unused, ClockReport(.ptp)) == nil && announced.instead == nil)
        // It may have changed its class since.
        #expect(announced.next(after: .insists, ClockReport(.ptp))?.clock == .theirs)
    }

    @Test(
        "only a session that is refused, not answered or cut off ends the trial",
        arguments: [
            (.refused, true), (.silent, true), (.lost, true), (.unreachable, false), (.busy, false),
        ] as [(SpeakerFailure.Code, Bool)])
    func refused(code: SpeakerFailure.Code, ends: Bool) throws {
        var trial = ClockTrial()
        let endsEarly = trial.openingFailed(SpeakerFailure(code, "x"))
        #expect(!endsEarly && trial == ClockTrial())
        let next = try #require(trial.next(after: .unused, ClockReport(.ptp)))
        _ = trial.begin(next, name: "Kitchen")
        let endsForNow = trial.openingFailed(SpeakerFailure(code, "x", retryDelay: .seconds(1)))
        let endsForGood = trial.openingFailed(SpeakerFailure(code, "x"))
        #expect(!endsForNow && endsForGood == ends)
        #expect((trial.instead == nil) == ends)
    }
}
