import TuttiRTSP

/// A session's silence: the time since its last request or packet, and what excuses it.
struct SessionSilence {
    var isRemoteControlOnly: Bool
    /// Whether the sender may be silent though it holds no audio in the speaker.
    var mayBeSilent: Bool
    var duration: Duration

    /// Returns the reason to end the session now, in words for the user; `nil` to keep it.
    ///
    /// - Parameter stream: Asked only if the silence is long; `nil` without a stream.
    func reasonToEnd(stream: () -> StreamStatus?, _ limits: SessionLimits) -> String? {
        if isRemoteControlOnly {
            return duration >= limits.silentController ? "the controller is silent" : nil
        }
        guard duration >= limits.silentSession else { return nil }
        if let stream = stream() {
            if stream.isPlaying, stream.bufferedSeconds > 0 { return nil }
            if stream.heldBytes > 0 || mayBeSilent, duration < limits.silentPausedSession { return nil }
        }
        return "the sender is silent"
    }
}

extension RTSPError {
    /// The reason that a control connection ended, in words for the user.
    var reasonOfEnd: String {
        switch self {
        case .closedByPeer: "the sender closed the connection"
        case .closedByUs: "the connection was closed"
        case .idleTimeout, .requestTimedOut: "the sender is silent"
        case .decryptionFailed: "the sender's messages cannot be decrypted"
        case .tooManyUnansweredRequests, .queueFull: "the sender sends requests faster than it reads answers"
        case .headTooLong, .tooManyHeaders, .bodyTooLong: "the sender sent a message that is too long"
        case .malformedContentLength, .malformedStartLine, .malformedHeader, .plaintextBeforeEncryption:
            "the sender violates the protocol"
        }
    }
}
