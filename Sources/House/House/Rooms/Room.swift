import AirPlaySender

/// A room of the house. A value.
struct Room: Sendable {
    var stored: StoredRoom
    var isPresent = false
    /// The Unix time at which the room went from the network; 0 if it was not there since the start.
    var lastSeen = 0.0
    var needsPassword = false
    var state = RoomSnapshot.State.idle
    var depth: RoomSnapshot.Depth?
    var session: RoomSnapshot.Session?
    var trouble: Trouble?
    /// The speakers, as the search found them; `nil` until somebody asked.
    var targets: [SpeakerTarget]?
    /// Whether an answer with the speakers is pending.
    var isLocating = false

    init(_ stored: StoredRoom) { self.stored = stored }

    var snapshot: RoomSnapshot {
        var snapshot = RoomSnapshot(id: stored.id, name: stored.name, kind: stored.kind)
        (snapshot.model, snapshot.zone, snapshot.isPresent) = (stored.model, stored.zone, isPresent)
        (snapshot.state, snapshot.volume, snapshot.delay) = (state, stored.volume, stored.delay)
        (snapshot.session, snapshot.depth, snapshot.trouble) = (session, depth, trouble)
        snapshot.needsPassword = needsPassword && stored.password == nil
        (snapshot.equalizer, snapshot.nightMode) = (stored.equalizer, stored.nightMode ?? false)
        snapshot.maximumVolume = stored.maximumVolume ?? 100
        return snapshot
    }

    /// Takes a change of the room's session.
    mutating func take(_ new: RoomSnapshot.State) {
        // A session that is open ends the trouble.
        if new == .playing || new == .ready, state != new { trouble = nil }
        if new == .idle { (session, depth, trouble) = (nil, nil, nil) }
        state = new
    }

    /// Ends the troubles of looking for the room. Those of a session stay until one is open.
    mutating func wasLocated() {
        guard let code = trouble?.code, ["absent", "not-opened", "password-needed"].contains(code) else {
            return
        }
        trouble = nil
    }

    /// Takes a fact about the room.
    mutating func take(_ new: Trouble) {
        trouble = new.code == "answers-again" ? nil : new
    }
}

/// The volumes of rooms that play together.
enum ZoneVolume {
    /// Returns the volumes for a new volume of the whole: the loudest room gets it, the others keep their share of
    /// the loudest's. Rooms without a volume, and rooms that were all silent, get the new volume itself.
    static func scaled(_ volumes: [RoomID: Double], known rooms: [RoomID], to percent: Double) -> [RoomID:
        Double]
    {
        let loudest = volumes.values.max() ?? 0
        var scaled: [RoomID: Double] = [:]
        for room in rooms {
            let share = loudest > 0 ? volumes[room].map { $0 / loudest } ?? 1 : 1
            scaled[room] = percent * share
        }
        return scaled
    }
}
