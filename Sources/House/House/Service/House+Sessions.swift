/// The sessions of zones.
///
/// A room's `zone` is the desired state. One task for each zone reconciles its sessions; a room joins once no other zone
/// holds it.
extension House {
    /// Brings the sessions of a zone to its rooms, or closes them if the zone is not open.
    func bringRooms(of zone: Zone) {
        guard zone.roomTask == nil, !isStopping else { return }
        zone.roomTask = Task { [weak self, id = zone.id] in await self?.bringRooms(of: id) }
    }

    private func bringRooms(of id: ZoneID) async {
        while let zone = zones[id], !isStopping {
            let (ready, unlocated) = zones.readyRooms(of: zone)
            for id in unlocated { locate(id) }
            guard Set(ready.map(\.id)) != zone.held else { break }
            let left = await zone.hold(ready)
            for room in left { change(room) { $0.take(.idle) } }
            zone.playback.applyRate()
            bringRoomsOfOthers(than: zone, left)
        }
        zones[id]?.roomTask = nil
        if let zone = zones[id] { changed(zone) }
    }

    /// Lets other zones have rooms that are free now.
    func bringRoomsOfOthers(than zone: Zone, _ free: Set<RoomID>) {
        for other in zones.all.values where other !== zone && other.isOpen {
            if !free.isDisjoint(with: rooms.ids(of: other.id)) { bringRooms(of: other) }
        }
    }

    /// Asks for the speakers of a room that is there.
    func locate(_ id: RoomID) {
        guard rooms.beginLocating(id) else { return }
        Task { [weak self] in await self?.locateNow(id) }
    }

    func locateNow(_ id: RoomID) async {
        let isLocated = await rooms.locate(id)
        keepTicking()
        if isLocated, let zone = zones.zone(of: id), zone.isOpen { bringRooms(of: zone) }
    }
}
