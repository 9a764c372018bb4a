import TuttiMusicLibrary

/// The state of the house at one moment, as surfaces show it. All of it encodes to JSON by its property names.
public struct HouseSnapshot: Codable, Hashable, Sendable {
    /// The number of the last change that is in it.
    public var revision: UInt64
    /// Unix time in seconds.
    public var time: Double
    /// The zones, in the order of their making.
    public var zones: [ZoneSnapshot]
    /// The known rooms, sorted by name.
    public var rooms: [RoomSnapshot]
    /// The state of the library.
    public var library: LibraryState
    /// Troubles of the house as a whole; empty if there are none.
    public var troubles: [Trouble]
    /// The announcements that wait or are heard, in their order.
    public var announcements: [AnnouncementSnapshot]
    /// The alarms, in the order of their making.
    public var alarms: [Alarm]

    /// Makes a snapshot.
    public init(
        revision: UInt64 = 0, time: Double = 0, zones: [ZoneSnapshot] = [], rooms: [RoomSnapshot] = [],
        library: LibraryState = LibraryState(), troubles: [Trouble] = [],
        announcements: [AnnouncementSnapshot] = [], alarms: [Alarm] = []
    ) {
        (self.revision, self.time, self.zones, self.rooms) = (revision, time, zones, rooms)
        (self.library, self.troubles) = (library, troubles)
        (self.announcements, self.alarms) = (announcements, alarms)
    }
}

/// The state of a zone: rooms that play the same queue together.
public struct ZoneSnapshot: Codable, Hashable, Sendable {
    /// The activity of a zone.
    public enum State: String, Codable, Sendable {
        /// Nothing is to be played.
        case stopped
        /// Sound is heard.
        case playing
        /// The user paused.
        case paused
        /// Playback waits: for a room, for its clock, or for the network.
        case waiting
    }

    /// The identity.
    public var id: ZoneID
    /// The name.
    public var name: String
    /// The rooms, sorted.
    public var rooms: [RoomID]
    /// The activity of a zone.
    public var state: State
    /// The current entry; `nil` if the queue is empty.
    public var current: QueueEntry?
    /// The place of the current entry in the queue, from 0.
    public var index: Int?
    /// The position in the current entry in seconds, at ``positionTime``.
    public var position: Double
    /// The Unix time of ``position``, in seconds. While ``state`` is playing, the position advances by ``rate`` a second.
    public var positionTime: Double
    /// The rate at which the zone plays, 0.5 ... 2.
    public var rate: Double
    /// The number of entries.
    public var length: Int
    /// The number of the last change of the queue.
    public var queueRevision: UInt64
    /// Whether the entries play in random order.
    public var shuffle: Bool
    /// The order after the last entry.
    public var repeatMode: RepeatMode
    /// The sleep timer; `nil` if it is off.
    public var sleep: SleepTimer?
    /// The volume of the loudest room, in percent; `nil` if none is known.
    public var volume: Double?
    /// The loudness to which tracks are brought.
    public var levelling: VolumeLevelling
    /// The seconds by which tracks overlap; 0 for not.
    public var crossfade: Double
    /// The seconds in which the sleep timer lowers the volume before it pauses.
    public var sleepFade: Double
    /// The title that a radio station announces.
    public var streamTitle: String?
    /// The reason why the zone is not heard; `nil` if there is none.
    public var trouble: Trouble?
    /// The input that is heard instead of the queue, also while it is paused; `nil` for the queue. ``current`` then has the
    /// input's name as its title, and ``index`` is `nil`.
    public var input: InputSnapshot?
    /// The inputs that the zone has.
    public var inputs: [InputSnapshot] = []

    /// Makes the snapshot of a zone that has never played.
    public init(id: ZoneID, name: String) {
        (self.id, self.name, rooms, state) = (id, name, [], .stopped)
        (position, positionTime, rate, length, queueRevision) = (0, 0, 1, 0, 0)
        (shuffle, repeatMode) = (false, .off)
        (levelling, crossfade, sleepFade) = (.off, 0, 0)
    }
}

