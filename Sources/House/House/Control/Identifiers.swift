/// The identity of a zone; stays across restarts.
public struct ZoneID: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// A positive number.
    public let rawValue: Int

    /// Makes an identity.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The number, in decimal.
    public var description: String { "\(rawValue)" }
}

/// The identity of a room: the `RouteOption.ID` of its output, which stays across restarts and changes of name.
public struct RoomID: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// A device id, or a local output.
    public let rawValue: String

    /// Makes an identity.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The text itself.
    public var description: String { rawValue }
}

/// The identity of an entry of a queue, unique in the house; stays across restarts and moves.
public struct EntryID: RawRepresentable, Hashable, Codable, Sendable, Comparable, CustomStringConvertible {
    /// A positive number; later entries have larger numbers.
    public let rawValue: Int64

    /// Makes an identity.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// The number, in decimal.
    public var description: String { "\(rawValue)" }
    /// Compares the numbers.
    public static func < (left: EntryID, right: EntryID) -> Bool { left.rawValue < right.rawValue }
}
