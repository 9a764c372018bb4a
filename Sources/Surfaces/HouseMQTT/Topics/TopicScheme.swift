import TuttiHouse
import TuttiMQTT

/// The names of the topics of a house.
///
/// `ROOT/HOUSE/status`, `…/state`, `…/trouble`, `…/announcements` and `…/error` are the house's; below
/// `…/zone/ID/`, `…/room/ID/` and `…/alarm/ID/` are a topic for each value, `state` with all of them in JSON,
/// `error`, and `COMMAND/set` to write to.
struct TopicScheme: Hashable, Sendable {
    /// A zone, a room or an alarm, as topics name it.
    enum Target: Hashable, Sendable {
        case zone(ZoneID)
        case room(String)
        case alarm(AlarmID)

        /// The levels of the target below the house's.
        var levels: String {
            switch self {
            case .zone(let id): "zone/\(id)"
            case .room(let level): "room/\(level)"
            case .alarm(let id): "alarm/\(id)"
            }
        }
    }

    /// `ROOT/HOUSE`.
    let base: String
    /// The word for the house in identities: letters, digits, `-` and `_`.
    let house: String

    /// Makes the names.
    ///
    /// - Parameters:
    ///   - root: The first level, or several.
    ///   - name: The house's name.
    init(root: String, name: String) {
        let level = MQTTTopic.level(name)
        house = level.isEmpty ? "house" : level
        base = Self.trimmed(root).isEmpty ? house : Self.trimmed(root) + "/" + house
    }

    /// Returns a root without slashes at its ends.
    static func trimmed(_ root: String) -> String {
        String(root.drop { $0 == "/" }.reversed().drop { $0 == "/" }.reversed())
    }

    /// The topic that says whether the house is there: `online` or `offline`.
    var status: String { base + "/status" }
    /// The topic for errors of commands that concern no known zone or room.
    var error: String { base + "/error" }

    /// The topic of a value of the house.
    func topic(_ field: String) -> String { "\(base)/\(field)" }

    /// The topic that takes a command of the house itself.
    func command(_ word: String) -> String { "\(base)/\(word)/set" }

    /// Returns the command of a topic of the house itself; `nil` for other topics.
    func houseCommand(_ topic: String) -> String? {
        HouseCommandWord.allCases.map(\.rawValue).first { topic == command($0) }
    }

    /// The topic of a value of a zone, a room or an alarm.
    func topic(_ target: Target, _ field: String) -> String { "\(base)/\(target.levels)/\(field)" }

    /// The topic that takes a command.
    func command(_ target: Target, _ word: String) -> String { topic(target, word + "/set") }

    /// The filters of all commands.
    var commandFilters: [String] {
        ["\(base)/zone/+/+/set", "\(base)/room/+/+/set", "\(base)/alarm/+/+/set"]
            + HouseCommandWord.allCases.map { command($0.rawValue) }
    }

    /// The filters by which the states of forgotten zones, rooms and alarms are found.
    var stateFilters: [String] {
        ["\(base)/zone/+/state", "\(base)/room/+/state", "\(base)/alarm/+/state"]
    }

    /// Returns the target and the rest of a topic below `zone`, `room` or `alarm`; `nil` for other topics.
    func parse(_ topic: String) -> (target: Target, rest: String)? {
        // Bytes: characters that look the same are other topics.
        let prefix = Array((base + "/").utf8)
        guard topic.utf8.starts(with: prefix) else { return nil }
        let rest = String(decoding: topic.utf8.dropFirst(prefix.count), as: UTF8.self)
        let levels = rest.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard levels.count == 3, !levels[1].isEmpty else { return nil }
        switch levels[0] {
        case "zone":
            // Another spelling of the number would be another topic.
            guard let number = Int(levels[1]), String(number) == levels[1] else { return nil }
            return (.zone(ZoneID(rawValue: number)), String(levels[2]))
        case "room": return (.room(String(levels[1])), String(levels[2]))
        case "alarm":
            guard let number = Int(levels[1]), String(number) == levels[1] else { return nil }
            return (.alarm(AlarmID(rawValue: number)), String(levels[2]))
        default: return nil
        }
    }
}

/// The commands of the house itself, which belong to no zone and no room.
enum HouseCommandWord: String, CaseIterable, Sendable {
    case announce, cancel, alarm
}
