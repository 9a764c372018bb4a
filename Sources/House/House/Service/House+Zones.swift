import Foundation
import Playback

/// The zones of a house.
extension House {
    /// The most zones of a house.
    private static let zoneLimit = 64
    /// The most characters of a name.
    private static let nameLimit = 100

    @discardableResult
    func add(_ stored: StoredZone, queue: HouseQueue) -> Zone {
        let zone = Zone(stored, queue: queue, player: outputs.makePlayer(), now: now, log: log)
        zones[stored.id] = zone
        zone.player.setSound(zone.sound)
        openInputs(of: zone)
        let events = zone.player.events
        // Ends with the player's events.
        Task { [weak self, id = stored.id] in
            for await event in events { await self?.handle(event, of: id) }
        }
        return zone
    }

    /// Carries out what a change of a zone leaves to the house.
    func carryOut(_ effect: ZoneEffect, in zone: Zone) {
        if effect.contains(.rooms) { bringRooms(of: zone) }
        if effect.contains(.changed) {
            changed(zone)
        } else if effect.contains(.told) {
            publish(zone)
        }
    }

    func hasRooms(_ zone: Zone) -> Bool { !rooms.ids(of: zone.id).isEmpty }

    // MARK: Commands

    func makeZone(_ name: String, _ ids: [RoomID]) throws(HouseError) -> ZoneID {
        let name = try Self.name(name)
        guard zones.count < Self.zoneLimit else {
            throw HouseError(.limit, "A house has at most \(Self.zoneLimit) zones; remove one first.")
        }
        for id in ids { _ = try rooms.room(id) }
        let zone = add(StoredZone(id: newZoneID(), name: name), queue: HouseQueue())
        for id in ids { try moveRoom(id, to: zone.id) }
        changed(zone)
        return zone.id
    }

    func rename(_ zone: Zone, _ name: String) throws(HouseError) {
        let name = try Self.name(name)
        guard name != zone.stored.name else { return }
        zone.stored.name = name
        openInputs(of: zone)
        changed(zone)
    }

    private static func name(_ text: String) throws(HouseError) -> String {
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty, name.count <= nameLimit else {
            throw HouseError(.invalid, "A name has 1 to \(nameLimit) characters.")
        }
        return name
    }

    func removeZone(_ zone: Zone) async throws(HouseError) {
        guard zones.count > 1 else {
            throw HouseError(.conflict, "The last zone stays; make another one first.")
        }
        for id in rooms.ids(of: zone.id) { change(id) { $0.stored.zone = nil } }
        (zone.stored.wish, zone.isOpen) = (.stopped, false)
        zone.player.setRate(0)
        zone.closeInputs()
        endAnnouncements(of: zone)
        zones[zone.id] = nil
        closing.append(zone)
        store.remove(zone.id)
        removeAlarms(of: zone.id)
        publisher.tell(.zoneRemoved(zone.id))
        await zone.roomTask?.value
        await zone.player.close().value
        closing.removeAll { $0 === zone }
        let free = zone.held.filter { room in !zones.values.contains { $0.held.contains(room) } }
        for id in free { change(id) { $0.take(.idle) } }
        bringRoomsOfOthers(than: zone, zone.held)
    }

    /// Moves a zone's queue and playback to another zone, and stops the first.
    func transfer(_ source: Zone, to target: Zone) throws(HouseError) {
        guard source !== target else { return }
        source.follow()
        guard !source.queue.isEmpty else {
            throw HouseError(.conflict, "\(source.stored.name) has nothing to move: its queue is empty.")
        }
        let (wish, position, rate) = (source.wish, source.position, source.stored.rate)
        let sleep = source.stored.sleep
        let copies = newEntries(source.queue.entries.map(\.track))
        let ids = Dictionary(
            zip(source.queue.entries.map(\.id), copies.map(\.id)), uniquingKeysWith: { $1 })
        carryOut(target.stop(), in: target)
        target.queue = HouseQueue(
            entries: copies, order: source.queue.order.compactMap { ids[$0] },
            current: source.queue.currentID.flatMap { ids[$0] }, isShuffled: source.queue.isShuffled,
            repeatMode: source.queue.repeatMode, revision: target.queue.revision + 1)
        (target.stored.position, target.stored.rate, target.stored.sleep) = (position, rate, sleep)
        (target.streamTitle, target.trouble) = (nil, nil)
        carryOut(source.clear(), in: source)
        target.stored.wish = wish == .stopped ? .stopped : .paused
        // Without rooms, it waits for one.
        guard wish == .playing, hasRooms(target) else { return changed(target) }
        carryOut(try target.play(hasRooms: true), in: target)
    }
}
