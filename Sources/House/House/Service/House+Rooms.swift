import Playback

/// The rooms of a house: their search, their passwords, and their zones.
extension House {
    /// A volume for rooms whose own is unknown, in percent: that of a room which gets a loudest one, and that which
    /// sliders of other programs show.
    public static let cautiousVolume = 30.0

    // MARK: Search

    func roomsFound(_ all: [FoundRoom]) {
        let hadRefused = rooms.hasRefused
        for id in rooms.hiddenRooms {
            assign(id, to: nil)
            rooms.forget(id)
        }
        let (appeared, refused) = rooms.take(all, used: zones.heldRooms.union(prompts.rooms))
        if let refused, !hadRefused {
            log(
                .warning,
                "\(refused.name) is on the network, but cannot become a room: the house has \(RoomRegistry.limit) rooms already,"
                    + " the maximum. Forget some with `tutti room forget`, or list some in [rooms] hidden."
            )
        }
        for id in appeared {
            if rooms[id]?.state == .lost { sessions.locate(id) }
            sessions.bringZone(of: id)
        }
        ticker.start()
    }

    // MARK: Passwords

    /// Returns the password of a room: the stored one, or the one that a user enters within two minutes.
    func password(for id: RoomID) async -> String? {
        guard let room = rooms[id], !isStopping else { return nil }
        if let password = room.stored.password { return password }
        rooms.notePrompt(of: id)
        prompts.answer(nil, of: id)
        let timer = tasks.begin(.cancelPrompt(id), after: PasswordPrompts.patience)
        defer { timer.cancel() }
        return await withCheckedContinuation { prompts.add($0, of: id) }
    }

    func setPassword(_ password: String, of id: RoomID) throws(HouseError) {
        _ = try rooms.room(id)
        try RoomRegistry.validate(password: password)
        // Once it is known to be right, and no PIN, it is stored.
        if prompts.answer(password, of: id) { return }
        rooms.setPassword(password, of: id)
        ticker.start()
        sessions.bringZone(of: id)
    }

    // MARK: Zones

    func moveRoom(_ id: RoomID, to target: ZoneID?) throws(HouseError) {
        _ = try rooms.room(id)
        let target = try target.map { id throws(HouseError) in try zones.zone(id) }
        assign(id, to: target)
    }

    private func assign(_ id: RoomID, to target: Zone?) {
        let source = zones.zone(of: id)
        guard source !== target else { return }
        let defaultVolume = rooms.defaultVolume
        change(id) { room in
            room.stored.zone = target?.id
            if target != nil { room.stored.volume = room.stored.volume ?? defaultVolume }
        }
        if let source {
            if !zones.hasRooms(source), source.wish == .playing { carryOut(source.pause(), in: source) }
            if source.isOpen { sessions.bringRooms(of: source) }
            changed(source)
        }
        if let target {
            if target.isOpen { sessions.bringRooms(of: target) }
            changed(target)
        }
    }

    func forgetRoom(_ id: RoomID) throws(HouseError) {
        let room = try rooms.room(id)
        guard room.stored.zone == nil, !room.isPresent else {
            throw HouseError(
                .conflict, "\(room.stored.name) is on the network or in a zone, so it cannot be forgotten.")
        }
        rooms.forget(id)
        ticker.start()
    }
}
