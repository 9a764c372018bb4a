import TuttiMediaTime

/// The judgement of a speaker's clock while its session is open: the trouble of which the user is warned, because the
/// speaker would not be heard.
///
/// A speaker that is cut off from the network stops asking, too, and plays on what it holds; that is told otherwise.
struct ClockJudgement: Sendable {
    /// The time for which a speaker that has used its clock answers everything but asks for the clock no more.
    static let patience = Duration.seconds(5)
    /// The time without an answer after which nothing is known of the network: two missed signs of life.
    static let silence = Duration.seconds(5)

    private let since: HostTime
    /// The host time since which a speaker that answers does not ask.
    private var stalledSince: HostTime?

    /// Begins when the session is open.
    init(since: HostTime) { self.since = since }

    /// Returns the trouble of which to warn; `nil` for none.
    ///
    /// - Parameter lastAnswer: The host time of the speaker's last sign of life on its control connection.
    mutating func trouble(
        _ report: ClockReport, lastAnswer: HostTime, at now: HostTime
    ) -> ClockTrouble? {
        let trouble = report.trouble(after: now.since(since))
        // A speaker that has used the clock keeps time by itself for a while.
        let comesLate = trouble == .stalled || trouble == .unheard && report.readyTime != nil
        guard comesLate else {
            stalledSince = nil
            return trouble
        }
        guard now.since(lastAnswer) < Self.silence else {
            stalledSince = nil
            return nil
        }
        let begun = stalledSince ?? now
        stalledSince = begun
        return now.since(begun) >= Self.patience ? trouble : nil
    }
}
