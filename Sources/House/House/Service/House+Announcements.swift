import Playback
import TuttiMusicLibrary

/// Announcements: mixed into the music of zones that play, else played by rooms that are woken for it.
///
/// Each zone plays an announcement by itself; rooms without a zone play it together.
extension House {
    /// Tries of one zone: the music may stop, or go elsewhere, in the middle.
    private static let tries = 3

    // MARK: Commands

    func announce(_ request: AnnouncementRequest) async throws(HouseError) -> AnnouncementID {
        do throws(HouseError) { return try await admit(request) } catch {
            AnnouncementReader.removeFile(of: request)
            throw error
        }
    }

    private func admit(_ request: AnnouncementRequest) async throws(HouseError) -> AnnouncementID {
        try announcements.beginReading(request)
        defer { announcements.endReading() }
        let source = try await AnnouncementReader(items: items, outputs: outputs).read(request)
        try announcements.requireMemory(for: source.sound)
        let rooms = try zones.announcementRooms(of: request)
        let id = announcements.add(request, source, in: rooms)
        beginAnnouncements()
        return id
    }

    func cancelAnnouncement(_ id: AnnouncementID) throws(HouseError) {
        guard let announcement = announcements.announcement(id) else {
            throw HouseError(.notFound, "There is no announcement \(id); it may be over.")
        }
        // One that is heard, or waits for another one in a zone, ends by its task.
        if let task = announcement.task {
            task.cancel()
            for zone in zones.all.values { zone.wakeAnnouncements() }
            return
        }
        end(announcement)
    }

    // MARK: The order of announcements

    /// Begins every announcement whose rooms no earlier one needs.
    private func beginAnnouncements() {
        for announcement in announcements.ready { begin(announcement) }
        tellAnnouncements()
    }

    private func begin(_ announcement: ActiveAnnouncement) {
        announcement.task = Task { [weak self, id = announcement.id] in
            await self?.play(id)
            await self?.ended(id)
        }
    }

    private func ended(_ id: AnnouncementID) {
        if let announcement = announcements.announcement(id) { end(announcement) }
    }

    private func end(_ announcement: ActiveAnnouncement) {
        announcements.remove(announcement)
        AnnouncementReader.removeFile(of: announcement.request)
        if isStopping { tellAnnouncements() } else { beginAnnouncements() }
    }

    private func tellAnnouncements() { publisher.tell(.announcements(announcements.snapshots)) }

    /// Ends all announcements, because the house stops.
    ///
    /// - Returns: The tasks that end.
    func endAnnouncements() -> [Task<Void, Never>] {
        let ended = announcements.removeAll()
        for announcement in ended {
            AnnouncementReader.removeFile(of: announcement.request)
            announcement.task?.cancel()
        }
        return ended.compactMap(\.task)
    }

    // MARK: Playing

    private func play(_ id: AnnouncementID) async {
        guard let announcement = announcements.announcement(id) else { return }
        var tasks: [Task<Void, Never>] = []
        for (zone, part) in announcement.parts(zone: { rooms[$0]?.stored.zone }) {
            tasks.append(Task { [weak self] in await self?.play(part, in: zone) })
        }
        let all = tasks
        await withTaskCancellationHandler {
            for task in all { await task.value }
        } onCancel: {
            for task in all { task.cancel() }
        }
    }

    private func play(_ part: ZoneAnnouncement, in id: ZoneID?) async {
        guard let id else { return await playWithoutZone(part) }
        for _ in 0..<Self.tries where !Task.isCancelled && !isStopping {
            guard let zone = zones[id] else { return await playWithoutZone(part) }
            if part.canBeMixed(into: zone) {
                let (outcome, effect) = await part.mix(into: zone)
                carryOut(effect, in: zone)
                switch outcome {
                case .heard, .cancelled: return
                case .interrupted: continue
                // It may end soon, or wait for a room: then it waits for the announcement.
                case .nothingPlays: break
                }
            }
            if await playAlone(part, in: zone) { return }
        }
    }

    /// Plays an announcement in rooms of a zone while its music waits; wakes the rooms if they sleep.
    ///
    /// - Returns: Whether it is over.
    private func playAlone(_ part: ZoneAnnouncement, in zone: Zone) async -> Bool {
        // Another one for other rooms of the zone comes first.
        while zone.announcement != nil, !Task.isCancelled {
            await withCheckedContinuation { zone.announcementWaiters.append($0) }
        }
        guard !Task.isCancelled, zones[zone.id] === zone else { return Task.isCancelled }
        zone.announcement = part.rooms
        zone.follow()
        zone.playback.applyRate()
        await sessions.locateAll(part.rooms)
        await sessions.bringRoomsAndWait(of: zone)
        if zone.held.isDisjoint(with: part.rooms) {
            log(.warning, "\(zone.stored.name): no room could be opened for the announcement")
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

    /// Ends the announcements for which a zone's music waits, because the zone is removed.
    func endAnnouncements(of zone: Zone) {
        guard let rooms = zone.announcement else { return }
        for announcement in announcements.all(for: rooms) { announcement.task?.cancel() }
        zone.wakeAnnouncements()
    }

    /// Plays an announcement in rooms that belong to no zone.
    private func playWithoutZone(_ part: ZoneAnnouncement) async {
        await sessions.locateAll(part.rooms)
        let guest = zones.makeGuest()
        let (ready, unlocated) = zones.readyRooms(part.rooms, for: guest)
        for id in unlocated { sessions.locate(id) }
        await guest.playAlone(part, in: ready)
        zones.endClosing(guest)
        sessions.bringRoomsOfOthers(than: guest, guest.held)
    }
}
