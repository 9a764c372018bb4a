import Foundation

/// Events of players, and the passing of time.
extension House {
    // MARK: Events of players

    func handle(_ event: ZoneEvent, of id: ZoneID) {
        guard let zone = zones[id], !isStopping else { return }
        switch event {
        case .current(let entry): currentChanged(zone, to: entry)
        case .state(let state):
            zone.observed = state
            if zone.fade.rise != nil { updateFade(zone) }
            if state == .playing, zone.isScheduled { musicIsHeard(in: zone) }
            if state == .playing, zone.trouble?.code == Self.alarmTrouble { zone.trouble = nil }
            publish(zone)
        // An input or an announcement has the rooms meanwhile.
        case .interrupted: if zone.input == nil, zone.announcement == nil { pauseQueue(zone) }
        case .playerFailed(let message): playerFailed(message, of: zone)
        case .opened(let entry, let facts): opened(entry, facts, of: zone)
        case .failed(let entry, let message, let mayPass): failed(entry, message, mayPass, of: zone)
        case .ended(let entry): ended(entry, of: zone)
        case .streamTitle(let entry, let title):
            guard entry == zone.queue.currentID else { return }
            zone.streamTitle = title
            publish(zone)
        case .room(let room, let state): roomChanged(room, to: state, of: zone)
        case .roomTrouble(let room, let trouble):
            guard concerns(room, zone) else { return }
            log(.warning, trouble.message)
            change(room) { $0.take(trouble) }
            if ["password-wrong", "pin-wrong"].contains(trouble.code) { forgetPassword(of: room) }
        case .session(let room, let session): sessionChosen(session, for: room, of: zone)
        case .volume(let room, let percent):
            guard concerns(room, zone), !zone.fade.isEcho(percent, of: room) else { return }
            touchVolume(of: room, in: zone)
            change(room) { $0.stored.volume = percent }
            publish(zone)
        case .button(let button): pressed(button, on: zone)
        }
    }

    private func currentChanged(_ zone: Zone, to entry: EntryID) {
        // A later command may have gone elsewhere since.
        guard zone.isScheduled, entry == zone.player.position?.entry else { return }
        if zone.observed == .playing { musicIsHeard(in: zone) }
        zone.streamTitle = nil
        edited(zone)
    }

    private func opened(_ entry: EntryID, _ facts: TrackFacts, of zone: Zone) {
        zone.queue.complete(entry) { track in
            if track.libraryID == nil, track.start == 0, track.end == nil {
                if let title = facts.title, !track.isLive { track.title = title }
                track.artist = track.artist ?? facts.artist
                track.album = track.album ?? facts.album
            }
            track.duration = track.duration ?? facts.duration
            track.isLive = facts.isLive
        }
        if zone.isScheduled { edited(zone) }
    }

    private func failed(_ entry: EntryID, _ message: String, _ mayPass: Bool, of zone: Zone) {
        guard let track = zone.queue.entry(entry)?.track else { return }
        // Failed attempts while the zone waits are not reported again.
        if zone.absence?.waitingSince == nil {
            log(.warning, "\(zone.stored.name): \(CommandWords.location(track.location)): \(message)")
        }
        // The player may be at the beginning of what it could not open.
        let position = zone.queue.currentID == entry ? zone.stored.position : 0
        zone.follow()
        let wasCurrent = zone.queue.currentID == entry
        if mayPass {
            var absence = zone.absence ?? ZoneAbsence(at: now())
            absence.passOver(ZoneAbsence.Place(entry: entry, position: position))
            zone.absence = absence
        }
        let next = zone.queue.following
        zone.queue.setFailure(message, of: entry)
        guard zone.isScheduled else { return changed(zone) }
        if wasCurrent {
            guard let next, next != entry, zone.absence?.isFull != true else {
                if zone.absence?.place != nil {
                    return awaitReturn(zone, because: "\(track.title): \(message)")
                }
                zone.trouble = Trouble(code: "unplayable", message: "\(track.title): \(message)")
                return finish(zone)
            }
            zone.queue.setCurrent(next)
            zone.stored.position = 0
        }
        reschedule(zone)
    }

    private func ended(_ entry: EntryID, of zone: Zone) {
        guard zone.isScheduled, entry == zone.queue.currentID, zone.player.position == nil else { return }
        if zone.stored.sleep == .endOfTrack { return sleepAfterTrack(zone) }
        let upcoming = zone.queue.upcoming(2)
        guard upcoming.count == 2 else { return awaitReturn(zone) }
        // The player ran out of entries.
        zone.queue.setCurrent(upcoming[1].id)
        zone.stored.position = 0
        schedule(zone, from: 0)
        applyRate(zone)
        changed(zone)
    }

    /// Whether an event of a zone about a room counts: the last one of a room may come when another zone has it.
    private func concerns(_ room: RoomID, _ zone: Zone) -> Bool {
        zone.held.contains(room) || !zones.values.contains { $0.held.contains(room) }
    }

