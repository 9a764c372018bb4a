/// The zones of a house.
extension House {
    /// Lets a zone that was made have its inputs, and follows what its player does.
    func open(_ zone: Zone) {
        inputs.open(for: zone)
        let events = zone.player.events
        // Ends with the player's events.
        Task { [tasks = environment.tasks, id = zone.id] in
            for await event in events { await tasks.run(.player(event, of: id)) }
        }
    }

    // MARK: Effects

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

    /// Carries out what is left to the house, if the zone is still there.
    func carryOut(_ effect: ZoneEffect, in id: ZoneID?) {
        if let zone = id.flatMap({ zones[$0] }) { carryOut(effect, in: zone) }
    }

    /// Writes a zone and tells the surfaces what has changed.
    func changed(_ zone: Zone) {
        zones.write(zone)
        fader.update(zone)
        zones.publish(zone)
        troubles.publish()
        ticker.start()
    }

    // MARK: Commands

    func makeZone(_ name: String, _ ids: [RoomID]) throws(HouseError) -> ZoneID {
        let name = try zones.validate(newName: name)
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
        inputs.open(for: zone)
        changed(zone)
    }

    func removeZone(_ zone: Zone) async throws(HouseError) {
        guard zones.all.count > 1 else {
            throw HouseError(.conflict, "The last zone cannot be removed; make another one first.")
        }
        for id in rooms.ids(of: zone.id) { rooms.change(id) { $0.stored.zone = nil } }
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
}
