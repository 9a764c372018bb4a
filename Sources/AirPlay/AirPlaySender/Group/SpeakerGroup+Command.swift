import AirPlayMessages
import TuttiMediaTime

/// The commands of a program, from any thread.
extension SpeakerGroup {
    /// Starts the line: `frame` is heard at `host`, or as soon as all speakers can.
    ///
    /// - Parameter started: Called with the instant; called again if a speaker's refusal moved it. Not called if a later start or
    ///   stop comes first. Any thread.
    package nonisolated func start(
        at frame: Int64, host: HostTime?, started: @escaping @Sendable (HostTime) -> Void
    ) {
        _ = post(.start(frame: frame, host: host, started: started))
    }

    /// Silences the speakers; a resume will begin at `frame`.
    package nonisolated func stop(at frame: Int64) { _ = post(.stop(frame: frame)) }

    /// Makes the speakers drop their sound, because the store was emptied.
    package nonisolated func clear() { _ = post(.clear) }

    /// Anchors the speakers again after ``clear()`` without a stop, because the store has sound for the running line.
    package nonisolated func anchorAgain() { _ = post(.anchorAgain) }

    /// Withdraws `frame` and what follows from the speakers while they play on.
    ///
    /// - Returns: `false`, and nothing has changed, when it is too late for that. After `true` the caller
    ///   changes the store and calls ``resume(from:)``.
    package nonisolated func cut(at frame: Int64) async -> Bool {
        await withCheckedContinuation { continuation in
            cut(at: frame) { continuation.resume(returning: $0) }
        }
    }

    /// Cuts like ``cut(at:)``; commands posted after this call are executed after the cut.
    package nonisolated func cut(at frame: Int64, answer: @escaping @Sendable (Bool) -> Void) {
        // A closed group takes no commands.
        if !post(.cut(frame: frame, answer: answer)) { answer(false) }
    }

    /// Resumes sending after ``cut(at:)``, with the packets from `frame` on.
    package nonisolated func resume(from frame: Int64) { _ = post(.resume(frame: frame)) }

    /// Sets the volume.
    ///
    /// - Parameter speaker: One speaker's ``SpeakerTarget/key``, or `nil` for all.
    package nonisolated func setVolume(_ volume: Volume, speaker: String? = nil) {
        _ = post(.volume(volume, speaker: speaker))
    }

    /// Sets how much later than the others a speaker plays. A speaker that plays is silent for a moment, and
    /// rejoins the others, which do not notice.
    ///
    /// - Parameter speaker: The speaker's ``SpeakerTarget/key``.
    package nonisolated func setDelay(_ delay: SpeakerDelay, speaker: String) {
        _ = post(.delay(delay, speaker: speaker))
    }

    /// Replaces the tracks that displays show.
    package nonisolated func setTracks(_ tracks: [ScheduledTrack]) { _ = post(.tracks(tracks)) }

    /// Closes the speakers that are not among these, and connects to the new ones. The rest play on, and the
    /// new speakers join them.
    ///
    /// - Parameter closed: Called once, on any thread, when the sessions of those that leave are closed.
    package nonisolated func setTargets(
        _ targets: [SpeakerTarget], closed: @escaping @Sendable () -> Void = {}
    ) {
        if !post(.members(targets, closed: closed)) { closed() }
    }

    /// Sets the format of the next packets. Between two sample rates there must be a ``clear()``.
    package nonisolated func setFormat(_ format: AudioWireFormat) { _ = post(.format(format)) }
}
