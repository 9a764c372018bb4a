import TuttiHouse

/// A mirror of the house, updated from its changes.
struct HouseMirror: Sendable {
    private(set) var zones: [ZoneSnapshot] = []
    private(set) var rooms: [RoomSnapshot] = []
    private(set) var troubles: [Trouble] = []
    private(set) var announcements: [AnnouncementSnapshot] = []
    private(set) var alarms: [Alarm] = []
    /// The latest depths of the rooms that have a session.
    private(set) var depths: [RoomID: RoomSnapshot.Depth] = [:]
    /// The rooms by the level of their topics; of two rooms with one level the first.
    private(set) var levels: [String: RoomID] = [:]
    private(set) var labels = ZoneLabels([])

    /// Makes the mirror of a house.
    init(_ house: HouseSnapshot = HouseSnapshot()) {
        (zones, rooms, troubles) = (house.zones, house.rooms, house.troubles)
        (announcements, alarms) = (house.announcements, house.alarms)
        for room in rooms { depths[room.id] = room.depth }
        indexRooms()
        labels = ZoneLabels(zones)
    }

    /// Applies a change.
    mutating func apply(_ body: HouseChange.Body) {
        switch body {
        case .zone(let zone): take(zone)
        case .zoneRemoved(let id):
            zones.removeAll { $0.id == id }
            labels = ZoneLabels(zones)
        case .room(let room): take(room)
        case .roomRemoved(let id):
            rooms.removeAll { $0.id == id }
            depths[id] = nil
            indexRooms()
        case .troubles(let new): troubles = new
        case .announcements(let new): announcements = new
        case .alarms(let new): alarms = new
        case .depths(let new):
            for (id, depth) in new where room(id) != nil { depths[id] = depth }
        case .queue, .library: break
        }
    }

    private mutating func take(_ zone: ZoneSnapshot) {
        if let place = zones.firstIndex(where: { $0.id == zone.id }) {
            let isRenamed = zones[place].name != zone.name
            zones[place] = zone
            guard isRenamed else { return }
        } else {
            zones.append(zone)
        }
        labels = ZoneLabels(zones)
    }

    private mutating func take(_ room: RoomSnapshot) {
        depths[room.id] = room.depth
        if let place = rooms.firstIndex(where: { $0.id == room.id }) {
            rooms[place] = room
        } else {
            rooms.append(room)
            indexRooms()
        }
    }

    private mutating func indexRooms() {
        levels = Dictionary(rooms.map { ($0.id.topicLevel, $0.id) }, uniquingKeysWith: { first, _ in first })
    }

    func zone(_ id: ZoneID) -> ZoneSnapshot? { zones.first { $0.id == id } }

    func room(_ id: RoomID) -> RoomSnapshot? { rooms.first { $0.id == id } }

    func alarm(_ id: AlarmID) -> Alarm? { alarms.first { $0.id == id } }

    /// Seconds of sound that a room holds; 0 without a session.
    func depth(of room: RoomID) -> Double { depths[room]?.seconds ?? 0 }

    /// Seconds of sound that all rooms of a zone hold; 0 without a session.
    func depth(of zone: ZoneSnapshot) -> Double { zone.rooms.compactMap { depths[$0]?.seconds }.min() ?? 0 }
}
