/// The announcements of a house, from their requests to their ends. Belongs to the house's actor.
///
/// Each zone plays an announcement by itself; rooms without a zone play it together.
final class Announcer {
    private var list = AnnouncementList()
    private let environment: HouseEnvironment
    private let zones: ZoneRegistry
    private let sessions: RoomSessions

    init(_ environment: HouseEnvironment, zones: ZoneRegistry, sessions: RoomSessions) {
        (self.environment, self.zones, self.sessions) = (environment, zones, sessions)
    }

    var snapshots: [AnnouncementSnapshot] { list.snapshots }

    /// Whether an announcement is heard that gives a room its own volume.
    func hasOwnVolume(in room: RoomID) -> Bool { list.hasOwnVolume(in: room) }

    // MARK: Commands

    /// Adds an announcement once it is read; it begins after earlier ones that share a room with it.
    nonisolated(nonsending) func announce(
        _ request: AnnouncementRequest
    ) async throws(HouseError) -> AnnouncementID {
        do throws(HouseError) { return try await admit(request) } catch {
            AnnouncementReader.removeFile(of: request)
            throw error
        }
    }

    private nonisolated(nonsending) func admit(
        _ request: AnnouncementRequest
    ) async throws(HouseError) -> AnnouncementID {
        try list.beginReading(request)
        defer { list.endReading() }
        let reader = AnnouncementReader(items: environment.items, outputs: environment.outputs)
        let source = try await reader.read(request)
        try list.requireMemory(for: source.sound)
        let rooms = try zones.announcementRooms(of: request)
        let id = list.add(request, source, in: rooms)
        beginReady()
        return id
    }

    /// Ends an announcement, or removes a waiting one.
    func cancel(_ id: AnnouncementID) throws(HouseError) {
        guard let announcement = list.announcement(id) else {
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

    /// Ends the announcements for which a zone's music waits, because the zone is removed.
    func cancelAll(of zone: Zone) {
        guard let rooms = zone.announcement else { return }
        for announcement in list.all(for: rooms) { announcement.task?.cancel() }
        zone.wakeAnnouncements()
    }

    /// Ends all announcements, because the house stops.
    ///
    /// - Returns: The tasks that end, and set the rooms' volumes back.
    func stop() -> [Task<Void, Never>] {
        let ended = list.removeAll()
        for announcement in ended {
            AnnouncementReader.removeFile(of: announcement.request)
            announcement.task?.cancel()
        }
        return ended.compactMap(\.task)
    }

    // MARK: The order of announcements

    /// Begins every announcement whose rooms no earlier one needs.
    private func beginReady() {
        for announcement in list.ready {
            announcement.task = environment.tasks.begin(.announce(announcement.id))
        }
        tell()
    }

    private func end(_ announcement: ActiveAnnouncement) {
        list.remove(announcement)
        AnnouncementReader.removeFile(of: announcement.request)
        if environment.tasks.isStopping { tell() } else { beginReady() }
    }

    private func tell() { environment.publisher.tell(.announcements(list.snapshots)) }

    // MARK: Playing

    /// Plays an announcement in all its rooms: the work of its task. Cancelling the task ends it.
    nonisolated(nonsending) func play(_ id: AnnouncementID) async {
        if let announcement = list.announcement(id) {
            let parts = announcement.parts(zone: { zones.rooms[$0]?.stored.zone })
            await environment.tasks.runTogether(parts.map { HouseJob.playPart($0.part, in: $0.zone) })
        }
        if let announcement = list.announcement(id) { end(announcement) }
    }

    /// Plays the part of an announcement in a zone, or in rooms that belong to none.
    ///
    /// - Returns: The work that is left to the house.
    nonisolated(nonsending) func play(_ part: ZoneAnnouncement, in zone: ZoneID?) async -> ZoneEffect {
        let playing = AnnouncementPlaying(part, environment, zones: zones, sessions: sessions)
        return await playing.play(in: zone)
    }
}
