import Playback

/// Transport: what is played, from where, and whether.
extension ZonePlayback {
    /// The number of entries that a player may need at once: hours of usual tracks.
    private static let scheduledCount = 16
    /// Seconds of a track after which "previous" returns to its beginning.
    private static let previousSeconds = 3.0

    // MARK: Playing

    func begin() -> ZoneEffect {
        // Failed entries may be back, such as those of a folder.
        if queue.upcoming(1).isEmpty { queue.clearFailures() }
        if queue.currentID == nil { queue.setCurrent(queue.upcoming(1).first?.id) }
        stored.wish = .playing
        (trouble, idleSince, isOpen) = (nil, nil, true)
        schedule(from: isScheduled ? nil : stored.position)
        applyRate()
        return [.rooms, .changed]
    }

    func pause() -> ZoneEffect {
        guard wish == .playing else { return [] }
        follow()
        endAbsence()
        stored.wish = .paused
        idleSince = now()
        applyRate()
        return .changed
    }

    func stop() -> ZoneEffect {
        follow()
        endAbsence()
        (stored.wish, stored.position, stored.sleep) = (.stopped, 0, nil)
        applyRate()
        unschedule()
        return close()
    }

    /// Lets the rooms go.
    func close() -> ZoneEffect {
        (isOpen, idleSince) = (false, nil)
        return [.rooms, .changed]
    }

    /// Ends playback after the last entry: the queue begins anew.
    func finish() -> ZoneEffect {
        endAbsence()
        (stored.wish, stored.position, stored.sleep) = (.stopped, 0, nil)
        streamTitle = nil
        queue.setCurrent(queue.order.first)
        applyRate()
        unschedule()
        idleSince = now()
        return .changed
    }

    // MARK: Places

    func next() throws(HouseError) -> ZoneEffect {
        follow()
        guard let entry = queue.following else {
            if queue.isEmpty { throw HouseError(.conflict, "The queue is empty.") }
            return finish()
        }
        return jumpWithinPlayback(to: entry)
    }

    func previous() -> ZoneEffect {
        follow()
        let restarts = position >= Self.previousSeconds
        let entry = restarts ? queue.currentID : queue.preceding ?? queue.currentID
        return entry.map { jumpWithinPlayback(to: $0) } ?? []
    }

    /// Goes to an entry and keeps playing, or keeps the pause.
    private func jumpWithinPlayback(to entry: EntryID) -> ZoneEffect {
        absence?.forgetPlace()
        queue.setFailure(nil, of: entry)
        queue.setCurrent(entry)
        (stored.position, streamTitle) = (0, nil)
        if wish == .stopped { unschedule() } else { schedule(from: 0) }
        applyRate()
        return .changed
    }

    /// Makes an entry the current one, to be begun anew.
    func choose(_ entry: EntryID) throws(HouseError) {
        guard queue.contains(entry) else { throw HouseError(.noSuchEntry(entry)) }
        follow()
        absence?.forgetPlace()
        queue.setFailure(nil, of: entry)
        queue.jump(to: entry)
        (stored.position, streamTitle) = (0, nil)
        unschedule()
    }

    func seek(to seconds: Double) throws(HouseError) -> ZoneEffect {
        guard seconds.isFinite, seconds >= 0 else {
            throw HouseError(.invalid, "The position must be a number of seconds, 0 or more.")
        }
        follow()
        guard let current = queue.current else {
            throw HouseError(.conflict, "There is nothing to seek in.")
        }
        guard !current.track.isLive else { throw HouseError(.conflict, "A radio station cannot seek.") }
        if let duration = current.track.duration, seconds >= duration { return try next() }
        stored.position = seconds
        if isScheduled { player.seek(to: seconds) }
        return [.moved, .changed]
    }

    func skip(by seconds: Double) throws(HouseError) -> ZoneEffect {
        guard seconds.isFinite else { throw HouseError(.invalid, "A skip needs a number of seconds.") }
        return try seek(to: max(0, position + seconds))
    }

    // MARK: The player

    /// Takes an edit of the queue to the player.
    func edited() -> ZoneEffect {
        follow()
        return reschedule()
    }

    /// Gives the player what follows the queue's current entry.
    func reschedule() -> ZoneEffect {
        if isScheduled {
            schedule(from: nil)
        } else if wish == .playing, absence?.waitingSince != nil {
            schedule(from: stored.position)
        }
        if wish == .playing, !isScheduled { return finish() }
        applyRate()
        return .changed
    }

    /// Gives the player the entries from the current one on.
    func schedule(from start: Double?) {
        var upcoming = queue.upcoming(Self.scheduledCount)
        // The next entry must not be heard, or is probably away as those before it.
        if stored.sleep == .endOfTrack || absence?.isFull == true { upcoming = Array(upcoming.prefix(1)) }
        isScheduled = !upcoming.isEmpty
        player.schedule(upcoming, from: start)
    }

    func unschedule() {
        isScheduled = false
        player.schedule([], from: nil)
    }

    /// Continues at a place that was heard before.
    func goBack(to entry: EntryID, _ seconds: Double) -> ZoneEffect {
        // An item may have ended meanwhile.
        follow()
        if queue.currentID == entry {
            player.seek(to: seconds)
        } else {
            queue.setCurrent(entry)
            (stored.position, streamTitle) = (seconds, nil)
            schedule(from: seconds)
            applyRate()
        }
        return [.moved, .changed]
    }

    /// Lets the player run if the user wants it and a room is there; then the zone's input, by ``didApplyRate``.
    func applyRate() {
        player.setRate(wish == .playing && isScheduled && mayRun ? stored.rate : 0)
        didApplyRate()
    }
}
