import TuttiHouse

/// The topics of a zone with their values.
struct ZoneFields {
    /// The names of all topics that hold a state.
    static let names =
        [
            "state", "name", "activity", "title", "artist", "album", "duration", "rate", "length", "index",
            "shuffle", "repeat", "sleep", "volume", "rooms", "trouble", "levelling",
            "crossfade", "sleep-fade", "input",
        ] + [position, positionTime, depth]
    static let position = "position"
    static let positionTime = "position_time"
    static let depth = "depth"

    let zone: ZoneSnapshot
    let house: HouseMirror

    private var track: TrackText { TrackText(zone) }
    private var rooms: [RoomSnapshot] { zone.rooms.compactMap { house.room($0) } }

    /// The values that change only with the music or by a command.
    var values: [(name: String, text: String)] {
        [
            ("name", zone.name), ("activity", zone.state.rawValue), ("title", track.title ?? ""),
            ("artist", track.artist ?? ""), ("album", track.album ?? ""),
            ("duration", Decimals.text(zone.current?.track.duration, 2)),
            ("rate", Decimals.text(zone.rate, 3)),
            ("length", "\(zone.length)"), ("index", zone.index.map { "\($0)" } ?? ""),
            ("shuffle", zone.shuffle ? "on" : "off"), ("repeat", zone.repeatMode.rawValue),
            ("sleep", Self.sleep(zone.sleep)), ("volume", Decimals.text(zone.volume, 1)),
            ("rooms", zone.rooms.map(\.topicLevel).joined(separator: ",")),
            ("trouble", zone.trouble?.message ?? ""), ("levelling", zone.levelling.rawValue),
            ("crossfade", Decimals.text(zone.crossfade, 1)), ("sleep-fade", Decimals.text(zone.sleepFade, 1)),
            ("input", zone.input?.name ?? ""),
        ]
    }

    /// All values in JSON, except position and depth.
    var object: [String: JSONTree] {
        [
            "id": .number(Double(zone.id.rawValue)), "name": .text(zone.name),
            "state": .text(zone.state.rawValue), "title": .text(track.title), "artist": .text(track.artist),
            "album": .text(track.album), "station": .text(track.station),
            "duration": .number(zone.current?.track.duration, decimals: 2),
            "rate": .number(zone.rate, decimals: 3), "length": .number(Double(zone.length)),
            "index": .number(zone.index.map(Double.init), decimals: 0), "shuffle": .bool(zone.shuffle),
            "repeat": .text(zone.repeatMode.rawValue), "sleep": Self.sleepTree(zone.sleep),
            "volume": .number(zone.volume, decimals: 1), "rooms": .texts(zone.rooms.map(\.topicLevel)),
            "roomNames": .texts(rooms.map(\.name)), "trouble": .text(zone.trouble?.message),
            "levelling": .text(zone.levelling.rawValue), "crossfade": .number(zone.crossfade, decimals: 1),
            "sleepFade": .number(zone.sleepFade, decimals: 1), "input": .text(zone.input?.name),
            "inputs": .texts(zone.inputs.map(\.name)),
        ]
    }

    /// `off`, `endOfTrack`, or the Unix time at which playback pauses.
    private static func sleep(_ timer: SleepTimer?) -> String {
        switch timer {
        case nil: "off"
        case .endOfTrack: "endOfTrack"
        case .at(let time): Decimals.text(time, 0)
        }
    }

    private static func sleepTree(_ timer: SleepTimer?) -> JSONTree {
        switch timer {
        case nil: .null
        case .endOfTrack: "endOfTrack"
        case .at(let time): .number(time, decimals: 0)
        }
    }
}

/// The words about the current entry of a zone.
struct TrackText {
    let title: String?
    let artist: String?
    let album: String?
    /// The name of a radio station.
    let station: String?

    init(_ zone: ZoneSnapshot) {
        let track = zone.current?.track
        title = zone.streamTitle ?? track?.title
        (artist, album) = (track?.artist, track?.album)
        station = track?.isLive == true ? track?.title : nil
    }
}
