import TuttiMediaTime

/// Watches for sound that arrives and is not played, to warn once for each stream.
struct UnheardSound: Sendable {
    /// Time without sound after which to warn: more than a sender sends ahead of a start.
    static let patience = Duration.seconds(10)

    private var stream: ObjectIdentifier?
    private var playedFrames: Int64 = 0
    private var heldBytes = 0
    private var since: HostTime?
    private var hasWarned = false

    /// Takes the status of a stream, each second or so.
    ///
    /// - Parameter isRealtime: Whether the sender sends only what is heard soon.
    /// - Returns: Whether to warn now.
    mutating func check(
        _ status: StreamStatus, isRealtime: Bool, of stream: ObjectIdentifier, at now: HostTime
    ) -> Bool {
        if stream != self.stream { self = UnheardSound() }
        self.stream = stream
        let isHeard = status.playedFrames != playedFrames
        if isHeard { hasWarned = false }
        // A paused stream also holds sound; a paused realtime stream gets no more.
        let isDue = status.isPlaying || isRealtime && status.heldBytes > heldBytes
        (playedFrames, heldBytes) = (status.playedFrames, status.heldBytes)
        guard !isHeard, status.heldBytes > 0, isDue else {
            since = nil
            return false
        }
        let since = self.since ?? now
        self.since = since
        guard !hasWarned, now.since(since) >= Self.patience else { return false }
        hasWarned = true
        return true
    }

    /// The warning for the user.
    static func warning(from sender: SenderDescription?) -> SpeakerEvent {
        .warning(
            code: "unheard",
            message:
                "sound arrives from \(sender?.name ?? "the sender"), but none of it has been heard for \(patience.components.seconds) s: "
                + "its times do not match the sender's clock, or that clock does not answer; stop and start playback at the sender"
        )
    }
}

extension ReceiverServer {
    func warnOfUnheardSound(at now: HostTime) {
        guard let sound else { return }
        let status = sound.status
        let (warns, sender) = state.withLock { state in
            (
                state.unheard.check(
                    status, isRealtime: sound.request.kind == .realtime, of: ObjectIdentifier(sound), at: now),
                state.sender
            )
        }
        if warns { emit(UnheardSound.warning(from: sender)) }
    }
}
