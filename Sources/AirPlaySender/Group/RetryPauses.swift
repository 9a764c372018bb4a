/// How long a speaker is left alone after a session or an attempt has ended, until the next attempt.
///
/// Pauses grow while no session lasts: a speaker that takes every session and ends it at once is asked ever later.
struct RetryPauses: Sendable {
    private let timing: SenderTiming
    private var pause: Duration
    private var isProven = false

    init(_ timing: SenderTiming) {
        self.timing = timing
        pause = timing.firstPause
    }

    /// A session has ended.
    mutating func sessionEnded(after lasted: Duration) {
        isProven = lasted >= timing.provenAfter
        if isProven { pause = timing.firstPause }
    }

    /// An attempt has ended without a session.
    mutating func attemptFailed() { isProven = false }

    /// The user wants the speaker now.
    mutating func restart() { pause = timing.firstPause }

    /// The pause to the next attempt.
    ///
    /// - Parameters:
    ///   - isPlayingOn: The speaker plays what it has, and is to be found again before that ends.
    ///   - retryDelay: What the speaker asks for.
    mutating func next(isPlayingOn: Bool, isOutOfReach: Bool, retryDelay: Duration?) -> Duration {
        // Looking for one that is out of reach costs nobody anything.
        if isPlayingOn, isOutOfReach || isProven { return max(timing.reachPause, retryDelay ?? .zero) }
        defer {
            let longest = isPlayingOn ? timing.longestPlayingPause : timing.longestPause
            pause = min(pause * 2, max(longest, timing.firstPause))
        }
        return max(pause, retryDelay ?? .zero)
    }
}
