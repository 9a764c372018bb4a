import Playback
import TuttiMusicLibrary

/// A command to the house. Each has one name and one meaning on all surfaces.
///
/// A command that asks for what is already so changes nothing and succeeds.
public enum HouseCommand: Sendable, Hashable {
    // MARK: Playback of a zone

    /// Plays the current entry, or the first one.
    case play(ZoneID)
    /// Pauses, and keeps the position.
    case pause(ZoneID)
    /// Plays if paused, else pauses.
    case toggle(ZoneID)
    /// Pauses at the beginning of the current entry, and lets the rooms go.
    case stop(ZoneID)
    /// Goes to the next entry, wherever repeat mode and shuffle put it.
    case next(ZoneID)
    /// Goes to the beginning of the entry, or within its first three seconds to the entry before.
    case previous(ZoneID)
    /// Continues at this second of the current entry.
    case seek(ZoneID, seconds: Double)
    /// Continues so many seconds later, or earlier with a minus.
    case skip(ZoneID, seconds: Double)
    /// Plays at this rate, 0.5 ... 2.
    case setRate(ZoneID, Double)
    /// Plays in random order, or in the queue's order.
    case setShuffle(ZoneID, Bool)
    /// Repeats nothing, one entry, or the queue.
    case setRepeat(ZoneID, RepeatMode)
    /// Pauses so many seconds from now; `nil` turns the timer off.
    case sleep(ZoneID, afterSeconds: Double?)
    /// Pauses at the end of the current entry.
    case sleepAtEndOfTrack(ZoneID)
    /// Sets the volume of the zone's loudest room, in percent; the others keep their proportion to it.
    case setZoneVolume(ZoneID, Double)
    /// Plays tracks at the same loudness.
    case setLevelling(ZoneID, VolumeLevelling)
    /// Lets the end of a track and the beginning of the next overlap by so many seconds, 0 ... 12; 0 for not.
    case setCrossfade(ZoneID, seconds: Double)
    /// Sets the seconds in which the sleep timer lowers the volume before it pauses, 0 ... 600.
    case setSleepFade(ZoneID, seconds: Double)
    /// Plays an input of the zone, by its name, instead of the queue.
    case playInput(ZoneID, String)

    // MARK: The queue of a zone

    /// Adds items.
    case add(ZoneID, [LibraryItem], QueuePlace)
    /// Plays this entry, from its beginning.
    case jump(ZoneID, EntryID)
    /// Removes entries, also those that the rooms hold already.
    case remove(ZoneID, [EntryID])
    /// Moves entries, in this order, before another one; `nil` for the end.
    case move(ZoneID, [EntryID], before: EntryID?)
    /// Removes all entries, and stops.
    case clear(ZoneID)

    // MARK: Zones and rooms

    /// Makes a zone.
    case makeZone(name: String, rooms: [RoomID])
    /// Gives a zone another name.
    case renameZone(ZoneID, String)
    /// Removes a zone and its queue; its rooms then belong to none.
    case removeZone(ZoneID)
    /// Moves a room to a zone, while it plays; `nil` takes the room out of its zone.
    case moveRoom(RoomID, to: ZoneID?)
    /// Moves a zone's playback to another one: its queue, position and state; the target's queue is replaced.
    case transfer(ZoneID, to: ZoneID)
    /// Sets the volume of a room, in percent.
    case setRoomVolume(RoomID, Double)
    /// Sets how much later than the others a room plays, in milliseconds, -1000 ... 1000.
    case setRoomDelay(RoomID, milliseconds: Double)
    /// Gives the password or the PIN that a room wants, for this and later sessions.
    case setRoomPassword(RoomID, String)
    /// Forgets a room that is not there, and belongs to no zone.
    case forgetRoom(RoomID)
    /// Sets the equaliser of a room; `nil` turns it off.
    case setRoomEqualizer(RoomID, Equalizer?)
    /// Sets the loudest volume of a room, in percent of the speaker's own scale, 1 ... 100: what volume 100 is then.
    case setRoomMaximumVolume(RoomID, Double)
    /// Makes loud sound softer and soft sound louder in a room, or leaves it as it is.
    case setRoomNightMode(RoomID, Bool)

    // MARK: Announcements and alarms

    /// Plays an announcement, after earlier ones that share a room with it.
    case announce(AnnouncementRequest)
    /// Ends an announcement, or removes a waiting one.
    case cancelAnnouncement(AnnouncementID)
    /// Replaces the alarm of the same identity; makes a new one if it has none.
    case setAlarm(Alarm)
    /// Removes an alarm.
    case removeAlarm(AlarmID)
}

/// The place of new entries in a queue.
public typealias QueuePlace = PlayQueuePlace<EntryID>

/// The author of a command, for the log.
public struct CommandOrigin: Sendable, Hashable {
    /// The surface, such as `web`.
    public var surface: String
    /// The address or the name of the person or program; `nil` if unknown.
    public var author: String?

    /// Makes an origin.
    public init(surface: String, author: String? = nil) { (self.surface, self.author) = (surface, author) }
}

/// The effect of a command.
public struct CommandOutcome: Sendable, Hashable {
    /// The number of the last change of the house when the command was carried out.
    public var revision: UInt64
    /// The new zone of ``HouseCommand/makeZone(name:rooms:)``.
    public var zone: ZoneID?
    /// The new entries of ``HouseCommand/add(_:_:_:)``.
    public var entries: [EntryID]
    /// The announcement of ``HouseCommand/announce(_:)``.
    public var announcement: AnnouncementID?
    /// The alarm of ``HouseCommand/setAlarm(_:)``.
    public var alarm: AlarmID?

    /// Makes an outcome.
    public init(
        revision: UInt64, zone: ZoneID? = nil, entries: [EntryID] = [], announcement: AnnouncementID? = nil,
        alarm: AlarmID? = nil
    ) {
        (self.revision, self.zone, self.entries) = (revision, zone, entries)
        (self.announcement, self.alarm) = (announcement, alarm)
    }
}

/// The reason why a command was not carried out; nothing has changed.
public struct HouseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a refusal.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// A zone, room, entry or item does not exist.
        case notFound
        /// A value is out of its range, or makes no sense.
        case invalid
        /// The state of the house forbids it, such as a room that is not there.
        case conflict
        /// A limit is reached, such as the length of a queue.
        case limit
        /// The house, or its disk, cannot do it now.
        case unavailable
    }

    /// The kind.
    public var kind: Kind
    /// A sentence for the user.
    public var description: String

    /// Makes an error.
    public init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }
}

extension HouseError {
    /// Makes the house's error of the library's.
    init(_ error: LibraryError) {
        let kind: Kind =
            switch error.kind {
            case .notFound: .notFound
            case .invalid: .invalid
            case .limit: .limit
            case .unavailable: .unavailable
            }
        self.init(kind, error.description)
    }
}
