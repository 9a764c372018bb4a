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

    /// Returns what is to be played where: each zone plays by itself, and rooms without a zone play together.
    ///
    /// - Parameter zone: Returns the zone to which a room belongs.
    func parts(zone: (RoomID) -> ZoneID?) -> [(zone: ZoneID?, part: ZoneAnnouncement)] {
        Dictionary(grouping: rooms, by: zone).map { zone, rooms in
            let part = ZoneAnnouncement(
                location: source.location, sound: sound, rooms: Set(rooms), volume: request.volume,
                pausesMusic: request.pausesMusic)
            return (zone: zone, part: part)
        }
    }
}
