import TuttiHouse
import TuttiMusicLibrary

/// The house as clients see it, kept by its changes. A value.
struct HouseMirror: Sendable {
    /// The zones by identity, which is the order of their making.
    private(set) var zones: [ZoneSnapshot] = []
    private(set) var rooms: [RoomID: RoomSnapshot] = [:]
    private(set) var library = LibraryState()
    /// The troubles of the house as a whole.
    private(set) var troubles: [Trouble] = []
    /// The number of each room as an output; a number is never used for another room.
    private(set) var outputs: [RoomID] = []
    private var revision: UInt64 = 0
    private var hasSnapshot = false
    /// Changes before the snapshot, which win over it.
    private var early = Early()

    private struct Early: Sendable {
        var removedZones: Set<ZoneID> = []
        var removedRooms: Set<RoomID> = []
        var hasLibrary = false
        var hasTroubles = false
    }

    /// Events for clients.
    struct Event: Hashable, Sendable {
        var events: IdleEvents
        /// The zone whose clients are told; `nil` for all.
        var zone: ZoneID?
    }

    // MARK: Changes

    /// Takes the state at the start. Changes that came before it and are later stay.
    mutating func take(_ snapshot: HouseSnapshot) {
        if !hasSnapshot, revision <= snapshot.revision {
            (zones, library, revision) = (snapshot.zones, snapshot.library, snapshot.revision)
            troubles = snapshot.troubles
            rooms = Dictionary(snapshot.rooms.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        } else {
            // Changes arrived meanwhile: they win over the snapshot.
            let known = Set(zones.map(\.id)).union(early.removedZones)
            zones += snapshot.zones.filter { !known.contains($0.id) }
            for room in snapshot.rooms where rooms[room.id] == nil && !early.removedRooms.contains(room.id) {
                rooms[room.id] = room
            }
            if !early.hasLibrary { library = snapshot.library }
            if !early.hasTroubles { troubles = snapshot.troubles }
        }
        (hasSnapshot, early) = (true, Early())
        zones.sort { $0.id.rawValue < $1.id.rawValue }
        for room in snapshot.rooms where rooms[room.id] != nil { number(room.id) }
    }

    private mutating func number(_ room: RoomID) {
        if !outputs.contains(room) { outputs.append(room) }
    }

    /// Takes a change, and returns what clients are told.
    mutating func take(_ change: HouseChange) -> Event? {
        revision = max(revision, change.revision)
        switch change.body {
        case .zone(let zone):
            early.removedZones.remove(zone.id)
            return take(zone)
        case .zoneRemoved(let id):
            zones.removeAll { $0.id == id }
            if !hasSnapshot { early.removedZones.insert(id) }
            return Event(events: [.partition, .output])
        case .room(let room):
            early.removedRooms.remove(room.id)
            let old = rooms.updateValue(room, forKey: room.id)
            number(room.id)
            return Self.isSameOutput(old, room) ? nil : Event(events: .output)
        case .roomRemoved(let id):
            rooms[id] = nil
            if !hasSnapshot { early.removedRooms.insert(id) }
            return Event(events: .output)
        case .queue(let id, let revision, let length):
            if let place = zones.firstIndex(where: { $0.id == id }) {
                (zones[place].queueRevision, zones[place].length) = (revision, length)
            }
            return Event(events: .playlist, zone: id)
        case .library(let new): return take(new)
        case .troubles(let new):
            // Clients ask for errors with the player's state.
            (troubles, early.hasTroubles) = (new, true)
            return Event(events: .player)
        case .depths, .announcements, .alarms: return nil
        }
    }

    private mutating func take(_ zone: ZoneSnapshot) -> Event? {
        guard let place = zones.firstIndex(where: { $0.id == zone.id }) else {
            zones.append(zone)
            return Event(events: .partition)
        }
        let old = zones[place]
        zones[place] = zone
        if old.name != zone.name { return Event(events: .partition) }
        let events = Self.events(from: old, to: zone)
        return events.isEmpty ? nil : Event(events: events, zone: zone.id)
    }

    private mutating func take(_ new: LibraryState) -> Event? {
        let old = library
        (library, early.hasLibrary) = (new, true)
        // Playlists and stations are told of with the state that surfaces know.
        if old == new { return Event(events: .storedPlaylist) }
        if old.isScanning != new.isScanning {
            return Event(events: new.isScanning ? .update : [.update, .database, .storedPlaylist])
        }
        return (old.tracks, old.albums) == (new.tracks, new.albums) ? nil : Event(events: .database)
    }

    private static func events(from old: ZoneSnapshot, to new: ZoneSnapshot) -> IdleEvents {
        var events: IdleEvents = []
        if old.shownVolume?.rounded() != new.shownVolume?.rounded() { events.insert(.mixer) }
        let options = (old.shuffle, old.repeatMode, old.sleep == .endOfTrack)
        if options != (new.shuffle, new.repeatMode, new.sleep == .endOfTrack) { events.insert(.options) }
        if (old.levelling, old.crossfade) != (new.levelling, new.crossfade) { events.insert(.options) }
        if old.rooms != new.rooms { events.insert(.output) }
        if old.queueRevision != new.queueRevision { events.insert(.playlist) }
        if old.streamTitle != new.streamTitle { events.formUnion([.playlist, .player]) }
        let elapsed = old.state == .playing ? (new.positionTime - old.positionTime) * old.rate : 0
        let hasMoved = abs(old.position + elapsed - new.position) > 0.5
        let isSame =
            old.state == new.state && old.current?.id == new.current?.id && old.index == new.index
            && old.trouble == new.trouble && !hasMoved
        if !isSame { events.insert(.player) }
        return events
    }

    private static func isSameOutput(_ old: RoomSnapshot?, _ new: RoomSnapshot) -> Bool {
        guard let old else { return false }
        return old.name == new.name && old.zone == new.zone && old.isPresent == new.isPresent
            && old.delay == new.delay && old.volume == new.volume && old.nightMode == new.nightMode
            && old.maximumVolume == new.maximumVolume
    }

    // MARK: Names

    func zone(_ id: ZoneID) -> ZoneSnapshot? { zones.first { $0.id == id } }

    /// The names of the partitions, in the order of the zones. Zones of one name get numbers.
    var partitionNames: [String] { Self.unique(zones.map(\.name)) }

    func partition(named name: String) -> ZoneSnapshot? {
        zip(partitionNames, zones).first { $0.0 == name }?.1
    }

    func partitionName(of id: ZoneID) -> String? {
        zip(partitionNames, zones).first { $0.1.id == id }?.0
    }

    /// The outputs by their numbers, without forgotten rooms; rooms of one name get numbers.
    var numberedRooms: [(number: Int, name: String, room: RoomSnapshot)] {
        let known = outputs.enumerated().compactMap { number, id in rooms[id].map { (number, $0) } }
        return zip(known, Self.unique(known.map(\.1.name))).map { ($0.0, $1, $0.1) }
    }

    private static func unique(_ names: [String]) -> [String] {
        var taken: Set<String> = []
        return names.map { name in
            var (unique, number) = (name, 1)
            while !taken.insert(unique).inserted {
                number += 1
                unique = "\(name) (\(number))"
            }
            return unique
        }
    }
}
