/// The reports of zones' players about rooms, carried out at once: stored, told, and named in the log.
struct RoomReports {
    let zones: ZoneRegistry
    let sessions: RoomSessions
    let log: HouseLog

    private var rooms: RoomRegistry { zones.rooms }

    /// Takes a report of a zone's player, if it is about a room.
    func take(_ event: ZoneEvent, of zone: Zone) {
        switch event {
        case .room(let room, let state): take(state, of: room, in: zone)
        case .roomTrouble(let room, let trouble):
            guard concerns(room, zone) else { return }
            log(.warning, trouble.message)
            rooms.change(room) { $0.take(trouble) }
            if ["password-wrong", "pin-wrong"].contains(trouble.code) { rooms.forgetPassword(of: room) }
        case .session(let room, let session): take(session, of: room, in: zone)
        case .volume(let room, let percent):
            guard concerns(room, zone), !zone.fade.isEcho(percent, of: room) else { return }
            zone.touchVolume(of: room)
            rooms.change(room) { $0.stored.volume = percent }
            zones.publish(zone)
        case .current, .state, .interrupted, .playerFailed, .opened, .failed, .ended, .streamTitle, .button:
            break
        }
    }

    /// Whether an event of a zone about a room counts: the last one of a room may come when another zone has it.
    private func concerns(_ room: RoomID, _ zone: Zone) -> Bool {
        zone.held.contains(room) || zones.holder(of: room) == nil
    }

    private func take(_ state: RoomSnapshot.State, of room: RoomID, in zone: Zone) {
        guard concerns(room, zone) else { return }
        let old = rooms[room]?.state
        rooms.change(room) { $0.take(state) }
        guard old != state, let known = rooms[room] else { return }
        // The room may have another address now.
        if state == .lost, known.isPresent { sessions.locate(room) }
        if state == .playing || state == .lost {
            log(state == .lost ? .warning : .info, "\(known.stored.name): \(state.rawValue)")
        }
    }

    private func take(_ session: RoomSnapshot.Session, of room: RoomID, in zone: Zone) {
        guard concerns(room, zone), let known = rooms[room], known.session != session else { return }
        let level: HouseLogLevel = session.isFallback ? .warning : .info
        log(level, "\(known.stored.name): \(session.stream) session, because \(session.reason)")
        rooms.change(room) { $0.session = session }
    }
}
