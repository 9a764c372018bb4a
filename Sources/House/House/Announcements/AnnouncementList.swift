import Playback

/// The announcements of a house that are read, wait or are heard, in their order. Belongs to the house's actor.
///
/// An announcement begins once every earlier one that shares a room with it is over.
struct AnnouncementList {
    private var announcements: [ActiveAnnouncement] = []
    /// The number of announcements that are being read.
    private var readings = 0
    private var lastNumber = 0

    var snapshots: [AnnouncementSnapshot] { announcements.map(\.snapshot) }

    func announcement(_ id: AnnouncementID) -> ActiveAnnouncement? { announcements.first { $0.id == id } }

    /// Returns the announcements for any of these rooms.
    func all(for rooms: Set<RoomID>) -> [ActiveAnnouncement] {
        announcements.filter { !$0.rooms.isDisjoint(with: rooms) }
    }

    /// Whether an announcement is heard that gives a room its own volume.
    func hasOwnVolume(in room: RoomID) -> Bool {
        announcements.contains {
            $0.task != nil && $0.request.volume != nil && $0.rooms.contains(room)
        }
    }

    /// The announcements that wait, and whose rooms no earlier one needs.
    var ready: [ActiveAnnouncement] {
        var taken: Set<RoomID> = []
        return announcements.filter { announcement in
            defer { taken.formUnion(announcement.rooms) }
            return announcement.task == nil && taken.isDisjoint(with: announcement.rooms)
        }
    }

    // MARK: Changes

    /// Notes that an announcement is being read, or refuses it.
    mutating func beginReading(_ request: AnnouncementRequest) throws(HouseError) {
        if let volume = request.volume, !volume.isFinite || !(0...100).contains(volume) {
            throw HouseError(.invalid, "The volume must be between 0 and 100 percent.")
        }
        guard announcements.count + readings < AnnouncementLimits.count else {
            throw HouseError(
                .limit, "\(AnnouncementLimits.count) announcements wait already; cancel some, or wait.")
        }
        readings += 1
    }

    mutating func endReading() { readings -= 1 }

    /// Refuses a sound for which those that wait leave no memory.
    func requireMemory(for sound: AnnouncementSound) throws(HouseError) {
        // The first one is heard: alone, each may be as long as it is.
        let waiting = announcements.dropFirst().reduce(0) { $0 + $1.sound.byteCount }
        guard announcements.isEmpty || waiting + sound.byteCount <= AnnouncementLimits.waitingByteCount else {
            throw HouseError(
                .limit,
                "The waiting announcements are too long for another one of this length; cancel some, or wait."
            )
        }
    }

    /// Adds an announcement that was read.
    mutating func add(
        _ request: AnnouncementRequest, _ source: AnnouncementSource, in rooms: Set<RoomID>
    ) -> AnnouncementID {
        lastNumber += 1
        let id = AnnouncementID(rawValue: lastNumber)
        announcements.append(ActiveAnnouncement(id: id, request: request, source: source, rooms: rooms))
        return id
    }

    mutating func remove(_ announcement: ActiveAnnouncement) {
        announcements.removeAll { $0 === announcement }
    }

    /// Removes all announcements.
    ///
    /// - Returns: Those that there were.
    mutating func removeAll() -> [ActiveAnnouncement] {
        defer { announcements = [] }
        return announcements
    }
}
