import TuttiHouse

/// The topics of a room with their values.
struct RoomFields {
    /// The names of all topics that hold a state.
    static let names = [
        "state", "name", "present", "activity", "zone", "zone_name", "volume", "delay", "trouble", "night",
        "maximum",
        "equalizer", depth,
    ]
    static let depth = "depth"

    let room: RoomSnapshot
    let house: HouseMirror

    private var zoneName: String? { room.zone.flatMap { house.zone($0)?.name } }

    /// The values but the depth.
    var values: [(name: String, text: String)] {
        [
            ("name", room.name), ("present", room.isPresent ? "on" : "off"),
            ("activity", room.state.rawValue), ("zone", room.zone.map { "\($0)" } ?? "none"),
            ("zone_name", zoneName ?? ""), ("volume", Decimals.text(room.volume, 1)),
            ("delay", Decimals.text(room.delay, 1)), ("trouble", room.trouble?.message ?? ""),
            ("night", room.nightMode ? "on" : "off"), ("maximum", Decimals.text(room.maximumVolume, 1)),
            ("equalizer", String(decoding: equalizer.encoded, as: UTF8.self)),
        ]
    }

    /// The gains, or null if it is off.
    private var equalizer: JSONTree {
        room.equalizer.map { .list($0.gains.map { .number($0, decimals: 1) }) } ?? .null
    }

    /// All values in JSON, but the depth.
    var object: [String: JSONTree] {
        [
            "id": .text(room.id.rawValue), "name": .text(room.name), "model": .text(room.model),
            "kind": .text(room.kind.rawValue), "present": .bool(room.isPresent),
            "state": .text(room.state.rawValue),
            "zone": .number(room.zone.map { Double($0.rawValue) }, decimals: 0),
            "zoneName": .text(zoneName), "zoneLabel": .text(house.labels.label(of: room.zone)),
            "volume": .number(room.volume, decimals: 1), "delay": .number(room.delay, decimals: 1),
            "session": .text(room.session?.stream), "needsPassword": .bool(room.needsPassword),
            "trouble": .text(room.trouble?.message), "night": .bool(room.nightMode),
            "maximum": .number(room.maximumVolume, decimals: 1), "equalizer": equalizer,
        ]
    }
}
