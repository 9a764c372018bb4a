import AirPlaySender

/// The rooms that zones are to have, and what becomes of them.
extension ZoneRegistry {
    /// Returns the rooms that a zone is to play to and that are free, and those whose speakers are to be asked for.
    func readyRooms(of zone: Zone) -> (ready: [ZoneRoom], unlocated: [RoomID]) {
        let ids = zone.announcement.map { Array($0) } ?? (zone.isOpen ? rooms.ids(of: zone.id) : [])
        let (ready, unlocated) = readyRooms(ids, for: zone)
        return (ready.filter { isReachable($0, for: zone) }, unlocated)
    }

    /// Returns those of some rooms that are free for a zone, and those whose speakers are to be asked for.
    func readyRooms(
        _ ids: some Sequence<RoomID>, for zone: Zone
    ) -> (ready: [ZoneRoom], unlocated: [RoomID]) {
        let free = ids.filter { !isTaken($0, for: zone) }
        let unlocated = free.filter { rooms.needsLocating($0) }
        let ready = free.compactMap { id in
            rooms.zoneRoom(id) { zone.beginningVolume(of: id, own: $0.stored.volume) }
        }
        return (ready, unlocated)
    }

    /// Whether a room has the address to which its session was opened. A lost one that has another leaves, and joins again.
    private func isReachable(_ room: ZoneRoom, for zone: Zone) -> Bool {
        guard zone.held.contains(room.id), rooms[room.id]?.state == .lost else { return true }
        return zone.heldAddresses[room.id] == room.targets.map(\.addresses)
    }

    /// Returns how far ahead the rooms of zones are filled, and notes it.
    nonisolated(nonsending) func depths() async -> [RoomID: RoomSnapshot.Depth] {
        var depths: [RoomID: RoomSnapshot.Depth] = [:]
        for zone in all.values where zone.isOpen {
            for (room, depth) in await zone.player.depths() where zone.held.contains(room) {
                rooms.setDepth(depth, of: room)
                depths[room] = depth
            }
        }
        return depths
    }
}
