/// The backoff after a session or an attempt has ended, until the next attempt.
///
/// Pauses grow while no session lasts, so a speaker that accepts every session and ends it at once is retried
/// ever later.
struct RetryPauses: Sendable {
    private let timing: SenderTiming
    private var pause: Duration
    private var isProven = false

    init(_ timing: SenderTiming) {
        self.timing = timing
        pause = timing.firstPause
    }

    /// Notes that a session has ended, after this duration.
    mutating func sessionEnded(after lasted: Duration) {
        isProven = lasted >= timing.provenAfter
        if isProven { pause = timing.firstPause }
    }

    /// Notes that an attempt has ended without a session.
    mutating func attemptFailed() { isProven = false }

    /// Resets the backoff, because the user wants the speaker now.
    mutating func restart() { pause = timing.firstPause }

    /// Returns the pause before the next attempt.
    ///
    /// - Parameters:
    ///   - isPlayingOn: Whether the speaker plays its buffer, so that it must be found again before that ends.
    ///   - retryDelay: The least delay, as the speaker has requested.
    mutating func next(isPlayingOn: Bool, isOutOfReach: Bool, retryDelay: Duration?) -> Duration {
        // Trying to reach an unreachable speaker loads no one: do not back off.
        if isPlayingOn, isOutOfReach || isProven { return max(timing.reachPause, retryDelay ?? .zero) }
        defer {
            let longest = isPlayingOn ? timing.longestPlayingPause : timing.longestPause
            pause = min(pause * 2, max(longest, timing.firstPause))
        }
        return max(pause, retryDelay ?? .zero)
    }
}
