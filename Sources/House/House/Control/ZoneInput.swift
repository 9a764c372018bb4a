import Playback

/// An input of a zone, as surfaces show it: sound of another program, heard in the zone's rooms instead of
/// its queue.
public struct InputSnapshot: Codable, Hashable, Sendable {
    /// The technology of an input.
    public enum Kind: String, Codable, Sendable {
        /// A virtual output of the desktop, to which any program plays.
        case desktop
        /// A named pipe, into which a program writes.
        case pipe
    }

    /// The name, which is unique in the zone.
    public var name: String
    /// The technology.
    public var kind: Kind

    /// Makes a description of an input.
    public init(name: String, kind: Kind) { (self.name, self.kind) = (name, kind) }
}

/// An input of a zone, as the program makes it.
public struct HouseInput: Sendable {
    /// The description for surfaces.
    public var snapshot: InputSnapshot
    /// The source of the sound; nobody else uses it.
    public var source: any LiveSource

    /// Makes an input.
    public init(_ snapshot: InputSnapshot, source: any LiveSource) {
        (self.snapshot, self.source) = (snapshot, source)
    }
}

/// The maker of the inputs of a zone, which is called when a zone is made or gets another name. The house's
/// actor calls it; must return at once.
public typealias HouseInputMaking = @Sendable (ZoneID, _ name: String) -> [HouseInput]
