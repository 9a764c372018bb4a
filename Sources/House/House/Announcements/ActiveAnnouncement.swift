import Playback

/// An announcement of a house, from its request to its end. Belongs to the house's actor.
final class ActiveAnnouncement {
    let id: AnnouncementID
    let request: AnnouncementRequest
    let source: AnnouncementSource
    let rooms: Set<RoomID>
    /// The task that plays it; `nil` while it waits.
    var task: Task<Void, Never>?

    init(id: AnnouncementID, request: AnnouncementRequest, source: AnnouncementSource, rooms: Set<RoomID>) {
        (self.id, self.request, self.source, self.rooms) = (id, request, source, rooms)
    }

    var sound: AnnouncementSound { source.sound }

    var snapshot: AnnouncementSnapshot {
        AnnouncementSnapshot(
            id: id, title: source.title, rooms: rooms.sorted { $0.rawValue < $1.rawValue },
            state: task == nil ? .waiting : .playing, volume: request.volume,
            pausesMusic: request.pausesMusic)
    }
}

/// An announcement as a zone's player plays it.
struct ZoneAnnouncement: Sendable {
    /// The file's path or the address.
    var location: String
    /// The decoded sound.
    var sound: AnnouncementSound
    var rooms: Set<RoomID>
    /// Percent; `nil` for the volume that the rooms have.
    var volume: Double?
    /// Whether the music waits, in all rooms of the zone.
    var pausesMusic: Bool
}
