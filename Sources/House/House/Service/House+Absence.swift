/// Music that is away for a while: a folder on the network, a disk that is not mounted, a radio station's server.
extension House {
    /// Waits for the entries that are away, as nothing else is left to play.
    ///
    /// - Parameter message: why the last entry cannot be played.
    func awaitReturn(_ zone: Zone, because message: String? = nil) {
        guard var absence = zone.absence, let place = absence.place else { return finish(zone) }
        absence.wait(since: now())
        zone.absence = absence
        tryAgain(absence.passedOver, in: zone)
        if zone.queue.contains(place.entry) {
            zone.queue.setCurrent(place.entry)
            zone.stored.position = place.position
        } else {
            zone.stored.position = 0
        }
        let reason =
            message ?? zone.queue.current.map { "\($0.track.title) cannot be played now" }
            ?? "The music is away"
        zone.trouble = Trouble(
            code: Self.absenceTrouble, message: "\(reason). Playback continues when the music is back.")
        unschedule(zone)
        applyRate(zone)
        changed(zone)
    }

    /// Tries again what was passed over, when it is time.
    func updateAbsence(of zone: Zone, at time: Double) {
        guard var absence = zone.absence, time >= absence.retryTime else { return }
        guard zone.wish == .playing else { return endAbsence(of: zone) }
        if absence.isOver(at: time) {
            log(.notice, "\(zone.stored.name): pauses, because the music is still away")
            zone.trouble = Trouble(
                code: Self.absenceTrouble, message: "The music was away for ten minutes; play tries it again."
            )
            return pause(zone)
        }
        guard let entries = absence.retry(at: time) else {
            zone.absence = nil
            return
        }
        zone.absence = absence
        tryAgain(entries, in: zone)
        reschedule(zone)
    }

    /// Forgets what is away, so that the next attempt is a user's.
    func endAbsence(of zone: Zone) {
        guard let absence = zone.absence else { return }
        zone.absence = nil
        tryAgain(absence.passedOver, in: zone)
    }

    /// Notes that a zone's queue is heard.
    func musicIsHeard(in zone: Zone) {
        zone.absence?.forgetPlace()
        if zone.trouble?.code == Self.absenceTrouble { zone.trouble = nil }
    }

    private func tryAgain(_ entries: Set<EntryID>, in zone: Zone) {
        for entry in entries { zone.queue.setFailure(nil, of: entry) }
    }

    private static let absenceTrouble = "away"
}
