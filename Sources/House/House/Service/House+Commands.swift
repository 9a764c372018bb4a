import Foundation
import Playback
import TuttiMusicLibrary

/// The commands of surfaces.
extension House {
    /// The most zones of a house.
    static let zoneLimit = 64
    /// The most characters of a name.
    static let nameLimit = 100
    /// Carries out a command. Throws, and changes nothing, if it cannot.
    public func perform(
        _ command: HouseCommand, from origin: CommandOrigin
    ) async throws(HouseError) -> CommandOutcome {
        guard !isStopping else { throw HouseError(.unavailable, "The service is stopping.") }
        var outcome = CommandOutcome(revision: publisher.revision)
        let words = CommandWords(zones: zones, rooms: rooms).words(command)
        do throws(HouseError) {
            try await carryOut(command, &outcome)
        } catch {
            log(.info, "\(origin): \(words), refused: \(error.description)")
            throw error
        }
        log(.notice, "\(origin): \(words)")
        outcome.revision = publisher.revision
        return outcome
    }

    private func carryOut(
        _ command: HouseCommand, _ outcome: inout CommandOutcome
    ) async throws(HouseError) {
        if try carryOutForInput(command) { return }
        switch command {
        case .play(let id): try play(try zone(id))
        case .pause(let id): pause(try zone(id))
        case .toggle(let id):
            let zone = try zone(id)
            if zone.wish == .playing { pause(zone) } else { try play(zone) }
        case .stop(let id): stop(try zone(id))
        case .next(let id): try next(try zone(id))
        case .previous(let id): previous(try zone(id))
        case .seek(let id, let seconds): try seek(try zone(id), to: seconds)
        case .skip(let id, let seconds):
            let zone = try zone(id)
            guard seconds.isFinite else { throw HouseError(.invalid, "Skip by a number of seconds.") }
            try seek(zone, to: max(0, zone.position + seconds))
        case .setRate(let id, let rate): try setRate(rate, of: try zone(id))
        case .setShuffle(let id, let isOn): setShuffle(isOn, of: try zone(id))
        case .setRepeat(let id, let mode): setRepeat(mode, of: try zone(id))
        case .sleep(let id, let seconds): try sleep(try zone(id), after: seconds)
        case .sleepAtEndOfTrack(let id): sleepAtEndOfTrack(try zone(id))
        case .setZoneVolume(let id, let percent): try setVolume(percent, of: try zone(id))
        case .add(let id, let items, let place): outcome.entries = try await add(items, to: id, place)
        case .jump(let id, let entry): try jump(try zone(id), to: entry)
        case .remove(let id, let entries): remove(entries, from: try zone(id))
        case .move(let id, let entries, let target): try move(entries, before: target, in: try zone(id))
        case .clear(let id): clear(try zone(id))
        case .makeZone(let name, let rooms): outcome.zone = try makeZone(name, rooms)
        case .renameZone(let id, let name): try rename(try zone(id), name)
        case .removeZone(let id): try await removeZone(try zone(id))
        case .moveRoom(let id, let target): try moveRoom(id, to: target)
        case .transfer(let id, let target): try transfer(try zone(id), to: try zone(target))
        case .setRoomVolume(let id, let percent): try setVolume(percent, of: id)
        case .setRoomDelay(let id, let milliseconds): try setDelay(milliseconds, of: id)
        case .setRoomPassword(let id, let password): try setPassword(password, of: id)
        case .forgetRoom(let id): try forgetRoom(id)
        case .setRoomEqualizer(let id, let equalizer): try setEqualizer(equalizer, of: id)
        case .setRoomMaximumVolume(let id, let percent): try setMaximumVolume(percent, of: id)
        case .setRoomNightMode(let id, let isOn): try setNightMode(isOn, of: id)
        case .setLevelling(let id, let levelling): setLevelling(levelling, of: try zone(id))
        case .setCrossfade(let id, let seconds): try setCrossfade(seconds, of: try zone(id))
        case .setSleepFade(let id, let seconds): try setSleepFade(seconds, of: try zone(id))
        case .playInput: break
        case .announce(let request): outcome.announcement = try await announce(request)
        case .cancelAnnouncement(let id): try cancelAnnouncement(id)
        case .setAlarm(let alarm): outcome.alarm = try await setAlarm(alarm)
        case .removeAlarm(let id): try removeAlarm(id)
        }
    }

