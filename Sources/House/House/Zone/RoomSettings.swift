/// The settings of rooms by users, carried out at once: stored, sent to the speakers, and told.
struct RoomSettings {
    let zones: ZoneRegistry

    private var rooms: RoomRegistry { zones.rooms }

    // MARK: Zones

    /// Moves a room to a zone, or takes it out of its zone.
    ///
    /// - Parameter carryOut: Carries out at once the work that a change of a zone leaves to the house.
    func move(_ id: RoomID, to target: Zone?, carryOut: (ZoneEffect, Zone) -> Void) {
        let source = zones.zone(of: id)
        guard source !== target else { return }
        let defaultVolume = rooms.defaultVolume
        rooms.change(id) { room in
            room.stored.zone = target?.id
            if target != nil { room.stored.volume = room.stored.volume ?? defaultVolume }
        }
        if let source {
            if !zones.hasRooms(source), source.wish == .playing { carryOut(source.pause(), source) }
            carryOut(source.isOpen ? [.rooms, .changed] : .changed, source)
        }
        if let target { carryOut(target.isOpen ? [.rooms, .changed] : .changed, target) }
    }

    // MARK: Volumes

    func setVolume(_ percent: Double, of id: RoomID) throws(HouseError) {
        try rooms.setVolume(percent, of: id)
        guard let zone = zones.zone(of: id) else { return }
        zone.touchVolume(of: id)
        if zone.held.contains(id) { zone.player.setVolume(percent, of: id) }
        zones.publish(zone)
    }

    /// Sets the volume of a zone's loudest room; the others keep their proportion to it.
    func setVolume(_ percent: Double, of zone: Zone) throws(HouseError) {
        try RoomRegistry.validate(percent: percent)
        for (id, percent) in rooms.volumes(of: zone.id, scaledTo: percent) { try setVolume(percent, of: id) }
    }

    /// Takes the volume that a user has set at an input of a zone.
    func takeVolume(_ percent: Double, of input: ZoneInput, in zone: Zone) {
        guard abs(percent - (input.shownVolume ?? -1)) > 0.5 else { return }
        input.shownVolume = percent
        do throws(HouseError) { try setVolume(max(0, min(100, percent)), of: zone) } catch {
            zone.log(.info, "\(zone.stored.name): \(error.description)")
        }
    }

    /// Stores the volumes of a zone's rooms, which a fade is to reach; the rooms are not told yet.
    private func storeVolume(_ percent: Double, of zone: Zone) {
        for (id, percent) in rooms.volumes(of: zone.id, scaledTo: percent) {
            rooms.change(id, isDurable: false) { $0.stored.volume = percent }
        }
    }

    /// Lets the volume of a zone rise to an alarm's; at once if the alarm does not fade.
    func beginRise(of alarm: Alarm, in zone: Zone) throws(HouseError) {
        zone.fade.beginRise(alarm.fadeSeconds)
        guard let volume = alarm.volume else { return }
        if alarm.fadeSeconds > 0 {
            storeVolume(volume, of: zone)
        } else {
            try setVolume(volume, of: zone)
        }
    }

    /// Lets the volumes that a zone's fade has lowered rise together.
    func raiseLoweredVolumes(of zone: Zone, within seconds: Double) {
        zone.raiseLoweredVolumes(of: rooms.ids(of: zone.id), within: seconds) { rooms[$0]?.stored.volume }
    }

    func setMaximumVolume(_ percent: Double, of id: RoomID) throws(HouseError) {
        guard try rooms.setMaximumVolume(percent, of: id) else { return }
        zones.holder(of: id)?.player.setMaximumVolume(percent, of: id)
        // A volume that nobody knows may be above it.
        guard rooms[id]?.stored.volume == nil else { return }
        try setVolume(rooms.defaultVolume ?? RoomRegistry.cautiousVolume, of: id)
    }

    // MARK: Sound

    func setDelay(_ milliseconds: Double, of id: RoomID) throws(HouseError) {
        guard let delay = try rooms.setDelay(milliseconds, of: id), let zone = zones.zone(of: id),
            zone.held.contains(id)
        else { return }
        zone.player.setDelay(delay, of: id)
    }

    func setEqualizer(_ equalizer: Equalizer?, of id: RoomID) throws(HouseError) {
        if try rooms.setEqualizer(equalizer, of: id) { sendTreatment(of: id) }
    }

    func setNightMode(_ isOn: Bool, of id: RoomID) throws(HouseError) {
        if try rooms.setNightMode(isOn, of: id) { sendTreatment(of: id) }
    }

    private func sendTreatment(of id: RoomID) {
        guard let room = rooms[id] else { return }
        zones.holder(of: id)?.player.setTreatment(room.stored.treatment, of: id)
    }
}
