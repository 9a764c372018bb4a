import Foundation

/// Events of players, and the passing of time.
extension House {
    // MARK: Events of players

    func handle(_ event: ZoneEvent, of id: ZoneID) {
        guard let zone = zones[id], !isStopping else { return }
        switch event {
        case .room(let room, let state): roomChanged(room, to: state, of: zone)
        case .roomTrouble(let room, let trouble):
            guard concerns(room, zone) else { return }
            log(.warning, trouble.message)
            change(room) { $0.take(trouble) }
            if ["password-wrong", "pin-wrong"].contains(trouble.code) {
                rooms.forgetPassword(of: room)
                ticker.start()
            }
        case .session(let room, let session): sessionChosen(session, for: room, of: zone)
        case .volume(let room, let percent):
            guard concerns(room, zone), !zone.fade.isEcho(percent, of: room) else { return }
            zone.touchVolume(of: room)
            change(room) { $0.stored.volume = percent }
            zones.publish(zone)
        case .button(let button):
            let command = button.command(for: id)
            // A speaker shows no answer to its buttons; a refusal is in the log.
            Task { _ = try? await perform(command, from: CommandOrigin(surface: "speaker")) }
        case .current, .state, .interrupted, .playerFailed, .opened, .failed, .ended, .streamTitle:
            let effect = zone.handle(event)
            if case .state = event, zone.fade.rise != nil { updateFade(zone) }
            carryOut(effect, in: zone)
        }
    }

    /// Whether an event of a zone about a room counts: the last one of a room may come when another zone has it.
    private func concerns(_ room: RoomID, _ zone: Zone) -> Bool {
        zone.held.contains(room) || zones.holder(of: room) == nil
    }

    private func roomChanged(_ room: RoomID, to state: RoomSnapshot.State, of zone: Zone) {
        guard concerns(room, zone) else { return }
        let old = rooms[room]?.state
        change(room) { $0.take(state) }
        guard old != state, let known = rooms[room] else { return }
        // The room may have another address now.
        if state == .lost, known.isPresent { sessions.locate(room) }
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

    // MARK: Time

    /// Looks at the time.
    func tick() async {
        // A tick may be on its way when the house stops, and must not lower a volume that was set back.
        guard !isStopping else { return }
        let time = now()
        for zone in zones.all.values {
            if case .at(let end) = zone.stored.sleep, time >= end {
                carryOut(zone.sleepNow(), in: zone)
            }
            if let since = zone.idleSince, zone.isOpen, time - since >= idleTime(of: zone) {
                zone.follow()
                carryOut(zone.playback.close(), in: zone)
            }
            if zone.wish == .playing { zones.keepPosition(of: zone) }
            carryOut(zone.playback.updateAbsence(at: time), in: zone)
            updateFade(zone)
        }
        if store.isBehind, time >= nextWriting {
            nextWriting = time + 10
            writeAll()
        }
        await tellDepths()
        ticker.next()
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

    private func writeAll() {
        store.writeAll(
            zones: zones.all.values.map { ($0.stored, $0.queue) }, rooms: rooms.all.values.map(\.stored),
            alarms: Array(alarmClock.list.stored.values), environment.numbers.counters)
        troubles.publish()
    }

    private func tellDepths() async {
        guard publisher.hasSurfaces else { return }
        let depths = await zones.depths()
        if !depths.isEmpty { publisher.tell(.depths(depths)) }
    }
}