/// The end of playback that a user wants in advance.
public enum SleepTimer: Codable, Hashable, Sendable {
    /// Playback pauses at this Unix time, in seconds.
    case at(Double)
    /// Playback pauses at the end of the current entry.
    case endOfTrack
}

/// The state of a room: an AirPlay speaker or a local output.
public struct RoomSnapshot: Codable, Hashable, Sendable {
    /// The technology of the output.
    public enum Kind: String, Codable, Sendable { case airPlay, local, bluetooth }

    /// The activity of a room.
    public enum State: String, Codable, Sendable {
        /// It belongs to no zone, or its zone does not play.
        case idle
        /// A session is being opened, or the room waits for the clock.
        case connecting
        /// It can start at once.
        case ready
        /// Sound is heard.
        case playing
        /// It plays, but sound reaches it more slowly than it plays.
        case starved
        /// It has no session; ``RoomSnapshot/trouble`` says why.
        case lost
    }

    /// The identity.
    public var id: RoomID
    /// The name to show.
    public var name: String
    /// The model, as the device announces it.
    public var model: String?
    /// The technology.
    public var kind: Kind
    /// The zone that the room belongs to; `nil` for none.
    public var zone: ZoneID?
    /// Whether the room is on the network now.
    public var isPresent: Bool
    /// The activity of a room.
    public var state: State
    /// Percent; `nil` if unknown.
    public var volume: Double?
    /// How much later than the others the room plays, in milliseconds.
    public var delay: Double
    /// The way of the sound to the room; `nil` before the first session, and of local outputs.
    public var session: Session?
    /// The fill of the buffer; `nil` without a session.
    public var depth: Depth?
    /// Why the room is silent; `nil` if nothing is known to be wrong.
    public var trouble: Trouble?
    /// Whether a password or a PIN is needed before the first use.
    public var needsPassword: Bool
    /// The equaliser; `nil` if it is off.
    public var equalizer: Equalizer?
    /// The loudest volume, in percent of the speaker's own scale.
    public var maximumVolume: Double
    /// Whether loud sound is made softer and soft sound louder.
    public var nightMode: Bool

    /// Makes the snapshot of a room that plays nothing.
    public init(id: RoomID, name: String, kind: Kind) {
        (self.id, self.name, self.kind) = (id, name, kind)
        (isPresent, state, delay, needsPassword) = (true, .idle, 0, false)
        (maximumVolume, nightMode) = (100, false)
    }

    /// The way of the sound to a room.
    public struct Session: Codable, Hashable, Sendable {
        /// `buffered` for minutes ahead; `realtime` and `airplay1` for two seconds.
        public var stream: String
        /// The reason for it, in words for the user.
        public var reason: String
        /// Whether the room could do more, but for what ``reason`` tells of this machine or the network.
        public var isFallback: Bool

        /// Makes a description of a session.
        public init(stream: String, reason: String, isFallback: Bool) {
            (self.stream, self.reason, self.isFallback) = (stream, reason, isFallback)
        }
    }

    /// The fill of a room's buffer.
    public struct Depth: Codable, Hashable, Sendable {
        /// Seconds of sound beyond what is heard.
        public var seconds: Double
        /// The used part of the buffer, 0 ... 1; 0 if its size is unknown.
        public var fraction: Double

        /// Makes a fill level.
        public init(seconds: Double, fraction: Double) { (self.seconds, self.fraction) = (seconds, fraction) }
    }
}

/// Something wrong, for a program and for a person.
public struct Trouble: Codable, Hashable, Sendable {
    /// A word for programs, such as `unreachable`.
    public var code: String
    /// A sentence that names the thing, what happened and what to do.
    public var message: String

    /// Creates a trouble.
    public init(code: String, message: String) { (self.code, self.message) = (code, message) }
}
