import Playback

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
