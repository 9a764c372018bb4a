/// The clocks that a speaker is offered one after the other while it plays alone and nobody has fixed one: the one that its
/// announcements call for; where that is PTP and the speaker never asks for it, its own clock if it announces one, else NTP; and PTP
/// for good if the other does no better. A clock that has been used once stays, however long it is silent later.
///
/// Sony's televisions announce PTP and never use it (*reported*); a HomePod changes its class when it leaves a group.
struct ClockTrial: Equatable, Sendable {
    private enum Phase: Equatable {
        case announced
        case trying(SessionChoice.Clock)
        /// The speaker has used this clock.
        case settled(SessionChoice.Clock)
        case over
    }

    private var phase = Phase.announced

    /// The clock to offer in place of PTP; `nil` for the announced one.
    var instead: SessionChoice.Alternative? {
        switch phase {
        case .announced, .over, .settled(.ptp): nil
        case .trying(let clock), .settled(let clock):
            SessionChoice.Alternative(clock: clock, reason: Self.reason(clock))
        }
    }

    private static func reason(_ clock: SessionChoice.Clock) -> String {
        clock == .theirs
            ? "it announces its own clock, and never asked for ours" : "it never asked for our clock"
    }

    /// Notes that the speaker has used a clock.
    mutating func settle(on clock: SessionChoice.Clock) {
        if phase == .trying(clock) || phase == .announced && clock == .ptp { phase = .settled(clock) }
    }

    /// Returns the clock to try next, before it is known whether the speaker takes it; `nil` for none.
    ///
    /// - Parameters:
    ///   - trouble: The trouble with the clock of the session.
    ///   - report: The session's knowledge of it.
    func next(after trouble: ClockTrouble, _ report: ClockReport) -> SessionChoice.Alternative? {
        guard report.clock == .ptp, report.requests == 0 else { return nil }
        switch (phase, trouble) {
        // A speaker that has followed may have changed its class since.
        case (.announced, .insists), (.settled(.ptp), .insists):
            return SessionChoice.Alternative(clock: .theirs, reason: Self.reason(.theirs))
        case (.announced, .unused):
            return SessionChoice.Alternative(clock: .ntp, reason: Self.reason(.ntp))
        default: return nil
        }
    }

    /// Begins to try a clock.
    ///
    /// - Returns: The failure with which the session ends.
    mutating func begin(_ next: SessionChoice.Alternative, name: String) -> SpeakerFailure {
        phase = .trying(next.clock)
        let words =
            next.clock == .theirs
            ? "\(name) announces its own clock, and never asked for ours; Tutti now follows its clock"
            : "\(name) never asked for our clock; Tutti now tries NTP"
        return SpeakerFailure(.clock, words)
    }

    /// Ends the trial if the tried clock does no better.
    ///
    /// - Returns: The failure with which the session ends; `nil` to keep it.
    mutating func end(
        after trouble: ClockTrouble, with clock: SessionChoice.Clock, name: String
    ) -> SpeakerFailure? {
        guard phase == .trying(clock), trouble == .unused || trouble == .unheard else { return nil }
        phase = .over
        let words =
            clock == .theirs
            ? "no message of the clock of \(name) arrives either: UDP 319 and 320 between it and this machine are blocked"
            : "\(name) asked for the time neither by NTP nor by PTP: UDP between it and this machine is blocked, or it follows no sender's clock at all"
        return SpeakerFailure(.clock, words)
    }

    /// Notes that no session could be opened with a speaker that has described itself.
    ///
    /// - Returns: Whether that ends the trial.
    mutating func openingFailed(_ failure: SpeakerFailure) -> Bool {
        guard case .trying = phase, failure.retryDelay == nil else { return false }
        switch failure.code {
        // A speaker that knows no NTP refuses the session, does not answer (*reported*, HomePod and Sonos), or hangs up.
        case .refused, .silent, .lost:
            phase = .over
            return true
        default: return false
        }
    }
}
