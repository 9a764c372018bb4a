import TuttiHouse
import TuttiHTTPService

/// A new name.
struct NameBody: RequestBody {
    let name: String
    static let schema = Schema.object([.required("name", .text("1 to 100 characters."))])
}

struct MakeZoneBody: RequestBody {
    let name: String
    let rooms: [RoomID]?
    static let schema = Schema.object([
        .required("name", .text("1 to 100 characters.")), .optional("rooms", .list(.text("A room's id."))),
    ])
}

struct PositionBody: RequestBody {
    let seconds: Double?
    let by: Double?
    static let schema = Schema.either([
        .object([.required("seconds", .number("From the beginning of the entry."))]),
        .object([.required("by", .number("Seconds from the current position; negative to go back."))]),
    ])

    /// The command for a zone.
    func command(_ zone: ZoneID) throws(Problem) -> HouseCommand {
        switch (seconds, by) {
        case (let seconds?, nil): return .seek(zone, seconds: seconds)
        case (nil, let by?): return .skip(zone, seconds: by)
        default: throw .invalid("The body must have either “seconds” or “by”.")
        }
    }
}

struct RateBody: RequestBody {
    let rate: Double
    static let schema = Schema.object([.required("rate", .number("0.5 to 2."))])
}

struct ShuffleBody: RequestBody {
    let on: Bool
    static let schema = Schema.object([.required("on", .bool(""))])
}

struct RepeatBody: RequestBody {
    let mode: RepeatMode
    static let schema = Schema.object([
        .required("mode", .choice(RepeatMode.allCases.map(\.rawValue)))
    ])
}

struct SleepBody: RequestBody {
    let seconds: Double?
    let endOfTrack: Bool?
    static let schema = Schema.either([
        .object([.required("seconds", .number("From now."))]),
        .object([.required("endOfTrack", .bool("true"))]), .object([]),
    ])

    /// The command for a zone.
    func command(_ zone: ZoneID) throws(Problem) -> HouseCommand {
        if endOfTrack == true {
            guard seconds == nil else {
                throw .invalid("The body must not have both “seconds” and “endOfTrack”.")
            }
            return .sleepAtEndOfTrack(zone)
        }
        return .sleep(zone, afterSeconds: seconds)
    }
}

struct VolumeBody: RequestBody {
    let percent: Double
    static let schema = Schema.object([.required("percent", .number("0 to 100."))])
}

struct TransferBody: RequestBody {
    let to: ZoneID
    static let schema = Schema.object([.required("to", .integer("The zone that continues the playback."))])
}

struct EntriesBody: RequestBody {
    let entries: [EntryID]
    static let schema = Schema.object([.required("entries", .list(.integer("An entry's id.")))])
}

struct MoveBody: RequestBody {
    let entries: [EntryID]
    let before: EntryID?
    static let schema = Schema.object([
        .required("entries", .list(.integer("An entry's id."))),
        .optional("before", .orNull(.integer("The entry that follows them; null for the end."))),
    ])
}

struct RoomZoneBody: RequestBody {
    let zone: ZoneID?
    static let schema = Schema.object([
        .required("zone", .orNull(.integer("The zone; null takes the room out of its zone.")))
    ])

    private enum CodingKeys: CodingKey { case zone }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // A missing field is a mistake; it must not take the room out of its zone.
        guard container.contains(.zone) else { throw Problem.invalid("“zone” is missing.") }
        zone = try container.decodeIfPresent(ZoneID.self, forKey: .zone)
    }
}

struct DelayBody: RequestBody {
    let milliseconds: Double
    static let schema = Schema.object([.required("milliseconds", .number("-1000 to 1000."))])
}

struct PasswordBody: RequestBody {
    let password: String
    static let schema = Schema.object([.required("password", .text("The room's password or PIN."))])
}

struct MakePlaylistBody: RequestBody {
    let name: String
    let tracks: [Int64]
    static let schema = Schema.object([
        .required("name", .text("1 to 100 characters.")),
        .required("tracks", .list(.integer("A track's id."))),
    ])
}

struct ChangePlaylistBody: RequestBody {
    let name: String?
    let tracks: [Int64]?
    static let schema = Schema.object([
        .optional("name", .text("1 to 100 characters.")),
        .optional("tracks", .list(.integer("A track's id."))),
    ])
}

struct StationBody: RequestBody {
    let name: String
    let address: String
    let picture: String?
    static let schema = Schema.object([
        .required("name", .text("1 to 100 characters.")),
        .required("address", .text("A web address of a stream or a playlist.")),
        .optional("picture", .text("The web address of a picture.")),
    ])
}

struct CodeBody: RequestBody {
    let code: String
    static let schema = Schema.object([.required("code", .text("The pairing code, six digits."))])
}

struct CutBody: RequestBody {
    let isCut: Bool
    static let schema = Schema.object([.required("isCut", .bool("true cuts the room's connection."))])
}
