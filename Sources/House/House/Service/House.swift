import Foundation
import Playback
import TuttiMusicLibrary

/// The music of a house: zones with their queues, and the rooms that play them.
///
/// Each part has one subject: `Zone` what a zone plays, registries the zones and the rooms, `RoomSessions` their
/// sessions, the `AlarmClock` alarms, the `Announcer` announcements, the `ChangePublisher` what surfaces know. This actor
/// alone knows all of them, and carries out what one leaves to others. What parts wait for comes back to it as a
/// `HouseJob`. Surfaces give commands and get changes; see ``ControlSurface``.
public actor House: HouseControlling {
    let environment: HouseEnvironment
    let rooms: RoomRegistry
    let zones: ZoneRegistry
    let ticker: Ticker
    let sessions: RoomSessions
    let troubles: HouseTroubles
    let alarmClock: AlarmClock
    let announcer: Announcer
    let fader: ZoneFader
    var prompts = PasswordPrompts()
    private var library = LibraryState()
    /// Follows the search for rooms.
    private var searching: Task<Void, Never>?

    /// Makes a house, with its state as it was stored. ``start()`` begins to play.
    ///
    /// - Parameters:
    ///   - items: The library.
    ///   - log: Receives what users do and rooms suffer.
    public init(configuration: HouseConfiguration, items: any ItemResolving, log: @escaping HouseLog) {
        self.init(
            configuration: configuration, items: items, log: log,
            outputs: RouteOutputs(configuration), now: { Date().timeIntervalSince1970 })
    }

    init(
        configuration: HouseConfiguration, items: any ItemResolving, log: @escaping HouseLog,
        outputs: any HouseOutputs, now: @escaping @Sendable () -> Double
    ) {
        let environment = HouseEnvironment(configuration, items: items, outputs: outputs, now: now, log: log)
        let rooms = RoomRegistry(environment)
        let zones = ZoneRegistry(environment, rooms: rooms)
        let ticker = Ticker(environment, zones: zones)
        let sessions = RoomSessions(environment, zones: zones, ticker: ticker)
        let troubles = HouseTroubles(environment)
        let alarmClock = AlarmClock(environment, zones: zones, troubles: troubles)
        let announcer = Announcer(environment, zones: zones, sessions: sessions)
        let fader = ZoneFader(environment, zones: zones, announcer: announcer)
        let tasks = environment.tasks
        (self.environment, self.rooms, self.zones, self.ticker) = (environment, rooms, zones, ticker)
        (self.sessions, self.troubles, self.alarmClock) = (sessions, troubles, alarmClock)
        (self.announcer, self.fader) = (announcer, fader)
        tasks.connect(to: self)
    }

    var publisher: ChangePublisher { environment.publisher }
    var log: HouseLog { environment.log }
    var isStopping: Bool { environment.tasks.isStopping }
    var settings: RoomSettings { RoomSettings(zones: zones) }
    var inputs: InputOpener { InputOpener(zones: zones, environment: environment) }

    // MARK: Life

    /// Reads the stored state, looks for rooms, and continues playing what played.
    public func start() {
        restore()
        let outputs = environment.outputs
        roomsFound(outputs.known)
        searching = Task { [weak self, options = outputs.changes] in
            for await found in options { await self?.roomsFound(found) }
        }
        outputs.start { [weak self] option in await self?.password(for: option) }
        // Inputs show the zone's volume from the start on.
        for zone in zones.all.values { carryOut(zone.resume(hasRooms: zones.hasRooms(zone)), in: zone) }
        ticker.start()
        alarmClock.check()
        troubles.publish()
    }

    private func restore() {
        let stored = environment.store.read()
        environment.numbers.restore(stored.counters)
        rooms.restore(stored.rooms)
        let resumesPlaying = environment.configuration.resumesPlaying
        for zone in zones.restore(stored.zones, resumesPlaying: resumesPlaying) { open(zone) }
        alarmClock.restore(stored.alarms)
        rooms.leaveZones(but: Set(zones.all.keys))
    }

    /// Adds a surface, which gets every change from now on.
    public func add(_ surface: any ControlSurface) async throws {
        publisher.add(surface)
        do { try await surface.start(self) } catch {
            publisher.remove(surface)
            throw error
        }
    }

    /// Closes a surface; changes no longer reach it.
    public func remove(_ surface: any ControlSurface) async {
        publisher.remove(surface)
        await surface.stop()
    }

    /// Changes which outputs are rooms, and the volume of those that are used for the first time.
    ///
    /// - Parameter hidden: Names or ids of outputs that are no rooms.
    public func setRooms(hidden: Set<String>, defaultVolume: Double?) {
        (rooms.hidden, rooms.defaultVolume) = (hidden, defaultVolume)
        roomsFound(rooms.found)
    }

    /// Writes the positions, lets all rooms go, and closes the surfaces. The last call; takes two seconds at most.
    public func stop() async {
        guard environment.tasks.stop() else { return }
        ticker.stop()
        fader.stop()
        alarmClock.stop()
        await HouseClosing.wait(forAnnouncements: announcer.stop())
        zones.stop()
        environment.outputs.stop()
        prompts.cancelAll()
        await HouseClosing(surfaces: publisher.removeAll(), tasks: zones.close()).wait()
        searching?.cancel()
    }

    /// Tells the surfaces the state of the library.
    public func setLibrary(_ summary: LibraryState) {
        guard summary != library else { return }
        library = summary
        publisher.tell(.library(summary))
        troubles.library = summary.troubles.map { Trouble(code: $0.code, message: $0.message) }
        troubles.publish()
    }

    /// Tells the surfaces that playlists or stations have changed.
    public func libraryDidChange() { publisher.tell(.library(library)) }

    /// Sets what is wrong with the service as a whole, such as an address that is in use, in addition to what the
    /// house finds itself.
    public func setTroubles(_ troubles: [Trouble]) {
        self.troubles.service = troubles
        self.troubles.publish()
    }

    /// Whether the house answers; for a watchdog.
    public func isAlive() -> Bool { !isStopping }

    // MARK: Snapshots

    /// The state now.
    public func snapshot() -> HouseSnapshot {
        HouseSnapshot(
            revision: publisher.revision, time: environment.now(),
            zones: zones.snapshots,
            rooms: rooms.snapshots,
            library: library, troubles: troubles.all,
            announcements: announcer.snapshots, alarms: alarmClock.list.ordered)
    }

    /// Returns entries of a zone's queue.
    public func queue(of id: ZoneID, _ range: Range<Int>) throws(HouseError) -> QueuePage {
        try zones.page(of: id, range)
    }
}
