import AirPlaySender
import Playback
import Synchronization
import TuttiMusicLibrary
import TuttiSystemIO

@testable import TuttiHouse

/// A zone's playback that plays nothing and records what it is asked for.
final class FakePlayer: ZonePlaying {
    let events: AsyncStream<ZoneEvent>
    let emit: AsyncStream<ZoneEvent>.Continuation
    /// The state that a test reads and sets, from any thread.
    let record = Record()

    final class Record: Sendable {
        struct State: Sendable {
            var scheduled: [EntryID] = []
            var starts: [Double?] = []
            var rates: [Double] = []
            var seeks: [Double] = []
            var rooms: [Set<RoomID>] = []
            var sounds: [ZoneSound] = []
            var volumes: [RoomID: Double] = [:]
            /// The volumes of each room, in the order of their setting.
            var volumeHistory: [RoomID: [Double]] = [:]
            var delays: [RoomID: Double] = [:]
            var maximums: [RoomID: Double] = [:]
            var treatments: [RoomID: SoundTreatment] = [:]
            /// The speakers of rooms as their sessions were opened.
            var targets: [RoomID: SpeakerTarget] = [:]
            var position: (entry: EntryID, seconds: Double)?
            var isClosed = false
            /// Announcements in the order of their beginning: mixed in, or alone.
            var mixed: [Set<RoomID>] = []
            var alone: [Set<RoomID>] = []
            /// The outcomes of the next announcements that are mixed in; then they are heard.
            var outcomes: [RouteAnnouncement.Outcome] = []
            var inputs: [FakeInput] = []
            /// Whether announcements continue until their task is cancelled.
            var isEndless = false
        }

        let state = Mutex(State())
        var now: State { state.withLock { $0 } }
    }

    init() { (events, emit) = AsyncStream.makeStream() }

    var position: (entry: EntryID, seconds: Double)? { record.now.position }

    func schedule(_ entries: [QueueEntry], from start: Double?) {
        record.state.withLock { state in
            let old = state.position
            state.scheduled = entries.map(\.id)
            state.starts.append(start)
            guard let first = entries.first else { return state.position = nil }
            if let start { state.position = (first.id, start) }
            if old?.entry != first.id { state.position = (first.id, start ?? 0) }
        }
    }

    func setSound(_ sound: ZoneSound) { record.state.withLock { $0.sounds.append(sound) } }

    func setRate(_ rate: Double) {
        record.state.withLock { state in
            if state.rates.last != rate { state.rates.append(rate) }
        }
    }

    func seek(to seconds: Double) {
        record.state.withLock { state in
            state.seeks.append(seconds)
            state.position?.seconds = seconds
        }
    }

    nonisolated(nonsending) func setRooms(_ rooms: [ZoneRoom]) async {
        record.state.withLock { state in
            state.rooms.append(Set(rooms.map(\.id)))
            for room in rooms { state.targets[room.id] = room.targets.first }
        }
    }

    nonisolated(nonsending) func release() async { record.state.withLock { $0.rooms.append([]) } }

    func setVolume(_ percent: Double, of room: RoomID) {
        record.state.withLock { state in
            state.volumes[room] = percent
            state.volumeHistory[room, default: []].append(percent)
        }
    }

    func setDelay(_ delay: SpeakerDelay, of room: RoomID) {
        record.state.withLock { $0.delays[room] = delay.milliseconds }
    }

    func setMaximumVolume(_ percent: Double, of room: RoomID) {
        record.state.withLock { $0.maximums[room] = percent }
    }

    func setTreatment(_ treatment: SoundTreatment, of room: RoomID) {
        record.state.withLock { $0.treatments[room] = treatment }
    }

    nonisolated(nonsending) func depths() async -> [RoomID: RoomSnapshot.Depth] {
        Dictionary(
            (record.now.rooms.last ?? []).map { ($0, RoomSnapshot.Depth(seconds: 60, fraction: 0.5)) },
            uniquingKeysWith: { $1 })
    }

    nonisolated(nonsending) func mix(
        _ announcement: ZoneAnnouncement, began: @Sendable (Double) -> Void
    ) async -> RouteAnnouncement.Outcome {
        began(0.25)
        let (outcome, isEndless) = record.state.withLock { state in
            state.mixed.append(announcement.rooms)
            return (state.outcomes.isEmpty ? .heard : state.outcomes.removeFirst(), state.isEndless)
        }
        guard isEndless else { return outcome }
        await Self.cancellation()
        return .cancelled
    }

    nonisolated(nonsending) func play(_ announcement: ZoneAnnouncement) async {
        let isEndless = record.state.withLock { state in
            state.alone.append(announcement.rooms)
            return state.isEndless
        }
        if isEndless { await Self.cancellation() }
    }

