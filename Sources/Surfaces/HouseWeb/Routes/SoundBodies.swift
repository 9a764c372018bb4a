import TuttiHouse
import TuttiHTTPService

struct LevellingBody: RequestBody {
    let mode: VolumeLevelling
    static let schema = Schema.object([
        .required("mode", .choice(VolumeLevelling.allCases.map(\.rawValue)))
    ])
}

/// The name of an input.
struct InputBody: RequestBody {
    let name: String
    static let schema = Schema.object([.required("name", .text("One of the zone's inputs."))])
}

struct CrossfadeBody: RequestBody {
    let seconds: Double
    static let schema = Schema.object([.required("seconds", .number("0 to 12; 0 turns it off."))])
}

struct SleepFadeBody: RequestBody {
    let seconds: Double
    static let schema = Schema.object([.required("seconds", .number("0 to 600."))])
}

struct MaximumBody: RequestBody {
    let percent: Double
    static let schema = Schema.object([
        .required("percent", .number("1 to 100, of the speaker's own scale."))
    ])
}

struct NightBody: RequestBody {
    let on: Bool
    static let schema = Schema.object([.required("on", .bool(""))])
}

/// An equaliser: ten gains, the name of a preset, or null for none.
struct EqualizerBody: RequestBody {
    let equalizer: Equalizer?
    static let schema = Schema.either([
        .object([.required("gains", .orNull(.list(.number("Decibels, -12 to 12, of ten bands."))))]),
        .object([.required("preset", .choice(Equalizer.presets.map(\.name)))]),
    ])

    private enum CodingKeys: CodingKey { case gains, preset }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let name = try container.decodeIfPresent(String.self, forKey: .preset) {
            guard let preset = Equalizer.preset(named: name), !container.contains(.gains) else {
                throw Problem.invalid(
                    "“preset” must be one of \(Equalizer.presets.map(\.name).joined(separator: ", ")),"
                        + " without “gains”.")
            }
            equalizer = preset
            return
        }
        guard container.contains(.gains) else { throw Problem.invalid("“gains” or “preset” is missing.") }
        equalizer = try container.decodeIfPresent([Double].self, forKey: .gains).map(Equalizer.init)
    }
}

/// An announcement, given by the location of its sound.
struct AnnounceBody: RequestBody {
    let location: String
    let title: String?
    let rooms: [RoomID]?
    let volume: Double?
    let pausesMusic: Bool?

    static let schema = Schema.object([
        .required("location", .text("A path inside the library's folders, or a web address.")),
        .optional("title", .text("The name to show.")),
        .optional("rooms", .list(.text("A room's id; all that are there without rooms."))),
        .optional("volume", .number("0 to 100, during the announcement.")),
        .optional("pausesMusic", .bool("Whether the music waits, or goes on more softly.")),
    ])

    var request: AnnouncementRequest {
        AnnouncementRequest(
            location: location, title: title, rooms: rooms ?? [], volume: volume,
            pausesMusic: pausesMusic ?? false)
    }
}

/// An alarm without its id, which is in the path.
struct AlarmBody: RequestBody {
    let alarm: Alarm

    static let schema = Schema.object([
        .required("zone", .integer("The zone that plays.")),
        .required("minute", .integer("Minutes after midnight, 0 to 1439.")),
        .optional("days", .list(.choice(Alarm.Weekday.allCases.map(\.rawValue)))),
        .optional("items", AddBody.itemsSchema),
        .optional("volume", .orNull(.number("0 to 100."))),
        .optional("fadeSeconds", .number("0 to 600.")),
        .optional("isOn", .bool("true without it.")),
    ])

    private enum CodingKeys: CodingKey { case zone, minute, days, items, volume, fadeSeconds, isOn }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        alarm = Alarm(
            zone: try container.decode(ZoneID.self, forKey: .zone),
            minute: try container.decode(Int.self, forKey: .minute),
            days: Set(try container.decodeIfPresent([Alarm.Weekday].self, forKey: .days) ?? []),
            items: try container.decodeIfPresent([ItemBody].self, forKey: .items)?.map(\.item) ?? [],
            volume: try container.decodeIfPresent(Double.self, forKey: .volume),
            fadeSeconds: try container.decodeIfPresent(Double.self, forKey: .fadeSeconds) ?? 0,
            isOn: try container.decodeIfPresent(Bool.self, forKey: .isOn) ?? true)
    }
}
