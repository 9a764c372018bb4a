import TuttiMusicLibrary

/// A way to control the house: the web API, and others. A surface knows nothing of another.
///
/// The house calls ``start(_:)`` once, ``houseDidChange(_:)`` in the order of the changes, also before the start has
/// ended, and ``stop()`` at the end.
public protocol ControlSurface: AnyObject, Sendable {
    /// The word for logs, such as `web`.
    var name: String { get }

    /// Opens the surface.
    ///
    /// - Throws: If it cannot be opened, such as a port that is in use; the house continues without it.
    func start(_ house: any HouseControlling) async throws

    /// Applies a change. Must return at once; never blocks the house.
    func houseDidChange(_ change: HouseChange)

    /// Closes the surface, within a second.
    func stop() async
}

/// The house as a surface sees it. Any task.
public protocol HouseControlling: AnyObject, Sendable {
    /// The state now.
    func snapshot() async -> HouseSnapshot

    /// Returns entries of a zone's queue, in its order.
    ///
    /// - Parameter range: Places from 0; cut to the queue's length.
    func queue(of zone: ZoneID, _ range: Range<Int>) async throws(HouseError) -> QueuePage

    /// Tells all surfaces that playlists or stations of the library have changed.
    func libraryDidChange() async

    /// Carries out a command.
    func perform(_ command: HouseCommand, from origin: CommandOrigin) async throws(HouseError)
        -> CommandOutcome
}

/// A part of a queue.
public struct QueuePage: Codable, Hashable, Sendable {
    /// The number of the last change of the queue.
    public var revision: UInt64
    /// The number of entries of the whole queue.
    public var length: Int
    /// The place of the first entry of ``entries``.
    public var start: Int
    /// The entries.
    public var entries: [QueueEntry]

    /// Makes a page.
    public init(revision: UInt64, length: Int, start: Int, entries: [QueueEntry]) {
        (self.revision, self.length, self.start, self.entries) = (revision, length, start, entries)
    }
}

/// A change of the house.
public struct HouseChange: Sendable, Hashable {
    /// A changed object; each case carries its whole new state.
    public enum Body: Sendable, Hashable {
        /// A zone is new, or its state has changed.
        case zone(ZoneSnapshot)
        /// A zone was removed.
        case zoneRemoved(ZoneID)
        /// A room is new, or its state has changed.
        case room(RoomSnapshot)
        /// A room was forgotten.
        case roomRemoved(RoomID)
        /// Entries of a queue have changed; ``HouseControlling/queue(of:_:)`` has them.
        case queue(ZoneID, revision: UInt64, length: Int)
        /// The library has changed.
        case library(LibraryState)
        /// Announcements have come, begun or ended; those that are left.
        case announcements([AnnouncementSnapshot])
        /// Alarms have changed; all of them.
        case alarms([Alarm])
        /// The house's troubles have changed.
        case troubles([Trouble])
        /// The fill of the rooms' buffers, twice a second while a zone plays. Not kept: a later one replaces it.
        case depths([RoomID: RoomSnapshot.Depth])
    }

    /// The number of the change; ``Body/depths(_:)`` has that of the change before.
    public var revision: UInt64
    /// The changed object.
    public var body: Body

    /// Makes a change.
    public init(revision: UInt64, body: Body) { (self.revision, self.body) = (revision, body) }
}
