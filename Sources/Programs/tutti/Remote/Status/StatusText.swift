import TuttiCommandLineInterface

/// The state of the house as lines of text.
struct StatusText {
    let house: RemoteHouse
    /// The Unix time of the service, in seconds, that positions are shown for.
    let time: Double

    /// Returns the tables of zones and rooms, and the sentences about what is wrong.
    ///
    /// - Parameter limit: The most columns of a line of the tables; `nil` for any.
    func lines(limit: Int?) -> [String] {
        var sections = [zones(limit), rooms(limit)]
        if !announcements.isEmpty { sections.append(announcements) }
        let troubles = sentences
        if !troubles.isEmpty { sections.append(troubles) }
        return Array(sections.joined(separator: [""]))
    }

    func zones(_ limit: Int?) -> [String] {
        guard !house.zones.isEmpty else { return ["No zones. Make one with: tutti zone new NAME ROOM..."] }
        var table = FittedTable([
            .init("ZONE", shrinksTo: 8), .init("STATE"), .init("TITLE", shrinksTo: 8),
            .init("ARTIST", shrinksTo: 6, goes: 2), .init("POSITION"), .init("VOLUME", goes: 3),
            .init("MODE", shrinksTo: 7, goes: 1),
            .init("ROOMS", shrinksTo: 6),
        ])
        for zone in house.zones {
            table.append([
                zone.name, zone.state, zone.title, zone.current?.track.artist ?? "", position(zone),
                Self.percent(zone.volume), modes(zone),
                house.rooms(of: zone).map(\.name).joined(separator: ", "),
            ])
        }
        return table.lines(limit: limit)
    }

    func rooms(_ limit: Int?) -> [String] {
        guard !house.rooms.isEmpty else {
            return ["No rooms. 'tutti speakers' lists the speakers on the network."]
        }
        var table = FittedTable([
            .init("ROOM", shrinksTo: 8), .init("ZONE", shrinksTo: 8), .init("STATE"), .init("VOLUME"),
            .init("BUFFER", goes: 2), .init("DELAY", goes: 1), .init("SOUND", shrinksTo: 5, goes: 0),
            .init("TROUBLE", shrinksTo: 10),
        ])
        for room in house.rooms {
            table.append([
                room.name, house.zone(of: room)?.name ?? "-", room.isPresent ? room.state : "absent",
                Self.percent(room.volume), room.depth.map { "\(Self.number($0.seconds)) s" } ?? "",
                room.delay.flatMap { $0 == 0 ? nil : "\(Self.number($0)) ms" } ?? "", Self.sound(room),
                room.trouble?.message ?? (room.needsPassword == true ? "needs its password" : ""),
            ])
        }
        return table.lines(limit: limit)
    }

    /// A line for each announcement that waits or is heard.
    var announcements: [String] {
        (house.announcements ?? []).map { announcement in
            let names = announcement.rooms.map { id in house.rooms.first { $0.id == id }?.name ?? id }
            return Printable.text(
                "Announcement \(announcement.id), \(announcement.state): \(announcement.title), in "
                    + names.joined(separator: ", "))
        }
    }

    /// The sentences about what is wrong.
    var sentences: [String] {
        let zones = house.zones.compactMap { zone in zone.trouble.map { "\(zone.name): \($0.message)" } }
        let rooms = house.rooms.compactMap { room in room.trouble.map { "\(room.name): \($0.message)" } }
        return ((house.troubles ?? []).map(\.message) + zones + rooms).map(Printable.text)
    }

    private func position(_ zone: RemoteZone) -> String {
        guard let track = zone.current?.track else { return "" }
        let position = TimeText.clock(zone.position(at: time))
        return track.duration.map { "\(position) / \(TimeText.clock($0))" } ?? position
    }

    private static func sound(_ room: RemoteRoom) -> String {
        var words: [String] = []
        if room.nightMode == true { words.append("night") }
        if room.equalizer != nil { words.append("equalizer") }
        if let maximum = room.maximumVolume, maximum < 100 { words.append("at most \(number(maximum))%") }
        return words.joined(separator: ", ")
    }

    private func modes(_ zone: RemoteZone) -> String {
        var modes: [String] = []
        if let input = zone.input { modes.append("from \(input.kind ?? "an input")") }
        if let levelling = zone.levelling, levelling != "off" { modes.append("levelling \(levelling)") }
        if let seconds = zone.crossfade, seconds > 0 { modes.append("crossfade \(Self.number(seconds)) s") }
        if zone.shuffle { modes.append("shuffle") }
        if zone.repeatMode != "off" { modes.append("repeat \(zone.repeatMode)") }
        if zone.sleep?.endOfTrack == true { modes.append("sleep at end") }
        if let at = zone.sleep?.at { modes.append("sleep \(TimeText.clock(max(0, at - time)))") }
        return modes.joined(separator: ", ")
    }

    static func percent(_ volume: Double?) -> String { volume.map { "\(number($0))%" } ?? "" }

    /// Returns a number rounded to a whole one.
    static func number(_ value: Double) -> String {
        value.isFinite && abs(value) < 1e9 ? String(Int(value.rounded())) : "?"
    }
}
