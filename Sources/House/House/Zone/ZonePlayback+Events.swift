/// Events of a zone's player that concern its queue.
extension ZonePlayback {
    /// The code of a zone's trouble that ends when the zone is heard.
    static let alarmTrouble = "alarm"

    func handle(_ event: ZoneEvent) -> ZoneEffect {
        switch event {
        case .current(let entry): return currentChanged(to: entry)
        case .state(let state):
            observed = state
            guard state == .playing else { return .told }
            if isScheduled { musicIsHeard() }
            if trouble?.code == Self.alarmTrouble { trouble = nil }
            return .told
        case .interrupted: return pause()
        case .playerFailed(let message):
            log(.warning, "\(stored.name): \(message)")
            trouble = Trouble(code: "player", message: message)
            return wish == .playing ? pause() : .told
        case .opened(let entry, let facts):
            queue.complete(entry) { facts.complete(&$0) }
            return isScheduled ? edited() : []
        case .failed(let entry, let message, let mayPass): return failed(entry, message, mayPass)
        case .ended(let entry): return ended(entry)
        case .streamTitle(let entry, let title):
            guard entry == queue.currentID else { return [] }
            streamTitle = title
            return .told
        case .room, .roomTrouble, .session, .volume, .button: return []
        }
    }

    private func currentChanged(to entry: EntryID) -> ZoneEffect {
        // A later command may have gone elsewhere since.
        guard isScheduled, entry == player.position?.entry else { return [] }
        if observed == .playing { musicIsHeard() }
        streamTitle = nil
        return edited()
    }

    private func failed(_ entry: EntryID, _ message: String, _ mayPass: Bool) -> ZoneEffect {
        guard let track = queue.entry(entry)?.track else { return [] }
        // Failed attempts while the zone waits are not reported again.
        if absence?.waitingSince == nil {
            log(.warning, "\(stored.name): \(CommandWords.location(track.location)): \(message)")
        }
        // The player may be at the beginning of what it could not open.
        let position = queue.currentID == entry ? stored.position : 0
        follow()
        let wasCurrent = queue.currentID == entry
        if mayPass {
            var absence = absence ?? ZoneAbsence(at: now())
            absence.passOver(ZoneAbsence.Place(entry: entry, position: position))
            self.absence = absence
        }
        let next = queue.following
        queue.setFailure(message, of: entry)
        guard isScheduled else { return .changed }
        if wasCurrent {
            guard let next, next != entry, absence?.isFull != true else {
                if absence?.place != nil { return awaitReturn(because: "\(track.title): \(message)") }
                trouble = Trouble(code: "unplayable", message: "\(track.title): \(message)")
                return finish()
            }
            queue.setCurrent(next)
            stored.position = 0
        }
        return reschedule()
    }

    private func ended(_ entry: EntryID) -> ZoneEffect {
        guard isScheduled, entry == queue.currentID, player.position == nil else { return [] }
        if stored.sleep == .endOfTrack { return sleepAfterTrack() }
        let upcoming = queue.upcoming(2)
        guard upcoming.count == 2 else { return awaitReturn() }
        // The player ran out of entries.
        queue.setCurrent(upcoming[1].id)
        stored.position = 0
        schedule(from: 0)
        applyRate()
        return .changed
    }

    /// Pauses at the beginning of the next entry, or of the same one if it repeats.
    private func sleepAfterTrack() -> ZoneEffect {
        log(.notice, "\(stored.name): the sleep timer pauses at the end of the track")
        stored.sleep = nil
        if queue.repeatMode != .one {
            guard let next = queue.following else { return finish() }
            queue.setCurrent(next)
        }
        (stored.position, stored.wish, idleSince) = (0, .paused, now())
        unschedule()
        applyRate()
        return .changed
    }
}
