import Testing

@testable import AirPlaySender

@Suite("Trial of another clock")
struct ClockTrialTests {
    private static let troubles: [(ClockTrouble, SessionChoice.Clock, words: String)] = [
        (.unused, .ntp, "it is tried with NTP"), (.insists, .theirs, "it is tried with its own"),
    ]

    @Test(
        "a speaker that never asks for PTP gets its own clock or NTP, and PTP for good if that does no better",
        arguments: troubles.indices)
    func neither(index: Int) throws {
        let (trouble, clock, words) = Self.troubles[index]
        var trial = ClockTrial()
        #expect(trial.instead == nil)
        let next = try #require(trial.next(after: trouble, with: .ptp))
        #expect(next.clock == clock)
        #expect(trial.begin(next, name: "Kitchen").message.hasSuffix(words))
        #expect(trial.instead == next)
        // The clock of the session that ends is in trouble once more.
        #expect(trial.end(after: trouble, with: .ptp, name: "Kitchen") == nil)
        let failure = trial.end(after: clock == .ntp ? .unused : .unheard, with: clock, name: "Kitchen")
        #expect(failure?.message.contains("blocked") == true)
        #expect(trial.instead == nil)
        #expect(trial.next(after: trouble, with: .ptp) == nil)
    }

    @Test("nothing changes for a clock that was used once, and by NTP or the speaker's clock from the first")
    func keeps() {
        var trial = ClockTrial()
        #expect(trial.next(after: .stalled, with: .ptp) == nil)
        for clock in [SessionChoice.Clock.ntp, .theirs] {
            #expect(trial.next(after: .unused, with: clock) == nil)
            #expect(trial.end(after: .unused, with: clock, name: "Kitchen") == nil)
        }
        #expect(trial == ClockTrial())
    }

    @Test(
        "only a refused session or one without an answer ends the trial",
        arguments: [
            (.refused, true), (.silent, true), (.unreachable, false), (.lost, false), (.busy, false),
        ] as [(SpeakerFailure.Code, Bool)])
    func refused(code: SpeakerFailure.Code, ends: Bool) throws {
        var trial = ClockTrial()
        trial.openingFailed(SpeakerFailure(code, "x"))
        #expect(trial == ClockTrial())
        let next = try #require(trial.next(after: .unused, with: .ptp))
        _ = trial.begin(next, name: "Kitchen")
        trial.openingFailed(SpeakerFailure(code, "x"))
        #expect((trial.instead == nil) == ends)
    }
}
