import Foundation
import TuttiCommandLineInterface

/// The house as the service tells it. Fields that this version does not know are ignored; most may be
/// missing.
struct RemoteHouse: Equatable, Sendable, Decodable {
    var time: Double
    var zones: [RemoteZone]
    var rooms: [RemoteRoom]
    var troubles: [RemoteTrouble]?
    var announcements: [RemoteAnnouncement]?
    var alarms: [RemoteAlarm]?

    /// The rooms of a zone.
    func rooms(of zone: RemoteZone) -> [RemoteRoom] { rooms.filter { $0.zone == zone.id } }

    func zone(of room: RemoteRoom) -> RemoteZone? { zones.first { $0.id == room.zone } }
}

/// A zone.
struct RemoteZone: Equatable, Sendable, Decodable {
    struct Entry: Equatable, Sendable, Decodable {
        let id: Int64
        let track: RemoteTrack
        var failure: String?
    }

    /// A sleep timer: a Unix time, or the end of the track.
    struct Sleep: Equatable, Sendable, Decodable {
        var at: Double?
        var endOfTrack: Bool?
    }

    /// A live input that plays instead of the queue.
    struct Input: Equatable, Sendable, Decodable {
        var name: String?
        var kind: String?
    }

    let id: Int
    var name: String
    var state: String
    var current: Entry?
    var input: Input?
    var levelling: String?
    var crossfade: Double?
    var sleepFade: Double?
    var index: Int?
    var position: Double
    var positionTime: Double
    var rate: Double
    var length: Int
    var shuffle: Bool
    var repeatMode: String
    var sleep: Sleep?
    var volume: Double?
    var streamTitle: String?
    var trouble: RemoteTrouble?

    /// Whether sound is heard, or will be as soon as something is there.
    var isActive: Bool { state == "playing" || state == "waiting" }

    /// The title to show.
    var title: String { streamTitle ?? input.map { $0.name ?? $0.kind ?? "" } ?? current?.track.title ?? "" }

    /// The position in seconds at a Unix time of the service.
    func position(at time: Double) -> Double {
        guard state == "playing" else { return position }
        let now = position + max(0, time - positionTime) * rate
        return min(now, current?.track.duration ?? .infinity)
    }
}

/// A track of an entry.
struct RemoteTrack: Equatable, Sendable, Decodable {
    let title: String
    var artist: String?
    var album: String?
    var duration: Double?
}

/// A room.
struct RemoteRoom: Equatable, Sendable, Decodable {
    struct Depth: Equatable, Sendable, Decodable { let seconds: Double }

    let id: String
    var name: String
    var kind: String?
    var zone: Int?
    var isPresent: Bool
    var state: String
    var volume: Double?
    var delay: Double?
    var depth: Depth?
    var trouble: RemoteTrouble?
    var needsPassword: Bool?
    var equalizer: Equalizer?
    var maximumVolume: Double?
    var nightMode: Bool?

    struct Equalizer: Equatable, Sendable, Decodable { var gains: [Double] }
}

/// An announcement that waits or is heard.
struct RemoteAnnouncement: Equatable, Sendable, Decodable {
    let id: Int
    var title: String
    var rooms: [String]
    var state: String
}

/// An alarm.
struct RemoteAlarm: Equatable, Sendable, Decodable {
    let id: Int
    var zone: Int
    var minute: Int
    var days: [String]
    var items: [RemoteItem]
    var volume: Double?
    var fadeSeconds: Double
    var isOn: Bool

    /// The body of the request that sets it.
    var body: JSONValue {
        .members([
            "zone": .integer(zone), "minute": .integer(minute), "days": .array(days.map { .string($0) }),
            "items": .array(items.map(\.json)), "volume": volume.map { .number($0, decimals: 2) },
            "fadeSeconds": .number(fadeSeconds, decimals: 1), "isOn": .bool(isOn),
        ])
    }
}

/// An item of the library: a kind, and its number or its path.
struct RemoteItem: Equatable, Sendable, Decodable {
    let json: JSONValue
    /// The item for people: `album 3`.
    let text: String

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard let key = container.allKeys.first else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "an item has a kind"))
        }
        // Anything else is read as a text, whose error then counts.
        if let number = try? container.decode(Int.self, forKey: key) {
            json = .object([.init(key: key.stringValue, value: .integer(number))])
            text = "\(key.stringValue) \(number)"
        } else {
            text = try container.decode(String.self, forKey: key)
            json = .object([.init(key: key.stringValue, value: .string(text))])
        }
    }
}

/// Something wrong.
struct RemoteTrouble: Equatable, Sendable, Decodable { let message: String }

/// Entries of a queue.
struct RemoteQueue: Equatable, Sendable, Decodable {
    var length: Int
    var entries: [RemoteZone.Entry]
}

extension RemoteHouse {
    /// A decoder of the service's JSON, which has numbers that JSON lacks as text.
    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return decoder
    }

    /// Applies an event of the service.
    ///
    /// - Returns: Whether something of the house has changed.
    mutating func apply(_ event: ServiceEvent) -> Bool {
        let before = self
        switch event.name {
        case "house": if let house: RemoteHouse = Self.decode(event) { self = house }
        case "zone":
            guard let zone: RemoteZone = Self.decode(event) else { break }
            if let place = zones.firstIndex(where: { $0.id == zone.id }) {
                zones[place] = zone
            } else {
                zones.append(zone)
            }
        case "zoneRemoved":
            guard let removed: [String: Int] = Self.decode(event) else { break }
            zones.removeAll { $0.id == removed["zone"] }
        case "room":
            guard let room: RemoteRoom = Self.decode(event) else { break }
            rooms.removeAll { $0.id == room.id }
            rooms.append(room)
            rooms.sort { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
        case "roomRemoved":
            guard let removed: [String: String] = Self.decode(event) else { break }
            rooms.removeAll { $0.id == removed["room"] }
        case "announcements":
            guard let found: [String: [RemoteAnnouncement]] = Self.decode(event) else { break }
            announcements = found["announcements"]
        case "alarms":
            guard let found: [String: [RemoteAlarm]] = Self.decode(event) else { break }
            alarms = found["alarms"]
        case "troubles":
            guard let found: [String: [RemoteTrouble]] = Self.decode(event) else { break }
            troubles = found["troubles"]
        case "depths":
            guard let found: [String: [String: RemoteRoom.Depth]] = Self.decode(event) else { break }
            for place in rooms.indices {
                rooms[place].depth = found["depths"]?[rooms[place].id] ?? rooms[place].depth
            }
        default: break
        }
        return self != before
    }

    /// Returns the contents of an event; `nil`, which changes nothing, for a form that another release may have.
    private static func decode<Value: Decodable>(_ event: ServiceEvent) -> Value? {
        try? decoder.decode(Value.self, from: Data(event.data.utf8))
    }
}
