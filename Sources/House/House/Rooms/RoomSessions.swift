/// The sessions of zones with rooms. Belongs to the house's actor.
///
/// A room's `zone` is the desired state. One task for each zone reconciles its sessions; a room joins once no other zone
/// holds it.
final class RoomSessions {
    private let zones: ZoneRegistry
    private let rooms: RoomRegistry
    private let ticker: Ticker
    private let tasks: HouseTasks

    init(_ environment: HouseEnvironment, zones: ZoneRegistry, ticker: Ticker) {
        (self.zones, rooms, self.ticker) = (zones, zones.rooms, ticker)
        tasks = environment.tasks
    }

    // MARK: Zones

    /// Brings the sessions of a zone to its rooms, or closes them if the zone is not open.
    func bringRooms(of zone: Zone) {
        guard zone.roomTask == nil, !tasks.isStopping else { return }
        zone.roomTask = tasks.begin(.bringRooms(zone.id))
    }

    /// Brings the sessions of a room's zone to its rooms, if the zone is open.
    func bringZone(of room: RoomID) {
        if let zone = zones.zone(of: room), zone.isOpen { bringRooms(of: zone) }
    }

    /// Lets other zones have rooms that are free now.
    func bringRoomsOfOthers(than zone: Zone, _ free: Set<RoomID>) {
        for other in zones.all.values where other !== zone && other.isOpen {
            if !free.isDisjoint(with: rooms.ids(of: other.id)) { bringRooms(of: other) }
        }
    }

    /// Returns when the sessions of a zone are those with its rooms.
    nonisolated(nonsending) func bringRoomsAndWait(of zone: Zone) async {
        guard zones[zone.id] === zone else { return }
        bringRooms(of: zone)
        // A change meanwhile begins another task; a zone that was removed has none that ends.
        while zones[zone.id] === zone, let task = zone.roomTask { await task.value }
    }

    /// Brings sessions to rooms until nothing is left to do: the work of a zone's task.
    nonisolated(nonsending) func reconcile(_ id: ZoneID) async {
        while let zone = zones[id], !tasks.isStopping {
            let (ready, unlocated) = zones.readyRooms(of: zone)
            for id in unlocated { locate(id) }
            guard Set(ready.map(\.id)) != zone.held else { break }
            let left = await zone.hold(ready)
            release(left)
            zone.playback.applyRate()
            bringRoomsOfOthers(than: zone, left)
        }
        zones[id]?.roomTask = nil
    }

    /// Notes that rooms have no session.
    func release(_ left: some Sequence<RoomID>) {
        for room in left { rooms.change(room) { $0.take(.idle) } }
        ticker.start()
    }

    // MARK: Speakers

    /// Asks for the speakers of a room that is there.
    func locate(_ id: RoomID) {
        if rooms.beginLocating(id) { tasks.begin(.locate(id)) }
    }

    /// Returns when the answer of a room's speakers is there.
    nonisolated(nonsending) func locateAndWait(_ id: RoomID) async {
        let isLocated = await rooms.locate(id)
        ticker.start()
        if isLocated { bringZone(of: id) }
    }

    /// Asks for the speakers of rooms that were not used yet; not for passwords.
    nonisolated(nonsending) func locateAll(_ ids: Set<RoomID>) async {
        for id in ids {
            guard let room = rooms[id], room.targets == nil, room.isPresent, !room.needsPassword else {
                continue
            }
            await locateAndWait(id)
        }
    }
}
