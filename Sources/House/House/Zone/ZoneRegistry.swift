import Foundation
import Playback
import TuttiMusicLibrary

/// The zones of a house, as they are stored and told. Belongs to the house's actor.
final class ZoneRegistry {
    /// The most zones of a house.
    private static let limit = 64
    /// The most characters of a name.
    private static let nameLimit = 100

    private(set) var all: [ZoneID: Zone] = [:]
    /// Zones that were removed, and whose rooms are not free yet; also those that play an announcement alone.
    private(set) var closing: [Zone] = []
    /// The number of the last zone that was made for an announcement; negative.
    private var lastGuest = 0
    let rooms: RoomRegistry
    private let outputs: any HouseOutputs
    private let store: HouseStore
    private let publisher: ChangePublisher
    private let numbers: HouseNumbers
    /// Unix time in seconds.
    private let now: @Sendable () -> Double
    private let log: HouseLog

    init(_ environment: HouseEnvironment, rooms: RoomRegistry) {
        (self.rooms, outputs, store) = (rooms, environment.outputs, environment.store)
        (publisher, numbers) = (environment.publisher, environment.numbers)
        (now, log) = (environment.now, environment.log)
    }

    // MARK: Looking up

    subscript(id: ZoneID) -> Zone? { all[id] }

    func zone(_ id: ZoneID) throws(HouseError) -> Zone {
        guard let zone = all[id] else { throw HouseError(.notFound, "There is no zone \(id).") }
        return zone
    }

    /// The zone to which a room belongs.
    func zone(of room: RoomID) -> Zone? { rooms[room]?.stored.zone.flatMap { all[$0] } }

    /// The zone that plays to a room now, or is about to let it go; not one that was removed.
    func holder(of room: RoomID) -> Zone? { all.values.first { $0.held.contains(room) } }

    /// Whether a room is not free for a zone, because another one has it.
    func isTaken(_ room: RoomID, for zone: Zone) -> Bool {
        (Array(all.values) + closing).contains { $0 !== zone && $0.held.contains(room) }
    }

    /// The rooms that have sessions, or had some that may not be closed yet.
    var heldRooms: Set<RoomID> {
        (Array(all.values) + closing).reduce(into: Set<RoomID>()) { $0.formUnion($1.held) }
    }

    /// Returns the rooms of an announcement that are there, or refuses it.
    func announcementRooms(of request: AnnouncementRequest) throws(HouseError) -> Set<RoomID> {
        for id in request.rooms { _ = try rooms.room(id) }
        let wanted = request.rooms.isEmpty ? Array(rooms.all.keys) : request.rooms
        let there = wanted.filter { rooms[$0]?.isPresent == true || holder(of: $0) != nil }
        guard there.isEmpty else { return Set(there) }
        guard let name = wanted.first.flatMap({ rooms[$0]?.stored.name }) else {
            throw HouseError(.conflict, "There are no rooms to announce it in.")
        }
        throw HouseError(
            .conflict,
            wanted.count == 1
                ? "\(name) is not on the network. Is it switched on?"
                : "None of the rooms is on the network. Are they switched on?")
    }

    func hasRooms(_ zone: Zone) -> Bool { !rooms.ids(of: zone.id).isEmpty }

    // MARK: Making and removing

    /// Takes the zones that were stored; a house without any gets one.
    ///
    /// - Parameter resumesPlaying: Whether zones that played play again.
    /// - Returns: The zones, which the house opens then.
    func restore(_ stored: [(zone: StoredZone, queue: HouseQueue)], resumesPlaying: Bool) -> [Zone] {
        let restored = stored.map { stored, queue in
            var stored = stored
            stored.restart(resumesPlaying: resumesPlaying, at: now())
            // Entries that could not be played then may be there now.
            var hopeful = queue
            hopeful.clearFailures()
            let zone = add(stored, queue: hopeful)
            zone.writtenQueue = queue
            return zone
        }
        return restored.isEmpty ? [make("Music")] : restored
    }

    /// Makes a zone that is new; its name was validated. The house opens it then.
    func make(_ name: String) -> Zone {
        add(StoredZone(id: numbers.newZone(), name: name), queue: HouseQueue())
    }

    private func add(_ stored: StoredZone, queue: HouseQueue) -> Zone {
        let zone = Zone(stored, queue: queue, player: outputs.makePlayer(), now: now, log: log)
        all[stored.id] = zone
        zone.player.setSound(stored.sound)
        return zone
    }

