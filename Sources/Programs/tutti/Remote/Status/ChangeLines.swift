import TuttiCommandLineInterface

/// A line for each zone and room that has changed, for output that is not a terminal.
struct ChangeLines {
    private var known: [String: (name: String, text: String)] = [:]

    /// Returns the lines of what differs from the house before: positions and buffers, which always do, are
    /// left out.
    mutating func lines(_ house: RemoteHouse) -> [String] {
        var now: [(key: String, name: String, text: String)] = []
        for zone in house.zones {
            now.append(("zone \(zone.id)", "zone \(zone.name)", Self.line(zone, house)))
        }
        for room in house.rooms {
            now.append(("room \(room.id)", "room \(room.name)", Self.line(room, house)))
        }
        for (index, trouble) in (house.troubles ?? []).enumerated() {
            now.append(("trouble \(index)", "trouble", trouble.message))
        }
        let changed = now.filter { known[$0.key]?.name != $0.name || known[$0.key]?.text != $0.text }
            .map { "\($0.name): \($0.text)" }
        let keys = Set(now.map(\.key))
        let gone = known.filter { !keys.contains($0.key) }.map { "\($0.value.name): gone" }.sorted()
        known = Dictionary(now.map { ($0.key, (name: $0.name, text: $0.text)) }, uniquingKeysWith: { $1 })
        return (changed + gone).map(Printable.text)
    }

    private static func line(_ zone: RemoteZone, _ house: RemoteHouse) -> String {
        var parts = [zone.state]
        if !zone.title.isEmpty {
            parts.append(
                [zone.title, zone.current?.track.artist].compactMap(\.self).joined(separator: " – "))
        }
        if let volume = zone.volume { parts.append("volume \(StatusText.number(volume))%") }
        let rooms = house.rooms(of: zone).map(\.name)
        parts.append(rooms.isEmpty ? "no rooms" : "in \(rooms.joined(separator: ", "))")
        if let trouble = zone.trouble { parts.append(trouble.message) }
        return parts.joined(separator: "; ")
    }

    private static func line(_ room: RemoteRoom, _ house: RemoteHouse) -> String {
        var parts = [room.isPresent ? room.state : "absent"]
        if let zone = house.zone(of: room) { parts.append("zone \(zone.name)") }
        if let volume = room.volume { parts.append("volume \(StatusText.number(volume))%") }
        if let trouble = room.trouble { parts.append(trouble.message) }
        return parts.joined(separator: "; ")
    }
}
