/// Music that is away for a while: a folder on the network, a disk that is not mounted, a radio station's server.
extension ZonePlayback {
    private static let absenceTrouble = "away"

    /// Waits for the entries that are away, as nothing else is left to play.
    ///
    /// - Parameter message: The reason why the last entry cannot be played.
    func awaitReturn(because message: String? = nil) -> ZoneEffect {
        guard var absence, let place = absence.place else { return finish() }
        absence.wait(since: now())
        self.absence = absence
        tryAgain(absence.passedOver)
        if queue.contains(place.entry) {
            queue.setCurrent(place.entry)
            stored.position = place.position
        } else {
            stored.position = 0
        }
        let reason =
            message ?? queue.current.map { "\($0.track.title) cannot be played now" }
            ?? "The music is not available"
        trouble = Trouble(
            code: Self.absenceTrouble,
            message: "\(reason). Playback continues when the music is available again.")
        unschedule()
        applyRate()
        return .changed
    }

    /// Tries again what was passed over, when it is time.
    func updateAbsence(at time: Double) -> ZoneEffect {
        guard var absence, time >= absence.retryTime else { return [] }
        guard wish == .playing else {
            endAbsence()
            return []
        }
        if absence.isOver(at: time) {
            log(.notice, "\(stored.name): pauses, because the music is still not available")
            trouble = Trouble(
                code: Self.absenceTrouble,
                message: "The music was not available for ten minutes; press play to try again."
            )
            return pause()
        }
        guard let entries = absence.retry(at: time) else {
            self.absence = nil
            return []
        }
        self.absence = absence
        tryAgain(entries)
        return reschedule()
    }

    /// Forgets what is away, so that the next attempt is a user's.
    func endAbsence() {
        guard let absence else { return }
        self.absence = nil
        tryAgain(absence.passedOver)
    }

    /// Notes that the zone's queue is heard.
    func musicIsHeard() {
        absence?.forgetPlace()
        if trouble?.code == Self.absenceTrouble { trouble = nil }
    }

    private func tryAgain(_ entries: Set<EntryID>) {
        for entry in entries { queue.setFailure(nil, of: entry) }
    }
}