    private static func cancellation() async {
        let (ends, emit) = AsyncStream<Void>.makeStream()
        for await _ in ends {}
        withExtendedLifetime(emit) {}
    }

    func open(
        _ input: HouseInput, tell: @escaping @Sendable (InputEvent) -> Void
    ) throws(RouteError) -> any LiveInputPlaying {
        let live = FakeInput(input.snapshot.name, tell: tell)
        record.state.withLock { $0.inputs.append(live) }
        return live
    }

    func close() -> Task<Void, Never> {
        record.state.withLock { $0.isClosed = true }
        emit.finish()
        return Task {}
    }
}

/// An input that plays nothing and records what it is asked for.
final class FakeInput: LiveInputPlaying {
    enum Call: Sendable, Equatable { case start, decline, stop }

    let name: String
    /// Emits an event of the input.
    let tell: @Sendable (InputEvent) -> Void
    private let record = Mutex<[Call]>([])

    init(_ name: String, tell: @escaping @Sendable (InputEvent) -> Void) {
        (self.name, self.tell) = (name, tell)
    }

    var calls: [Call] { record.withLock { $0 } }
    func start() { note(.start) }
    func decline() { note(.decline) }
    func stop() { note(.stop) }

    private func note(_ call: Call) {
        record.withLock { calls in
            if calls.last != call { calls.append(call) }
        }
    }
}

/// Outputs with rooms that a test names.
final class FakeOutputs: HouseOutputs {
    let changes: AsyncStream<[FoundRoom]>
    let emit: AsyncStream<[FoundRoom]>.Continuation
    private let made = Mutex<[FakePlayer.Record]>([])
    private let emits = Mutex<[AsyncStream<ZoneEvent>.Continuation]>([])
    /// Rooms whose speakers nobody finds, and why.
    let failures = Mutex<[RoomID: String]>([:])
    /// Rooms whose speakers are found once the stream has ended.
    let searches = Mutex<[RoomID: AsyncStream<Void>]>([:])
    /// The name of all speakers; `nil` for that of their room.
    let commonName = Mutex<String?>(nil)

    init() { (changes, emit) = AsyncStream.makeStream() }

    /// The players in the order of their making.
    var players: [FakePlayer.Record] { made.withLock { $0 } }

    /// Emits an event of the player with this number.
    func emit(_ event: ZoneEvent, of player: Int) { emits.withLock { $0[player] }.yield(event) }

    var known: [FoundRoom] { [] }
    func start(password: @escaping @Sendable (RoomID) async -> String?) {}
    func stop() { emit.finish() }

    func makePlayer() -> any ZonePlaying {
        let player = FakePlayer()
        made.withLock { $0.append(player.record) }
        emits.withLock { $0.append(player.emit) }
        return player
    }

    func targets(of room: RoomID) async throws(RouteError) -> [SpeakerTarget] {
        if let search = searches.withLock({ $0[room] }) { for await _ in search {} }
        if let failure = failures.withLock({ $0[room] }) { throw RouteError(failure) }
        return [Self.target(commonName.withLock { $0 } ?? room.rawValue)]
    }

    func decode(_ location: String) async throws(RouteError) -> AnnouncementSound {
        if location.contains("broken") { throw RouteError("it has no sound") }
        return location.contains("long") ? Self.longSound : AnnouncementSound.silence(seconds: 1)
    }

    /// The longest sound, 42 MB.
    static let longSound = AnnouncementSound.silence(seconds: AnnouncementSound.longest)

    func target(of reference: SpeakerReference) -> SpeakerTarget? { Self.target(reference.name) }

    private static func target(_ name: String) -> SpeakerTarget {
        SpeakerTarget(
            name: name, addresses: IPAddress("192.0.2.1").map { [SocketAddress($0, port: 7000)] } ?? [])
    }
}

/// A surface that keeps what it is told.
final class RecordingSurface: ControlSurface {
    let name = "test"
    private let state = Mutex<[HouseChange]>([])

    var changes: [HouseChange] { state.withLock { $0 } }
    func start(_ house: any HouseControlling) async throws {}
    func houseDidChange(_ change: HouseChange) { state.withLock { $0.append(change) } }
    func stop() async {}
}

/// A library in which each location is a track.
struct EchoItems: ItemResolving {
    func tracks(of items: [LibraryItem]) async throws(LibraryError) -> [PlayableTrack] {
        var tracks: [PlayableTrack] = []
        for item in items {
            guard case .location(let location) = item else { throw LibraryError(.notFound, "No such item.") }
            tracks.append(PlayableTrack(location: location, title: location, duration: 100))
        }
        return tracks
    }
}
