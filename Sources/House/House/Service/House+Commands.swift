import Foundation
import Playback
import TuttiMusicLibrary

/// The commands of surfaces.
extension House {
    /// Carries out a command. Throws, and changes nothing, if it cannot.
    public func perform(
        _ command: HouseCommand, from origin: CommandOrigin
    ) async throws(HouseError) -> CommandOutcome {
        guard !isStopping else { throw HouseError(.unavailable, "The service is stopping.") }
        var outcome = CommandOutcome(revision: publisher.revision)
        let words = CommandWords(zones: zones.all, rooms: rooms.all).words(command)
        // Also after a refused command: it may have written before.
        defer { ticker.start() }
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
        if let id = command.ownZone { return try carryOut(command, in: try zones.zone(id)) }
        switch command {
        case .setZoneVolume(let id, let percent): try settings.setVolume(percent, of: try zones.zone(id))
        case .add(let id, let items, let place): outcome.entries = try await add(items, to: id, place)
        case .makeZone(let name, let rooms): outcome.zone = try makeZone(name, rooms)
        case .renameZone(let id, let name): try rename(try zones.zone(id), name)
        case .removeZone(let id): try await removeZone(try zones.zone(id))
        case .moveRoom(let id, let target): try moveRoom(id, to: target)
        case .transfer(let id, let target): try transfer(id, to: target)
        case .setRoomVolume(let id, let percent): try settings.setVolume(percent, of: id)
        case .setRoomDelay(let id, let milliseconds): try settings.setDelay(milliseconds, of: id)
        case .setRoomPassword(let id, let password): try setPassword(password, of: id)
        case .forgetRoom(let id): try rooms.forgetAbsent(id)
        case .setRoomEqualizer(let id, let equalizer): try settings.setEqualizer(equalizer, of: id)
        case .setRoomMaximumVolume(let id, let percent): try settings.setMaximumVolume(percent, of: id)
        case .setRoomNightMode(let id, let isOn): try settings.setNightMode(isOn, of: id)
        case .announce(let request): outcome.announcement = try await announcer.announce(request)
        case .cancelAnnouncement(let id): try announcer.cancel(id)
        case .setAlarm(let alarm): outcome.alarm = try await alarmClock.set(alarm)
        case .removeAlarm(let id): try alarmClock.remove(id)
        case .play, .pause, .toggle, .stop, .next, .previous, .seek, .skip, .setRate, .setShuffle, .setRepeat,
            .sleep, .sleepAtEndOfTrack, .setLevelling, .setCrossfade, .setSleepFade, .playInput, .jump,
            .remove, .move, .clear:
            break  // carried out by the zone
        }
    }

    private func carryOut(_ command: HouseCommand, in zone: Zone) throws(HouseError) {
        let returnsToQueue = command.returnsToQueue && zone.input != nil
        if returnsToQueue {
            zone.letInputGo()
            changed(zone)
        }
        carryOut(try zone.perform(command, hasRooms: zones.hasRooms(zone)), in: zone)
        if returnsToQueue, !zone.queue.isEmpty {
            carryOut(try zone.play(hasRooms: zones.hasRooms(zone)), in: zone)
        }
    }

    private func add(
        _ items: [LibraryItem], to id: ZoneID, _ place: QueuePlace
    ) async throws(HouseError) -> [EntryID] {
        _ = try zones.zone(id)
        let tracks = try await environment.items.playableTracks(of: items)
        // The library may have taken a while.
        let zone = try zones.zone(id)
        let entries = zones.newEntries(tracks)
        carryOut(try zone.insert(entries, at: place, hasRooms: zones.hasRooms(zone)), in: zone)
        return entries.map(\.id)
    }

    private func transfer(_ id: ZoneID, to target: ZoneID) throws(HouseError) {
        try zones.transfer(try zones.zone(id), to: try zones.zone(target)) { carryOut($0, in: $1) }
    }
}
