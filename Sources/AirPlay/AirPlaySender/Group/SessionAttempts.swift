/// The decisions between two sessions of one speaker: whether, when and how to open the next one.
struct SessionAttempts: Sendable {
    enum Next: Equatable, Sendable {
        case retry(after: Duration)
        /// Another sender has the speaker, or another program the port of our clock, until the user starts playing again.
        case waitForRecall
        /// Only the user can change what is wrong.
        case abandon
    }

    private let timing: SenderTiming
    private var pauses: RetryPauses
    /// Whether this speaker has ever had an open session.
    private var hasHadSession = false
    /// Whether the one delay that is waited out without reporting a failure has been used up.
    private var hasWaitedQuietly = false
    /// Whether the last attempt could not connect.
    private(set) var wasUnreachable = false
    /// Whether the speaker itself ended the last session: another sender may have taken it.
    private(set) var wasDropped = false
    /// Whether the speaker has ended two sessions in a row, the last one at once, and could be reached between them: another
    /// sender takes it back. One that was restarted could not be reached.
    private(set) var isContested = false
    /// Whether the speaker has ended the last session, and could be reached since.
    private var mayBeTaken = false
    /// The longest session that another sender, which tries again at once as we do, leaves us.
    private static let contest = Duration.seconds(5)
    /// The sessions in a row that ended because the speaker had found no clock.
    private var clocklessEnds = 0

    init(_ timing: SenderTiming) {
        self.timing = timing
        pauses = RetryPauses(timing)
    }

    mutating func sessionOpened() { (hasHadSession, hasWaitedQuietly) = (true, false) }

    /// Notes that a session has ended, after this duration.
    mutating func sessionEnded(_ failure: SpeakerFailure, after lasted: Duration) {
        pauses.sessionEnded(after: lasted)
        wasDropped = failure.code == .lost
        isContested = wasDropped && mayBeTaken && lasted < Self.contest
        mayBeTaken = wasDropped
        wasUnreachable = failure.code == .unreachable
    }

    /// Notes that an attempt has ended without a session.
    ///
    /// - Returns: The delay to wait out once without a word; `nil` if the failure counts.
    mutating func attemptFailed(_ failure: SpeakerFailure) -> Duration? {
        pauses.attemptFailed()
        if let delay = failure.retryDelay, delay <= timing.retryPatience, !hasWaitedQuietly {
            hasWaitedQuietly = true
            return max(delay, timing.firstPause)
        }
        wasUnreachable = failure.code == .unreachable
        if wasUnreachable { mayBeTaken = false }
        return nil
    }

    /// - Parameter isPlayingOn: Whether the speaker plays its buffer, and has a session to resume.
    mutating func next(after failure: SpeakerFailure, isPlayingOn: Bool) -> Next {
        clocklessEnds = failure.code == .clock ? clocklessEnds + 1 : 0
        if failure.code == .noClock { return .waitForRecall }
        guard failure.isWorthRetrying else { return .abandon }
        if failure.code == .busy, hasHadSession { return .waitForRecall }
        let pause = pauses.next(
            isPlayingOn: isPlayingOn, isOutOfReach: failure.code == .unreachable,
            retryDelay: failure.retryDelay)
        return .retry(after: max(pause, clocklessPause))
    }

    // MARK: Speakers that find no clock

    /// Notes that the speaker has used the clock of its session.
    mutating func clockFound() { clocklessEnds = 0 }

    /// Whether the speaker has been said to find no clock, and nothing has changed since: further attempts are made
    /// without a word.
    var isQuiet: Bool { clocklessEnds > 0 }

    /// Returns whether a state tells something new.
    ///
    /// - Parameter old: The state that was told last.
    func tells(_ state: SpeakerState, after old: SpeakerState) -> Bool {
        guard isQuiet, case .lost = old else { return true }
        return switch state {
        case .connecting, .waitingForClock: false
        case .lost(let failure): failure.code != .clock
        case .ready, .playing, .starved, .closed: true
        }
    }

    /// The least pause after sessions without a clock, from the third on: somebody has to change something first.
    private var clocklessPause: Duration {
        guard clocklessEnds > 2 else { return .zero }
        return min(timing.longestPause * (1 << min(clocklessEnds - 2, 8)), timing.longestClocklessPause)
    }

    /// Lets the speaker be taken again, even from another sender, because the user started playing.
    mutating func recall() { (wasDropped, isContested, mayBeTaken) = (false, false, false) }

    /// Begins anew after a recall.
    mutating func restart() { pauses.restart() }
}