    // MARK: Zones

    private func makeZone(_ name: String, _ ids: [RoomID]) throws(HouseError) -> ZoneID {
        let name = try Self.name(name)
        guard zones.count < Self.zoneLimit else {
            throw HouseError(.limit, "A house has at most \(Self.zoneLimit) zones; remove one first.")
        }
        for id in ids { _ = try room(id) }
        let zone = add(StoredZone(id: newZoneID(), name: name), queue: HouseQueue())
        for id in ids { try moveRoom(id, to: zone.id) }
        changed(zone)
        return zone.id
    }

    private func rename(_ zone: Zone, _ name: String) throws(HouseError) {
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

    private func removeZone(_ zone: Zone) async throws(HouseError) {
        guard zones.count > 1 else {
            throw HouseError(.conflict, "The last zone stays; make another one first.")
        }
        for id in roomIDs(of: zone.id) { change(id) { $0.stored.zone = nil } }
        (zone.stored.wish, zone.isOpen) = (.stopped, false)
        zone.player.setRate(0)
        closeInputs(of: zone)
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
    private func transfer(_ source: Zone, to target: Zone) throws(HouseError) {
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
        stop(target)
        target.queue = HouseQueue(
            entries: copies, order: source.queue.order.compactMap { ids[$0] },
            current: source.queue.currentID.flatMap { ids[$0] }, isShuffled: source.queue.isShuffled,
            repeatMode: source.queue.repeatMode, revision: target.queue.revision + 1)
        (target.stored.position, target.stored.rate, target.stored.sleep) = (position, rate, sleep)
        (target.streamTitle, target.trouble) = (nil, nil)
        clear(source)
        target.stored.wish = wish == .stopped ? .stopped : .paused
        // Without rooms, it waits for one.
        if wish == .playing, !roomIDs(of: target.id).isEmpty { try play(target) } else { changed(target) }
    }

    // MARK: The queue

    private func add(
        _ items: [LibraryItem], to id: ZoneID, _ place: QueuePlace
    ) async throws(HouseError) -> [EntryID] {
        _ = try zone(id)
        let tracks: [PlayableTrack]
        do throws(LibraryError) { tracks = try await self.items.tracks(of: items) } catch {
            throw HouseError(error)
        }
        guard !tracks.isEmpty else { throw HouseError(.notFound, "There is nothing to play in it.") }
        // The library may have taken a while.
        let zone = try zone(id)
        zone.follow()
        let entries = newEntries(tracks)
        do throws(PlayQueueError<EntryID>) {
            try zone.queue.insert(entries, at: place, using: &random)
        } catch {
            throw HouseError(error)
        }
        if zone.queue.currentID == nil { zone.queue.setCurrent(zone.queue.order.first) }
        let plays = place == .now || place == .replace
        if plays { try jump(zone, to: entries[0].id) } else { edited(zone) }
        return entries.map(\.id)
    }

    private func remove(_ entries: [EntryID], from zone: Zone) {
        zone.follow()
        let wasCurrentRemoved = zone.queue.remove(entries)
        if wasCurrentRemoved { zone.stored.position = 0 }
        if zone.queue.currentID == nil, wasCurrentRemoved { return finish(zone) }
        edited(zone)
    }

    private func move(
        _ entries: [EntryID], before target: EntryID?, in zone: Zone
    ) throws(HouseError) {
        zone.follow()
        do throws(PlayQueueError<EntryID>) { try zone.queue.move(entries, before: target) } catch {
            throw HouseError(error)
        }
        edited(zone)
    }

    private func clear(_ zone: Zone) {
        zone.queue.clear()
        stop(zone)
    }
}
