import AirPlaySender
import Playback

/// A room that a search has found.
struct FoundRoom: Sendable, Hashable {
    var id: RoomID
    var name: String
    var model: String?
    var kind: RoomSnapshot.Kind
    var needsPassword = false
}

/// The outputs that a house may use: the interface between the house and the catalogue of routes. Any thread.
protocol HouseOutputs: AnyObject, Sendable {
    /// All rooms that are there, after each change. For one reader.
    var changes: AsyncStream<[FoundRoom]> { get }
    /// The rooms that are there without a search.
    var known: [FoundRoom] { get }
    /// Begins to look for rooms.
    ///
    /// - Parameter password: Asks for the password, or the PIN that a room shows now; `nil` cancels.
    func start(password: @escaping @Sendable (RoomID) async -> String?)
    func stop()
    /// Makes the playback of a zone, without rooms.
    func makePlayer() -> any ZonePlaying
    /// Returns a room that is there, as speakers to play to. May wait for its password.
    func targets(of room: RoomID) async throws(RouteError) -> [SpeakerTarget]
    /// Reads and decodes the sound of an announcement.
    func decode(_ location: String) async throws(RouteError) -> AnnouncementSound
    /// Returns a stored speaker.
    func target(of reference: SpeakerReference) -> SpeakerTarget?
}
