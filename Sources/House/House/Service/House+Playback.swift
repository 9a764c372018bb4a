import Foundation

/// Playback of zones, as commands ask for it.
extension House {
    /// The number of entries that a player may need at once: hours of usual tracks.
    static let scheduledCount = 16
    /// Seconds of a track after which "previous" returns to its beginning.
    static let previousSeconds = 3.0
    /// The rates that a player keeps the pitch at.
    static let rates = 0.5...2.0

    // MARK: Making

    @discardableResult
    func add(_ stored: StoredZone, queue: HouseQueue) -> Zone {
        let zone = Zone(stored, queue: queue, player: outputs.makePlayer())
        zones[stored.id] = zone
        zone.player.setSound(zone.sound)
        openInputs(of: zone)
        let events = zone.player.events
        // Ends with the player's events.
        Task { [weak self, id = stored.id] in
            for await event in events { await self?.handle(event, of: id) }
        }
        return zone
    }

    /// Goes on playing after a restart.
    func resume(_ zone: Zone) {
        guard !zone.queue.isEmpty, !roomIDs(of: zone.id).isEmpty else {
            zone.stored.wish = .paused
            return changed(zone)
        }
        begin(zone)
    }

    // MARK: Commands

    func requireRooms(of zone: Zone) throws(HouseError) {
        guard roomIDs(of: zone.id).isEmpty else { return }
        throw HouseError(.conflict, "\(zone.stored.name) has no rooms to play in; choose one first.")
    }

    func play(_ zone: Zone) throws(HouseError) {
        guard zone.wish != .playing else { return }
        try requireRooms(of: zone)
        zone.follow()
        guard !zone.queue.isEmpty else {
            throw HouseError(.conflict, "The queue of \(zone.stored.name) is empty; add something first.")
        }
        begin(zone)
    }

    private func begin(_ zone: Zone) {
        letInputGo(zone)
        // Failed entries may be back, such as those of a folder.
        if zone.queue.upcoming(1).isEmpty { zone.queue.clearFailures() }
        if zone.queue.currentID == nil { zone.queue.setCurrent(zone.queue.upcoming(1).first?.id) }
        zone.stored.wish = .playing
        (zone.trouble, zone.idleSince) = (nil, nil)
        open(zone)
        schedule(zone, from: zone.isScheduled ? nil : zone.stored.position)
        applyRate(zone)
        changed(zone)
    }

    private func open(_ zone: Zone) {
        zone.isOpen = true
        bringRooms(of: zone)
    }

    func pause(_ zone: Zone) {
        if !pauseInput(zone) { pauseQueue(zone) }
    }

    func pauseQueue(_ zone: Zone) {
        guard zone.wish == .playing else { return }
        zone.follow()
        endAbsence(of: zone)
        zone.stored.wish = .paused
        zone.idleSince = now()
        applyRate(zone)
        changed(zone)
    }

    func stop(_ zone: Zone) {
        letInputGo(zone)
        zone.follow()
        endAbsence(of: zone)
        (zone.stored.wish, zone.stored.position, zone.stored.sleep) = (.stopped, 0, nil)
        applyRate(zone)
        unschedule(zone)
        close(zone)
        changed(zone)
    }

    func close(_ zone: Zone) {
        (zone.isOpen, zone.idleSince) = (false, nil)
        bringRooms(of: zone)
    }

    func next(_ zone: Zone) throws(HouseError) {
        zone.follow()
        guard let entry = zone.queue.following else {
            if zone.queue.isEmpty { throw HouseError(.conflict, "The queue is empty.") }
            return finish(zone)
        }
        jumpWithinPlayback(zone, to: entry)
    }

    func previous(_ zone: Zone) {
        zone.follow()
        let restarts = zone.position >= Self.previousSeconds
        let entry = restarts ? zone.queue.currentID : zone.queue.preceding ?? zone.queue.currentID
        if let entry { jumpWithinPlayback(zone, to: entry) }
    }

    /// Goes to an entry and keeps playing, or keeps the pause.
    private func jumpWithinPlayback(_ zone: Zone, to entry: EntryID) {
        zone.absence?.forgetPlace()
        zone.queue.setFailure(nil, of: entry)
        zone.queue.setCurrent(entry)
        (zone.stored.position, zone.streamTitle) = (0, nil)
        if zone.wish == .stopped { unschedule(zone) } else { schedule(zone, from: 0) }
        applyRate(zone)
        changed(zone)
    }

