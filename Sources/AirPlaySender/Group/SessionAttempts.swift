/// The decisions between two sessions of one speaker: whether, when and how to open the next one.
struct SessionAttempts: Sendable {
    enum Next: Equatable, Sendable {
        case retry(after: Duration)
        /// Another sender has the speaker, and keeps it until the user starts playing again.
        case waitForRecall
        /// Only the user can change what is wrong.
        case giveUp
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

    init(_ timing: SenderTiming) {
        self.timing = timing
        pauses = RetryPauses(timing)
    }

    mutating func sessionOpened() { (hasHadSession, hasWaitedQuietly) = (true, false) }

    /// Notes that a session has ended, after this duration.
    mutating func sessionEnded(_ failure: SpeakerFailure, after lasted: Duration) {
        pauses.sessionEnded(after: lasted)
        wasDropped = failure.code == .lost
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
        return nil
    }

    /// - Parameter isPlayingOn: Whether the speaker plays its buffer, and has a session to resume.
    mutating func next(after failure: SpeakerFailure, isPlayingOn: Bool) -> Next {
        guard failure.isWorthRetrying else { return .giveUp }
        if failure.code == .busy, hasHadSession { return .waitForRecall }
        return .retry(
            after: pauses.next(
                isPlayingOn: isPlayingOn, isOutOfReach: failure.code == .unreachable,
                retryDelay: failure.retryDelay))
    }

    /// Lets the speaker be taken again, even from another sender, because the user started playing.
    mutating func recall() { wasDropped = false }

    /// Begins anew after a recall.
    mutating func restart() { pauses.restart() }
}
