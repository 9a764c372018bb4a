import AirPlaySender
import Playback
import TuttiMusicLibrary

/// The playback of one zone: the interface between the house, which decides, and the playback API. Belongs to the
/// house's actor.
protocol ZonePlaying: AnyObject {
    /// Events in order, for one reader.
    var events: AsyncStream<ZoneEvent> { get }
    /// The entry that is heard or about to be, and the position in it in seconds; `nil` if nothing is scheduled.
    var position: (entry: EntryID, seconds: Double)? { get }

    /// Schedules these entries instead of those scheduled before, as many as playback needs. Entries that stay play
    /// on; also sound that the rooms hold already is replaced.
    ///
    /// - Parameter start: Starts again at this second of the first entry; `nil` keeps the current entry, which must
    ///   be the first.
    func schedule(_ entries: [QueueEntry], from start: Double?)
    /// Sets the levelling and the crossfade, also of what plays; tracks play as they are before the first call.
    func setSound(_ sound: ZoneSound)
    /// Plays at a rate; 0 pauses.
    func setRate(_ rate: Double)
    /// Continues at a second of the current entry.
    func seek(to seconds: Double)

    /// Makes these the rooms, with the volumes, delays and treatments of their targets. Returns when the rooms that leave are free for others.
    nonisolated(nonsending) func setRooms(_ rooms: [ZoneRoom]) async
    /// Lets all rooms go. Returns when they are free.
    nonisolated(nonsending) func release() async
    /// Sets a room's volume in percent.
    func setVolume(_ percent: Double, of room: RoomID)
    /// Sets a room's delay.
    func setDelay(_ delay: SpeakerDelay, of room: RoomID)
    /// Sets a room's volume 100, in percent of the speaker's own scale; its volume in percent stays.
    func setMaximumVolume(_ percent: Double, of room: RoomID)
    /// Sets a room's equaliser and night mode.
    func setTreatment(_ treatment: SoundTreatment, of room: RoomID)
    /// Returns how far ahead each room is filled.
    nonisolated(nonsending) func depths() async -> [RoomID: RoomSnapshot.Depth]
    /// Mixes an announcement into what rooms play; returns when it was heard. Cancelling the task ends it.
    ///
    /// - Parameter began: Called with the seconds until it begins to be heard.
    nonisolated(nonsending) func mix(
        _ announcement: ZoneAnnouncement, began: @Sendable (Double) -> Void
    ) async -> RouteAnnouncement.Outcome
    /// Plays an announcement in all rooms of the player, whose own playback is paused; returns when it was heard, or
    /// cannot be. Cancelling the task ends it.
    nonisolated(nonsending) func play(_ announcement: ZoneAnnouncement) async
    /// Opens an input, which is heard instead of what is scheduled while it plays.
    ///
    /// - Parameter tell: Receives the events of the input, in order. Any thread.
    func open(
        _ input: HouseInput, tell: @escaping @Sendable (InputEvent) -> Void
    ) throws(RouteError) -> any LiveInputPlaying
    /// Ends playback; the last call. The task ends when the rooms are free.
    func close() -> Task<Void, Never>
}

/// A room as a zone plays to it.
struct ZoneRoom: Sendable {
    var id: RoomID
    /// Two for a stereo pair.
    var targets: [SpeakerTarget]
}

/// Something that happened to a zone's playback.
enum ZoneEvent: Sendable {
    /// Another entry is heard.
    case current(EntryID)
    /// The player plays, waits or is paused.
    case state(ZoneSnapshot.State)
    /// Other senders took all rooms, and the player stands where it was last heard.
    case interrupted
    /// The player cannot continue, for a reason in words.
    case playerFailed(String)
    /// A file was opened; the facts complete the track.
    case opened(EntryID, TrackFacts)
    /// An entry cannot be played; it may be possible later if its file or server is away.
    case failed(EntryID, String, mayPass: Bool = false)
    /// An entry was played to its end.
    case ended(EntryID)
    /// A radio station announced a title.
    case streamTitle(EntryID, String?)
    /// A room's session has changed.
    case room(RoomID, RoomSnapshot.State)
    /// A fact about a room, or the reason of its silence.
    case roomTrouble(RoomID, Trouble)
    /// A room gets this kind of session.
    case session(RoomID, RoomSnapshot.Session)
    /// A room's volume was changed, by its own buttons or by a command.
    case volume(RoomID, Double)
    /// A button of a room was pressed.
    case button(ZoneButton)
}

/// A button of a speaker.
enum ZoneButton: Sendable, Hashable {
    case play, pause, toggle, stop, next, previous
    case seek(Double)
    case shuffle(Bool)
    case repeatMode(RepeatMode)

    /// Returns the command that the button gives to its zone.
    func command(for zone: ZoneID) -> HouseCommand {
        switch self {
        case .play: .play(zone)
        case .pause: .pause(zone)
        case .toggle: .toggle(zone)
        case .stop: .pause(zone)
        case .next: .next(zone)
        case .previous: .previous(zone)
        case .seek(let seconds): .seek(zone, seconds: seconds)
        case .shuffle(let isOn): .setShuffle(zone, isOn)
        case .repeatMode(let mode): .setRepeat(zone, mode)
        }
    }
}

/// The facts of a track that are known once its file is open.
struct TrackFacts: Sendable {
    var title: String?
    var artist: String?
    var album: String?
    /// Seconds of the whole file; `nil` for an endless stream.
    var duration: Double?
    var isLive: Bool

    /// Completes what is known of a track.
    func complete(_ track: inout PlayableTrack) {
        if track.libraryID == nil, track.start == 0, track.end == nil {
            if let title, !track.isLive { track.title = title }
            track.artist = track.artist ?? artist
            track.album = track.album ?? album
        }
        if track.duration == nil, let duration {
            // The part of a file ends with the file at the latest.
            let isPart = track.start > 0 || track.end != nil
            track.duration = isPart ? max(0, min(track.end ?? duration, duration) - track.start) : duration
        }
        track.isLive = isLive
    }
}
