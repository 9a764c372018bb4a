import AirPlaySender
import Playback

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
            let ready = roomsToHold(by: zone)
            let new = Set(ready.map(\.id))
            guard new != zone.held else { break }
            zone.held.formUnion(new)
            for room in ready { zone.heldAddresses[room.id] = room.targets.map(\.addresses) }
            if new.isEmpty {
                zone.isConnected = false
                zone.player.setRate(0)
                await zone.player.release()
            } else {
                await zone.player.setRooms(ready)
                zone.isConnected = true
            }
            let left = zone.held.subtracting(new)
            zone.held = new
            for room in left {
                zone.heldAddresses[room] = nil
                change(room) { $0.take(.idle) }
            }
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

    /// Returns the rooms that are ready, without a lost one whose address has changed: it leaves, and joins again.
    private func roomsToHold(by zone: Zone) -> [ZoneRoom] {
        readyRooms(of: zone).filter { room in
            guard zone.held.contains(room.id), rooms[room.id]?.state == .lost else { return true }
            return zone.heldAddresses[room.id] == room.targets.map(\.addresses)
        }
    }

    /// Returns the rooms that the zone is to play to and that are free; asks for the addresses of others.
    private func readyRooms(of zone: Zone) -> [ZoneRoom] {
        if let announced = zone.announcement { return readyRooms(announced, for: zone) }
        return zone.isOpen ? readyRooms(rooms.ids(of: zone.id), for: zone) : []
    }

    func readyRooms(_ ids: some Sequence<RoomID>, for zone: Zone) -> [ZoneRoom] {
        ids.compactMap { id in
            guard !zones.isTaken(id, for: zone) else { return nil }
            if rooms.needsLocating(id) { locate(id) }
            return rooms.zoneRoom(id) { zone.beginningVolume(of: id, own: $0.stored.volume) }
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
