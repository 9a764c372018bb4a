import Playback

/// The rooms of a house: their search, and what users set of them.
extension House {
    /// A volume for rooms whose own is unknown, in percent: that of a room which gets a loudest one, and that which
    /// sliders of other programs show.
    public static let cautiousVolume = 30.0

    // MARK: Search

    func roomsFound(_ all: [FoundRoom]) {
        let wasFull = rooms.isFull
        for id in rooms.hiddenRooms {
            assign(id, to: nil)
            rooms.forget(id)
        }
        let used = (Array(zones.values) + closing).reduce(into: prompts.rooms) { $0.formUnion($1.held) }
        let (appeared, refused) = rooms.take(all, used: used)
        if let refused, !wasFull {
            log(
                .warning,
                "\(refused.name) is on the network, but no room yet: the house has \(RoomRegistry.limit) rooms,"
                    + " and takes no more. Forget some with `tutti room forget`, or name some in [rooms] hidden."
            )
        }
        for id in appeared {
            if rooms[id]?.state == .lost { locate(id) }
            if let zone = zone(of: id), zone.isOpen { bringRooms(of: zone) }
        }
        keepTicking()
    }

    // MARK: Passwords

    /// Returns the password of a room: the stored one, or the one that a user enters within two minutes.
    func password(for id: RoomID) async -> String? {
        guard let room = rooms[id], !isStopping else { return nil }
        if let password = room.stored.password { return password }
        rooms.notePrompt(of: id)
        prompts.answer(nil, of: id)
        let timer = Task { [weak self] in
            do { try await Task.sleep(for: PasswordPrompts.patience) } catch { return }
            await self?.cancelPrompt(of: id)
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { prompts.add($0, of: id) }
    }

    private func cancelPrompt(of id: RoomID) { prompts.answer(nil, of: id) }

    func setPassword(_ password: String, of id: RoomID) throws(HouseError) {
        _ = try rooms.room(id)
        try RoomRegistry.validate(password: password)
        // Once it is known to be right, and no PIN, it is stored.
        if prompts.answer(password, of: id) { return }
        rooms.setPassword(password, of: id)
        keepTicking()
        if let zone = zone(of: id), zone.isOpen { bringRooms(of: zone) }
    }

    // MARK: Zones

    func moveRoom(_ id: RoomID, to target: ZoneID?) throws(HouseError) {
        _ = try rooms.room(id)
        let target = try target.map { id throws(HouseError) in try zone(id) }
        assign(id, to: target)
    }

    private func assign(_ id: RoomID, to target: Zone?) {
        let source = zone(of: id)
        guard source !== target else { return }
        let defaultVolume = rooms.defaultVolume
        change(id) { room in
            room.stored.zone = target?.id
            if target != nil { room.stored.volume = room.stored.volume ?? defaultVolume }
        }
        if let source {
            if !hasRooms(source), source.wish == .playing { carryOut(source.pause(), in: source) }
            if source.isOpen { bringRooms(of: source) }
            changed(source)
        }
        if let target {
            if target.isOpen { bringRooms(of: target) }
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
        keepTicking()
    }

    // MARK: Volumes

    func setVolume(_ percent: Double, of id: RoomID) throws(HouseError) {
        try rooms.setVolume(percent, of: id)
        keepTicking()
        guard let zone = zone(of: id) else { return }
        zone.touchVolume(of: id)
        if zone.held.contains(id) { zone.player.setVolume(percent, of: id) }
        publish(zone)
    }

    func setVolume(_ percent: Double, of zone: Zone) throws(HouseError) {
        try RoomRegistry.validate(percent: percent)
        for (id, percent) in rooms.volumes(of: zone.id, scaledTo: percent) { try setVolume(percent, of: id) }
    }

    /// Stores the volumes of a zone's rooms, which a fade is to reach; the rooms are not told yet.
    func storeVolume(_ percent: Double, of zone: Zone) {
        for (id, percent) in rooms.volumes(of: zone.id, scaledTo: percent) {
            change(id, isDurable: false) { $0.stored.volume = percent }
        }
    }

    func setMaximumVolume(_ percent: Double, of id: RoomID) throws(HouseError) {
        guard try rooms.setMaximumVolume(percent, of: id) else { return }
        keepTicking()
        holder(of: id)?.player.setMaximumVolume(percent, of: id)
        // A volume that nobody knows may be above it.
        guard rooms[id]?.stored.volume == nil else { return }
        try setVolume(rooms.defaultVolume ?? Self.cautiousVolume, of: id)
    }

    // MARK: Sound

    func setDelay(_ milliseconds: Double, of id: RoomID) throws(HouseError) {
        guard let delay = try rooms.setDelay(milliseconds, of: id) else { return }
        keepTicking()
        guard let zone = zone(of: id), zone.held.contains(id) else { return }
        zone.player.setDelay(delay, of: id)
    }

    func setEqualizer(_ equalizer: Equalizer?, of id: RoomID) throws(HouseError) {
        if try rooms.setEqualizer(equalizer, of: id) { sendTreatment(of: id) }
    }

    func setNightMode(_ isOn: Bool, of id: RoomID) throws(HouseError) {
        if try rooms.setNightMode(isOn, of: id) { sendTreatment(of: id) }
    }

    private func sendTreatment(of id: RoomID) {
        keepTicking()
        guard let room = rooms[id] else { return }
        holder(of: id)?.player.setTreatment(room.stored.treatment, of: id)
    }
}