    func jump(_ zone: Zone, to entry: EntryID) throws(HouseError) {
        guard zone.queue.contains(entry) else { throw HouseError(.noSuchEntry(entry)) }
        zone.follow()
        zone.absence?.forgetPlace()
        zone.queue.setFailure(nil, of: entry)
        zone.queue.jump(to: entry)
        (zone.stored.position, zone.streamTitle) = (0, nil)
        unschedule(zone)
        // Without rooms, the entry waits for one.
        if roomIDs(of: zone.id).isEmpty { stop(zone) } else { begin(zone) }
    }

    func seek(_ zone: Zone, to seconds: Double) throws(HouseError) {
        guard seconds.isFinite, seconds >= 0 else {
            throw HouseError(.invalid, "Seek to a number of seconds from 0 on.")
        }
        zone.follow()
        guard let current = zone.queue.current else {
            throw HouseError(.conflict, "There is nothing to seek in.")
        }
        guard !current.track.isLive else { throw HouseError(.conflict, "A radio station cannot seek.") }
        if let duration = current.track.duration, seconds >= duration { return try next(zone) }
        zone.stored.position = seconds
        if zone.isScheduled { zone.player.seek(to: seconds) }
        zone.published = nil
        changed(zone)
    }

    func setRate(_ rate: Double, of zone: Zone) throws(HouseError) {
        guard Self.rates.contains(rate) else { throw HouseError(.invalid, "A rate is between 0.5 and 2.") }
        guard rate != zone.stored.rate else { return }
        zone.stored.rate = rate
        applyRate(zone)
        changed(zone)
    }

    func setShuffle(_ isOn: Bool, of zone: Zone) {
        guard isOn != zone.queue.isShuffled else { return }
        zone.follow()
        zone.queue.setShuffled(isOn, using: &random)
        edited(zone)
    }

    func setRepeat(_ mode: RepeatMode, of zone: Zone) {
        guard mode != zone.queue.repeatMode else { return }
        zone.follow()
        zone.queue.repeatMode = mode
        edited(zone)
    }

    // MARK: Sleep

    func sleep(_ zone: Zone, after seconds: Double?) throws(HouseError) {
        if let seconds {
            guard (1...86_400).contains(seconds) else {
                throw HouseError(.invalid, "A sleep timer takes 1 second to 24 hours.")
            }
            zone.stored.sleep = .at(now() + seconds)
        } else {
            zone.stored.sleep = nil
        }
        edited(zone)
    }

    func sleepAtEndOfTrack(_ zone: Zone) {
        zone.stored.sleep = .endOfTrack
        edited(zone)
    }

    // MARK: The player

    /// Takes an edit of the queue to the player, and to the surfaces.
    func edited(_ zone: Zone) {
        zone.follow()
        reschedule(zone)
    }

    /// Gives the player what follows the queue's current entry.
    func reschedule(_ zone: Zone) {
        if zone.isScheduled {
            schedule(zone, from: nil)
        } else if zone.wish == .playing, zone.absence?.waitingSince != nil {
            schedule(zone, from: zone.stored.position)
        }
        if zone.wish == .playing, !zone.isScheduled { return finish(zone) }
        applyRate(zone)
        changed(zone)
    }

    /// Gives the player the entries from the current one on.
    func schedule(_ zone: Zone, from start: Double?) {
        var upcoming = zone.queue.upcoming(Self.scheduledCount)
        // The next entry must not be heard, or is probably away as those before it.
        if zone.stored.sleep == .endOfTrack || zone.absence?.isFull == true {
            upcoming = Array(upcoming.prefix(1))
        }
        zone.isScheduled = !upcoming.isEmpty
        zone.player.schedule(upcoming, from: start)
    }

    func unschedule(_ zone: Zone) {
        zone.isScheduled = false
        zone.player.schedule([], from: nil)
    }

    /// Lets the player run if the user wants it and a room is there.
    func applyRate(_ zone: Zone) {
        let plays =
            zone.wish == .playing && zone.isScheduled && zone.isConnected && zone.announcement == nil
        zone.player.setRate(plays ? zone.stored.rate : 0)
        applyInput(zone)
    }

    /// Ends playback after the last entry: the queue begins anew.
    func finish(_ zone: Zone) {
        endAbsence(of: zone)
        (zone.stored.wish, zone.stored.position, zone.stored.sleep) = (.stopped, 0, nil)
        zone.streamTitle = nil
        zone.queue.setCurrent(zone.queue.order.first)
        applyRate(zone)
        unschedule(zone)
        zone.idleSince = now()
        changed(zone)
    }
}