    /// Makes a zone that no surface sees, and nobody stores. It has its rooms until ``endClosing(_:)``.
    func makeGuest() -> Zone {
        lastGuest -= 1
        let guest = Zone(
            StoredZone(id: ZoneID(rawValue: lastGuest), name: "Announcement"), queue: HouseQueue(),
            player: outputs.makePlayer(), now: now, log: log)
        closing.append(guest)
        return guest
    }

    /// Removes a zone, which has its rooms until ``endClosing(_:)``.
    func remove(_ zone: Zone) {
        all[zone.id] = nil
        closing.append(zone)
        store.remove(zone.id)
    }

    func endClosing(_ zone: Zone) { closing.removeAll { $0 === zone } }

    /// Ends the playback of all zones: writes their positions, and gives rooms their own volumes.
    func stop() {
        for zone in all.values {
            zone.follow()
            store.writePosition(of: zone.stored)
            zone.player.setRate(0)
            for room in zone.held { zone.restoreVolume(of: room, own: rooms[room]?.stored.volume) }
            zone.roomTask?.cancel()
        }
    }

    /// Lets all rooms and inputs go; the last call.
    ///
    /// - Returns: The tasks that end when they are free.
    func close() -> [Task<Void, Never>] {
        let roomTasks = all.values.compactMap(\.roomTask)
        let closings = all.values.map { $0.player.close() } + all.values.map { $0.closeInputs() }
        return closings + roomTasks
    }

    func newEntries(_ tracks: [PlayableTrack]) -> [QueueEntry] {
        tracks.map { QueueEntry(id: numbers.newEntry(), track: $0) }
    }

    /// Returns a name as it is stored, or refuses it.
    func validate(name text: String) throws(HouseError) -> String {
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty, name.count <= Self.nameLimit else {
            throw HouseError(.invalid, "A name must have 1 to \(Self.nameLimit) characters.")
        }
        return name
    }

    /// Returns the name of a new zone as it is stored, or refuses the zone.
    func validate(newName text: String) throws(HouseError) -> String {
        let name = try validate(name: text)
        try requireSpace()
        return name
    }

    private func requireSpace() throws(HouseError) {
        guard all.count < Self.limit else {
            throw HouseError(.limit, "A house has at most \(Self.limit) zones; remove one first.")
        }
    }

    // MARK: Storing and telling

    /// Writes a zone, and tells the surfaces if its queue has changed.
    func write(_ zone: Zone) {
        zone.playback.noteQueue()
        store.write(zone.stored, zone.queue, old: zone.writtenQueue, numbers.counters)
        if zone.writtenQueue?.revision != zone.queue.revision {
            publisher.tell(.queue(zone.id, revision: zone.queue.revision, length: zone.queue.entries.count))
        }
        zone.writtenQueue = zone.queue
    }

    /// Writes what the player has reached, and tells the surfaces.
    func keepPosition(of zone: Zone) {
        zone.follow()
        store.writePosition(of: zone.stored)
        publish(zone)
    }

    /// Tells the surfaces the state of a zone, if it differs from what they know.
    func publish(_ zone: Zone) {
        let new = snapshot(of: zone)
        if let old = zone.published, old.isSame(as: new) { return }
        zone.published = new
        showVolume(new.volume, atInputsOf: zone)
        publisher.tell(.zone(new))
    }

    /// Shows the zone's volume at its inputs.
    ///
    /// Without one a slider would show the sound server's, and its next step would bring the rooms there.
    func showVolume(atInputsOf zone: Zone) { showVolume(rooms.volume(of: zone.id), atInputsOf: zone) }

    private func showVolume(_ percent: Double?, atInputsOf zone: Zone) {
        zone.inputs.showVolume(percent ?? rooms.defaultVolume ?? RoomRegistry.cautiousVolume)
    }

    /// The zones as users see them, in the order of their making.
    var snapshots: [ZoneSnapshot] {
        all.values.sorted { $0.id.rawValue < $1.id.rawValue }.map { snapshot(of: $0) }
    }

    private func snapshot(of zone: Zone) -> ZoneSnapshot {
        zone.snapshot(rooms: rooms.ids(of: zone.id), volume: rooms.volume(of: zone.id))
    }

    /// Returns entries of a zone's queue.
    func page(of id: ZoneID, _ range: Range<Int>) throws(HouseError) -> QueuePage {
        let queue = try zone(id).queue
        let range = range.clamped(to: 0..<queue.entries.count)
        return QueuePage(
            revision: queue.revision, length: queue.entries.count, start: range.lowerBound,
            entries: Array(queue.entries[range]))
    }
}
