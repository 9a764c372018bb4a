import Playback

/// The playing of one part of an announcement: mixed into the music of a zone that plays, else by rooms that are woken
/// for it.
struct AnnouncementPlaying {
    /// Tries of one zone: the music may stop, or go elsewhere, in the middle.
    private static let tries = 3

    private let part: ZoneAnnouncement
    private let environment: HouseEnvironment
    private let zones: ZoneRegistry
    private let sessions: RoomSessions

    init(
        _ part: ZoneAnnouncement, _ environment: HouseEnvironment, zones: ZoneRegistry, sessions: RoomSessions
    ) {
        (self.part, self.environment, self.zones, self.sessions) = (part, environment, zones, sessions)
    }

    /// Returns when the part is over.
    ///
    /// - Parameter id: `nil` for rooms that belong to no zone.
    /// - Returns: The work that is left to the house.
    nonisolated(nonsending) func play(in id: ZoneID?) async -> ZoneEffect {
        guard let id else {
            await playWithoutZone()
            return []
        }
        for _ in 0..<Self.tries where !Task.isCancelled && !environment.tasks.isStopping {
            guard let zone = zones[id] else {
                await playWithoutZone()
                return []
            }
            if part.canBeMixed(into: zone) {
                let (outcome, effect) = await part.mix(into: zone)
                switch outcome {
                case .heard, .cancelled: return effect
                case .interrupted: continue
                // It may end soon, or wait for a room: then it waits for the announcement.
                case .nothingPlays: break
                }
            }
            if await playAlone(in: zone) { break }
        }
        return []
    }

    /// Plays in rooms of a zone while its music waits; wakes the rooms if they sleep.
    ///
    /// - Returns: Whether the part is over.
    private nonisolated(nonsending) func playAlone(in zone: Zone) async -> Bool {
        // Another one for other rooms of the zone comes first.
        while zone.announcement != nil, !Task.isCancelled { await zone.waitForAnnouncement() }
        guard !Task.isCancelled, zones[zone.id] === zone else { return Task.isCancelled }
        zone.announcement = part.rooms
        zone.follow()
        zone.playback.applyRate()
        await sessions.locateAll(part.rooms)
        await sessions.bringRoomsAndWait(of: zone)
        if zone.held.isDisjoint(with: part.rooms) {
            environment.log(.warning, "\(zone.stored.name): no room could be opened for the announcement")
        } else {
            await zone.player.play(part)
        }
        zone.announcement = nil
        if zones[zone.id] === zone {
            await sessions.bringRoomsAndWait(of: zone)
            zone.playback.applyRate()
            zone.inputs.wake()
            zones.publish(zone)
        }
        zone.wakeAnnouncements()
        return true
    }

    /// Plays in rooms that belong to no zone.
    private nonisolated(nonsending) func playWithoutZone() async {
        await sessions.locateAll(part.rooms)
        let guest = zones.makeGuest()
        let (ready, unlocated) = zones.readyRooms(part.rooms, for: guest)
        for id in unlocated { sessions.locate(id) }
        await guest.playAlone(part, in: ready)
        zones.endClosing(guest)
        sessions.bringRoomsOfOthers(than: guest, guest.held)
    }
}
