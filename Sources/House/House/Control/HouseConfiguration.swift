import Playback
import TuttiMusicLibrary

/// The settings of a house.
public struct HouseConfiguration: Sendable {
    /// The database file of zones, queues and rooms; `nil` stores nothing.
    public var statePath: String?
    /// Options for speakers: clock, network interface, wire format, name.
    public var options = RouteCatalogue.Options()
    /// Names or ids of outputs that are no rooms of this house.
    public var hidden: Set<String> = []
    /// Local outputs that are rooms, as in `tutti outputs`.
    public var outputs: [String] = []
    /// Speakers that no search finds.
    public var speakers: [HouseSpeaker] = []
    /// Whether speakers on the network are looked for.
    public var searches = true
    /// The volume of a room that is used for the first time, in percent; `nil` keeps the room's own.
    public var defaultVolume: Double?
    /// Whether zones that played when the last process ended play again; otherwise they are paused.
    public var resumesPlaying = true
    /// Minutes after which a paused zone lets its rooms go.
    public var idleMinutes = 5.0
    /// Makes the inputs of a zone.
    public var inputs: HouseInputMaking = { _, _ in [] }

    /// Makes the default settings.
    public init() {}
}

/// A speaker that no search finds.
public struct HouseSpeaker: Sendable, Hashable {
    /// `ADDRESS:PORT`, with an IP address.
    public var address: String
    /// The name to show; `nil` for the address.
    public var name: String?

    /// Makes a speaker.
    public init(address: String, name: String? = nil) { (self.address, self.name) = (address, name) }
}

/// The importance of a line of the house's log.
public enum HouseLogLevel: Sendable {
    /// A detail.
    case info
    /// Something a user did.
    case notice
    /// Something a room or the house suffered.
    case warning
}

/// The receiver of the house's log. Any thread; must return at once.
public typealias HouseLog = @Sendable (HouseLogLevel, String) -> Void

/// The finder of the tracks that a command names: the library, or what stands for it.
public protocol ItemResolving: Sendable {
    /// Returns the tracks of items, in the items' order and each in its own.
    func tracks(of items: [LibraryItem]) async throws(LibraryError) -> [PlayableTrack]
}

extension MusicLibrary: ItemResolving {}
