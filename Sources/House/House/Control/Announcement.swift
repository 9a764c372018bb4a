/// The identity of an announcement, unique in the house; later ones have larger numbers.
public struct AnnouncementID: RawRepresentable, Hashable, Codable, Sendable, Comparable,
    CustomStringConvertible
{
    /// A positive number.
    public let rawValue: Int

    /// Makes an identity.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The number, in decimal.
    public var description: String { "\(rawValue)" }
    /// Compares the numbers.
    public static func < (left: AnnouncementID, right: AnnouncementID) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A sound that rooms are to play between or over their music: a doorbell, a spoken sentence.
public struct AnnouncementRequest: Hashable, Sendable {
    /// The most seconds of an announcement; the rest is not heard.
    public static let longest = 120.0

    /// A file's path, or an http(s) address.
    public var location: String
    /// The name to show; `nil` for the file's.
    public var title: String?
    /// The rooms; empty for all that are on the network.
    public var rooms: [RoomID]
    /// The volume of the rooms during the announcement, in percent; `nil` for the volume that they have.
    public var volume: Double?
    /// Whether the music waits; otherwise it continues under the announcement, more softly.
    public var pausesMusic: Bool
    /// Whether the file belongs to the house, which removes it afterwards.
    public var isTemporary: Bool

    /// Makes a request.
    public init(
        location: String, title: String? = nil, rooms: [RoomID] = [], volume: Double? = nil,
        pausesMusic: Bool = false, isTemporary: Bool = false
    ) {
        (self.location, self.title, self.rooms, self.volume) = (location, title, rooms, volume)
        (self.pausesMusic, self.isTemporary) = (pausesMusic, isTemporary)
    }
}

/// An announcement that waits or is heard.
public struct AnnouncementSnapshot: Codable, Hashable, Sendable {
    /// The activity of an announcement.
    public enum State: String, Codable, Sendable {
        /// Others come first.
        case waiting
        /// It is heard, or is about to be.
        case playing
    }

    /// The identity.
    public var id: AnnouncementID
    /// The name to show.
    public var title: String
    /// The rooms, sorted.
    public var rooms: [RoomID]
    /// The activity.
    public var state: State
    /// Percent; `nil` for the volume that the rooms have.
    public var volume: Double?
    /// Whether the music waits.
    public var pausesMusic: Bool

    /// Makes a snapshot.
    public init(
        id: AnnouncementID, title: String, rooms: [RoomID], state: State, volume: Double? = nil,
        pausesMusic: Bool = false
    ) {
        (self.id, self.title, self.rooms, self.state) = (id, title, rooms, state)
        (self.volume, self.pausesMusic) = (volume, pausesMusic)
    }
}
