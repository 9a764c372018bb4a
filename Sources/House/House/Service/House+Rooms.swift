import Playback

/// The rooms of a house: their search, their passwords, and their zones.
extension House {
    /// A volume for rooms whose own is unknown, in percent: that of a room which gets a loudest one, and that which
    /// sliders of other programs show.
    public static let cautiousVolume = RoomRegistry.cautiousVolume

    // MARK: Search

    func roomsFound(_ all: [FoundRoom]) {
        for id in rooms.hiddenRooms {
            move(id, to: nil)
            rooms.forget(id)
        }
        for id in rooms.take(all, used: zones.heldRooms.union(prompts.rooms)) {
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
        let timer = environment.tasks.begin(.cancelPrompt(id), after: PasswordPrompts.patience)
        defer { timer.cancel() }
        return await withCheckedContinuation { prompts.add($0, of: id) }
    }

    func setPassword(_ password: String, of id: RoomID) throws(HouseError) {
        try rooms.validate(password: password, of: id)
        // Once it is known to be right, and no PIN, it is stored.
        if prompts.answer(password, of: id) { return }
        rooms.setPassword(password, of: id)
        sessions.bringZone(of: id)
    }

    // MARK: Zones

    func moveRoom(_ id: RoomID, to target: ZoneID?) throws(HouseError) {
        _ = try rooms.room(id)
        let target = try target.map { id throws(HouseError) in try zones.zone(id) }
        move(id, to: target)
    }

    private func move(_ id: RoomID, to target: Zone?) {
        settings.move(id, to: target) { carryOut($0, in: $1) }
    }
}
