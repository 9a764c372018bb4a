import Foundation
import Playback
import TuttiMusicLibrary

/// The music of a house: zones with their queues, and the rooms that play them.
///
/// Each part has one subject: `Zone` what a zone plays, registries the zones and the rooms, lists the alarms and the
/// announcements, the `ChangePublisher` what surfaces know. This actor alone knows all of them, and carries out what one
/// leaves to others. Surfaces give commands and get changes; see ``ControlSurface``.
public actor House: HouseControlling {
    let environment: HouseEnvironment
    let rooms: RoomRegistry
    let zones: ZoneRegistry
    let ticker: Ticker
    let sessions: RoomSessions
    let troubles: HouseTroubles
    let alarmClock: AlarmClock
    let announcer: Announcer

    private var library = LibraryState()
    /// The Unix time before which the state is not written again after an outage.
    var nextWriting = 0.0
    var prompts = PasswordPrompts()
    /// Brings volumes on their way while a zone falls asleep or wakes.
    var fader: Task<Void, Never>?
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
        let tasks = environment.tasks
        (self.environment, self.rooms, self.zones, self.ticker) = (environment, rooms, zones, ticker)
        (self.sessions, self.troubles) = (sessions, troubles)
        (self.alarmClock, self.announcer) = (alarmClock, announcer)
        tasks.connect(to: self)
    }

    // MARK: The surroundings of the parts

    var configuration: HouseConfiguration { environment.configuration }
    var items: any ItemResolving { environment.items }
    var outputs: any HouseOutputs { environment.outputs }
    var store: HouseStore { environment.store }
    var publisher: ChangePublisher { environment.publisher }
    var tasks: HouseTasks { environment.tasks }
    var isStopping: Bool { tasks.isStopping }
    var log: HouseLog { environment.log }
    func now() -> Double { environment.now() }

    // MARK: Life

    /// Reads the stored state, looks for rooms, and continues playing what played.
    public func start() {
        restore()
        roomsFound(outputs.known)
        searching = Task { [weak self, options = outputs.changes] in
            for await found in options { await self?.roomsFound(found) }
        }
        outputs.start { [weak self] option in await self?.password(for: option) }
        for zone in zones.all.values {
            // Inputs show the zone's volume from the start on.
            if zone.wish == .playing {
                carryOut(zone.resume(hasRooms: zones.hasRooms(zone)), in: zone)
            } else {
                zones.publish(zone)
            }
        }
        ticker.start()
        alarmClock.check()
        troubles.publish()
    }

    private func restore() {
        let stored = store.read()
        environment.numbers.restore(stored.counters)
        rooms.restore(stored.rooms)
        for (zone, queue) in stored.zones {
            var zone = zone
            zone.restart(resumesPlaying: configuration.resumesPlaying, at: now())
            // Entries that could not be played then may be there now.
            var hopeful = queue
            hopeful.clearFailures()
            let added = zones.add(zone, queue: hopeful)
            open(added)
            added.writtenQueue = queue
        }
        if zones.all.isEmpty { open(zones.make("Music")) }
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
        guard tasks.stop() else { return }
        ticker.stop()
        fader?.cancel()
        alarmClock.stop()
        let announcing = announcer.stop()
        if !announcing.isEmpty {
            // They set the rooms' volumes back.
            await WorkLimit.wait(Self.announcementEndTime) { for task in announcing { await task.value } }
        }
        for zone in zones.all.values {
            zone.follow()
            store.writePosition(of: zone.stored)
            zone.player.setRate(0)
            for room in zone.held { zone.restoreVolume(of: room, own: rooms[room]?.stored.volume) }
            zone.roomTask?.cancel()
        }
        outputs.stop()
        prompts.cancelAll()
        let (surfaces, roomTasks) = (publisher.removeAll(), zones.all.values.compactMap(\.roomTask))
        let closings = zones.all.values.map { $0.player.close() } + zones.all.values.map { $0.closeInputs() }
        await WorkLimit.wait(Self.endTime) {
            await withTaskGroup { group in
                for surface in surfaces { group.addTask { await surface.stop() } }
                for task in closings + roomTasks { group.addTask { await task.value } }
            }
        }
        searching?.cancel()
    }

    /// The time for announcements to end.
    private static let announcementEndTime = Duration.milliseconds(400)
    /// The time for the rooms to be left in order; an unreachable one notices by itself.
    private static let endTime = Duration.milliseconds(1500)

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
            revision: publisher.revision, time: now(),
            zones: zones.snapshots,
            rooms: rooms.snapshots,
            library: library, troubles: troubles.all,
            announcements: announcer.snapshots, alarms: alarmClock.list.ordered)
    }

    /// Returns entries of a zone's queue.
    public func queue(of id: ZoneID, _ range: Range<Int>) throws(HouseError) -> QueuePage {
        try zones.page(of: id, range)
    }

    // MARK: Publishing

    /// Writes a zone and tells the surfaces what has changed.
    func changed(_ zone: Zone) {
        zones.write(zone)
        updateFade(zone)
        zones.publish(zone)
        troubles.publish()
        ticker.start()
    }

    /// Changes a room, writes what is stored of it, and tells the surfaces.
    ///
    /// - Parameter isDurable: Whether a power cut must not lose the change.
    func change(_ id: RoomID, isDurable: Bool = true, _ body: (inout Room) -> Void) {
        rooms.change(id, isDurable: isDurable, body)
        ticker.start()
    }
}
