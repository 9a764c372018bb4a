import Foundation
import Synchronization
import TuttiHouse
import TuttiMusicLibrary

/// The state that all clients share: the house as they see it, and the clients themselves. Any thread.
final class ServerCore: Sendable {
    /// The most clients at a time, as in MPD.
    static let clientLimit = 100

    private struct State {
        var mirror = HouseMirror()
        var queues: [ZoneID: QueueMirror] = [:]
        var modes: [ZoneID: PlaybackModes] = [:]
        var clients: [ObjectIdentifier: Client] = [:]
        /// The fetches that run, one for each zone, which all clients of the zone join.
        var fetches: [ZoneID: Task<Result<QueueMirror, CommandError>, Never>] = [:]
        var updates = 0
    }

    let house: any HouseControlling
    let library: any LibraryAccess
    let catalogue: CatalogueCache
    /// Computations over all songs.
    let searches = SearchWorker()
    /// Lets one client at a time change playlists.
    let playlistEdits = EditTurns()
    let password: String?
    let started: Double
    /// The folders of the library.
    private let roots: Mutex<MusicFolders>
    private let state = Mutex(State())
    private let now: @Sendable () -> Double

    /// - Parameter now: Unix time in seconds.
    init(
        house: any HouseControlling, library: any LibraryAccess, password: String?, folders: [String] = [],
        now: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 }
    ) {
        (self.house, self.library, self.password, self.now) = (house, library, password, now)
        (catalogue, started) = (CatalogueCache(library, searches, now: now), now())
        roots = Mutex(MusicFolders(folders))
    }

    /// Reads the state of the house; changes that come meanwhile count.
    func start() async {
        let snapshot = await house.snapshot()
        state.withLock { $0.mirror.take(snapshot) }
        // While the library cannot be read, the folders of the settings count.
        if let found = try? await library.folder(nil) {
            roots.withLock { $0 = MusicFolders(found.folders.map(\.path)) }
        }
    }

    var time: Double { now() }
    var folders: MusicFolders { roots.withLock { $0 } }
    var mirror: HouseMirror { state.withLock { $0.mirror } }
    /// The zone of new clients.
    var firstZone: ZoneID { state.withLock { $0.mirror.zones.first?.id } ?? ZoneID(rawValue: 0) }

    // MARK: Changes

    /// Takes a change of the house. Returns at once.
    func houseDidChange(_ change: HouseChange) {
        let (event, commands) = state.withLock { state in
            let old: ZoneSnapshot? =
                if case .zone(let zone) = change.body { state.mirror.zone(zone.id) } else { nil }
            let event = state.mirror.take(change)
            var commands: [HouseCommand] = []
            if case .zone(let zone) = change.body, let old {
                commands = state.modes[zone.id]?.commands(from: old, to: zone) ?? []
                // The song before shows its own title again.
                if old.streamTitle != zone.streamTitle {
                    for id in Set([old.current?.id, zone.current?.id].compactMap(\.self)) {
                        if let place = state.queues[zone.id]?.place(of: id) {
                            state.queues[zone.id]?.touch(place)
                        }
                    }
                }
            }
            if case .zoneRemoved(let id) = change.body { (state.queues[id], state.modes[id]) = (nil, nil) }
            return (event, commands)
        }
        if case .library(let library) = change.body {
            catalogue.libraryDidChange(isScanning: library.isScanning)
        }
        if case .zoneRemoved(let id) = change.body { moveClients(of: id) }
        if let event { notify(event.events, of: event.zone) }
        guard !commands.isEmpty else { return }
        Task { [house] in
            // A refusal is in the house's log.
            for command in commands {
                _ = try? await house.perform(command, from: CommandOrigin(surface: "mpd"))
            }
        }
    }

    /// Moves the clients of a zone that is gone to the first one; they are told with the removal.
    private func moveClients(of zone: ZoneID) {
        let first = firstZone
        for client in clients {
            client.inbox.withLock { if $0.zone == zone { $0.move(to: first) } }
        }
    }

    /// Tells clients of events.
    ///
    /// - Parameter zone: The zone whose clients are told; `nil` for all.
    func notify(_ events: IdleEvents, of zone: ZoneID? = nil) {
        for client in clients where zone == nil || client.inbox.withLock({ $0.zone }) == zone {
            client.notify(events)
        }
    }

    // MARK: Clients

    var clients: [Client] { state.withLock { Array($0.clients.values) } }

    /// Adds a client; returns `false` if there are too many.
    func add(_ client: Client) -> Bool {
        state.withLock { state in
            guard state.clients.count < Self.clientLimit else { return false }
            state.clients[ObjectIdentifier(client)] = client
            return true
        }
    }

    func remove(_ client: Client) {
        state.withLock { _ = $0.clients.removeValue(forKey: ObjectIdentifier(client)) }
        if client.inbox.withLock({ !$0.channels.isEmpty }) { notify(.subscription) }
    }

    // MARK: Modes

    func modes(of zone: ZoneID) -> PlaybackModes { state.withLock { $0.modes[zone] ?? PlaybackModes() } }

    func changeModes(of zone: ZoneID, _ change: (inout PlaybackModes) -> Void) {
        let hasChanged = state.withLock { state in
            var modes = state.modes[zone] ?? PlaybackModes()
            let old = modes
            change(&modes)
            state.modes[zone] = modes
            return (old.consumes, old.pausesAfterEach) != (modes.consumes, modes.pausesAfterEach)
        }
        if hasChanged { notify(.options, of: zone) }
    }

    // MARK: Queues

    /// Returns the queue of a zone as the house has it now.
    func queue(of zone: ZoneID) async throws(CommandError) -> QueueMirror {
        let wanted = state.withLock { $0.mirror.zone(zone)?.queueRevision }
        while true {
            let known = state.withLock { $0.queues[zone] }
            if let known, let wanted, known.revision >= wanted { return known }
            let (fetch, isOwn) = fetch(of: zone)
            let queue = try await fetch.value.get()
            // The fetch of another client may have begun before the change that this one knows of.
            if isOwn || queue.revision >= wanted ?? .max { return queue }
        }
    }

    /// Returns the fetch that runs, or a new one.
    private func fetch(
        of zone: ZoneID
    ) -> (task: Task<Result<QueueMirror, CommandError>, Never>, isOwn: Bool) {
        state.withLock { state in
            if let running = state.fetches[zone] { return (running, false) }
            let task = Task {
                let result: Result<QueueMirror, CommandError>
                do throws(HouseError) {
                    result = .success(store(try await house.queue(of: zone, 0..<1_000_000), of: zone))
                } catch {
                    result = .failure(CommandError(error))
                }
                self.state.withLock { $0.fetches[zone] = nil }
                return result
            }
            state.fetches[zone] = task
            return (task, true)
        }
    }

    /// Takes a state of a queue. Compares the entries outside the lock, for which the house waits.
    private func store(_ page: QueuePage, of zone: ZoneID) -> QueueMirror {
        while true {
            let old = state.withLock { $0.queues[zone] }
            var queue = old ?? QueueMirror(page)
            queue.update(page)
            let new = queue
            let isStored = state.withLock { state in
                // Touched meanwhile, by the title of a station.
                guard state.queues[zone]?.version == old?.version else { return false }
                // A zone that was removed meanwhile leaves nothing.
                if state.mirror.zone(zone) != nil { state.queues[zone] = new }
                return true
            }
            if isStored { return new }
        }
    }

    // MARK: The library

    /// Looks for changes of the folders; returns the number of the job.
    func update() -> Int {
        library.rescan()
        return state.withLock { state in
            state.updates += 1
            return state.updates
        }
    }

    /// The number of the job while folders are being scanned.
    var currentUpdate: Int? {
        state.withLock { $0.mirror.library.isScanning ? max(1, $0.updates) : nil }
    }

    /// Returns the song of a track of a queue or playlist.
    func song(_ track: PlayableTrack, _ catalogue: SongCatalogue?) -> Song {
        if let song = track.libraryID.flatMap({ catalogue?.song(id: $0) }) { return song }
        let uri = SongAddress.isStream(track.location) ? track.location : folders.uri(path: track.location)
        return Song(track, uri: uri ?? track.location)
    }
}
