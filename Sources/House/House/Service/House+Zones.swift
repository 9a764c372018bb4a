import Playback

/// The zones of a house.
extension House {
    /// Lets a zone that was made have its inputs, and follows what its player does.
    func open(_ zone: Zone) {
        openInputs(of: zone)
        let events = zone.player.events
        // Ends with the player's events.
        Task { [weak self, id = zone.id] in
            for await event in events { await self?.handle(event, of: id) }
        }
    }

    /// Carries out what a change of a zone leaves to the house.
    func carryOut(_ effect: ZoneEffect, in zone: Zone) {
        if effect.contains(.moved) { zone.published = nil }
        if effect.contains(.rooms) { sessions.bringRooms(of: zone) }
        if effect.contains(.changed) {
            changed(zone)
        } else if effect.contains(.told) {
            zones.publish(zone)
        }
    }

    // MARK: Commands

    func makeZone(_ name: String, _ ids: [RoomID]) throws(HouseError) -> ZoneID {
        let name = try zones.validate(name: name)
        try zones.requireSpace()
        for id in ids { _ = try rooms.room(id) }
        let zone = zones.make(name)
        open(zone)
        for id in ids { try moveRoom(id, to: zone.id) }
        changed(zone)
        return zone.id
    }

    func rename(_ zone: Zone, _ name: String) throws(HouseError) {
        let name = try zones.validate(name: name)
        guard name != zone.stored.name else { return }
        zone.stored.name = name
        openInputs(of: zone)
        changed(zone)
    }

    func removeZone(_ zone: Zone) async throws(HouseError) {
        guard zones.all.count > 1 else {
            throw HouseError(.conflict, "The last zone cannot be removed; make another one first.")
        }
        for id in rooms.ids(of: zone.id) { change(id) { $0.stored.zone = nil } }
        (zone.stored.wish, zone.isOpen) = (.stopped, false)
        zone.player.setRate(0)
        zone.closeInputs()
        announcer.cancelAll(of: zone)
        zones.remove(zone)
        alarmClock.removeAll(of: zone.id)
        publisher.tell(.zoneRemoved(zone.id))
        await zone.roomTask?.value
        await zone.player.close().value
        zones.endClosing(zone)
        sessions.release(zone.held.filter { zones.holder(of: $0) == nil })
        sessions.bringRoomsOfOthers(than: zone, zone.held)
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
        let copies = zones.newEntries(source.queue.entries.map(\.track))
        carryOut(target.stop(), in: target)
        target.playback.queue = HouseQueue(
            copying: source.queue, as: copies, revision: target.queue.revision + 1)
        target.stored.position = position
        target.stored.rate = rate
        target.stored.sleep = sleep
        (target.playback.streamTitle, target.trouble) = (nil, nil)
        carryOut(source.clear(), in: source)
        target.stored.wish = wish == .stopped ? .stopped : .paused
        // Without rooms, it waits for one.
        guard wish == .playing, zones.hasRooms(target) else { return changed(target) }
        carryOut(try target.play(hasRooms: true), in: target)
    }
}