    private func roomChanged(_ room: RoomID, to state: RoomSnapshot.State, of zone: Zone) {
        guard concerns(room, zone) else { return }
        let old = rooms[room]?.state
        change(room) { $0.take(state) }
        guard old != state, let known = rooms[room] else { return }
        // The room may have another address now.
        if state == .lost, known.isPresent { locate(room) }
        if state == .playing || state == .lost {
            log(state == .lost ? .warning : .info, "\(known.stored.name): \(state.rawValue)")
        }
    }

    private func sessionChosen(_ session: RoomSnapshot.Session, for room: RoomID, of zone: Zone) {
        guard concerns(room, zone), let known = rooms[room], known.session != session else { return }
        let level: HouseLogLevel = session.isFallback ? .warning : .info
        log(level, "\(known.stored.name): \(session.stream) session, because \(session.reason)")
        change(room) { $0.session = session }
    }

    private func playerFailed(_ message: String, of zone: Zone) {
        log(.warning, "\(zone.stored.name): \(message)")
        zone.trouble = Trouble(code: "player", message: message)
        if zone.wish == .playing { pause(zone) } else { publish(zone) }
    }

    private func pressed(_ button: ZoneButton, on zone: Zone) {
        let command: HouseCommand =
            switch button {
            case .play: .play(zone.id)
            case .pause: .pause(zone.id)
            case .toggle: .toggle(zone.id)
            case .stop: .pause(zone.id)
            case .next: .next(zone.id)
            case .previous: .previous(zone.id)
            case .seek(let seconds): .seek(zone.id, seconds: seconds)
            case .shuffle(let isOn): .setShuffle(zone.id, isOn)
            case .repeatMode(let mode): .setRepeat(zone.id, mode)
            }
        // A speaker shows no answer to its buttons; a refusal is in the log.
        Task { _ = try? await perform(command, from: CommandOrigin(surface: "speaker")) }
    }

    // MARK: Time

    /// Looks at the time twice a second while a zone has rooms or a timer.
    func keepTicking() {
        guard ticker == nil, !isStopping, needsTicks else { return }
        ticker = Task { [weak self] in
            while !Task.isCancelled {
                do { try await Task.sleep(for: .milliseconds(500)) } catch { return }
                guard await self?.tick() == true else { return }
            }
        }
    }

    private var needsTicks: Bool {
        store.isBehind
            || zones.values.contains { $0.isOpen || $0.stored.sleep.map { $0 != .endOfTrack } ?? false }
    }

    /// - Returns: whether to look again.
    func tick() async -> Bool {
        let time = now()
        for zone in zones.values {
            if case .at(let end) = zone.stored.sleep, time >= end { sleepNow(zone) }
            if let since = zone.idleSince, zone.isOpen, time - since >= idleTime(of: zone) {
                zone.follow()
                close(zone)
                changed(zone)
            }
            if zone.wish == .playing { keepPosition(of: zone) }
            updateAbsence(of: zone, at: time)
            updateFade(zone)
        }
        if store.isBehind, time >= nextWriting {
            nextWriting = time + 10
            writeAll()
        }
        await tellDepths()
        if !needsTicks { ticker = nil }
        return ticker != nil
    }

    /// The time that a zone keeps its rooms while it does not play.
    ///
    /// After the end of a queue it is short: with PulseAudio, shairport-sync runs dry then, and the next session is silent
    /// for as long as it did (*observed*, 5.1-dev).
    private func idleTime(of zone: Zone) -> Double {
        zone.wish == .stopped ? Self.endSeconds : configuration.idleMinutes * 60
    }

    /// The time for the last frames to be heard.
    private static let endSeconds = 2.0

    private func keepPosition(of zone: Zone) {
        zone.follow()
        store.writePosition(of: zone.stored)
        publish(zone)
    }

    private func writeAll() {
        store.writeAll(
            zones: zones.values.map { ($0.stored, $0.queue) }, rooms: rooms.values.map(\.stored),
            alarms: Array(alarms.stored.values), counters)
        publishTroubles()
    }

    private func tellDepths() async {
        guard publisher.hasSurfaces else { return }
        var depths: [RoomID: RoomSnapshot.Depth] = [:]
        for zone in zones.values where zone.isOpen {
            for (room, depth) in await zone.player.depths() where zone.held.contains(room) {
                rooms[room]?.depth = depth
                depths[room] = depth
            }
        }
        if !depths.isEmpty { publisher.tell(.depths(depths)) }
    }

    private func sleepNow(_ zone: Zone) {
        zone.stored.sleep = nil
        log(.notice, "\(zone.stored.name): the sleep timer pauses")
        if zone.wish == .playing || zone.input != nil { pause(zone) } else { changed(zone) }
    }

    /// Pauses at the beginning of the next entry, or of the same one if it repeats.
    private func sleepAfterTrack(_ zone: Zone) {
        log(.notice, "\(zone.stored.name): the sleep timer pauses at the end of the track")
        zone.stored.sleep = nil
        if zone.queue.repeatMode != .one {
            guard let next = zone.queue.following else { return finish(zone) }
            zone.queue.setCurrent(next)
        }
        (zone.stored.position, zone.stored.wish, zone.idleSince) = (0, .paused, now())
        unschedule(zone)
        applyRate(zone)
        changed(zone)
    }
}
