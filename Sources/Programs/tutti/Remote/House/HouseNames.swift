/// The zone or the room that a person names, or means without a name.
extension RemoteHouse {
    /// Returns the zone of a name.
    func zone(named text: String) throws(RemoteFailure) -> RemoteZone {
        try NameMatch.find(
            text, kind: "zone", among: zones, hint: "Make one with: tutti zone new NAME", id: { "#\($0.id)" },
            name: \.name)
    }

    /// Returns the room of a name.
    func room(named text: String) throws(RemoteFailure) -> RemoteRoom {
        try NameMatch.find(
            text, kind: "room", among: rooms, hint: "Is a speaker switched on? 'tutti speakers' lists them.",
            id: \.id, name: \.name)
    }

    /// Returns the zone that a command is for.
    ///
    /// - Parameter text: The name, from `--zone` or `TUTTI_ZONE`; without one, the only zone, else the only
    ///   one that plays, is paused, or has entries.
    func zone(meantBy text: String?) throws(RemoteFailure) -> RemoteZone {
        if let text { return try zone(named: text) }
        if zones.count == 1 { return zones[0] }
        let choices: [(RemoteZone) -> Bool] = [\.isActive, { $0.state == "paused" }, { $0.length > 0 }]
        for isMeant in choices {
            let found = zones.filter(isMeant)
            if found.count == 1 { return found[0] }
            if found.count > 1 { break }
        }
        guard !zones.isEmpty else {
            throw RemoteFailure(.usage, "The house has no zone. Make one with: tutti zone new NAME ROOM...")
        }
        throw RemoteFailure(.usage, "Which zone? Add --zone with \(NameMatch.list(zones.map(\.name), "or")).")
    }

    /// A zone, or a room.
    enum Target: Equatable {
        case zone(RemoteZone), room(RemoteRoom)

        /// The text that may be typed instead of the name.
        var id: String {
            switch self {
            case .zone(let zone): "#\(zone.id)"
            case .room(let room): room.id
            }
        }
    }

    /// Returns the zone or the room of a name; of both, the one whose name fits better, and the zone before
    /// the room.
    func target(named text: String) throws(RemoteFailure) -> Target {
        let zones = zones.map { (name: $0.name, target: Target.zone($0)) }
        let rooms = rooms.map { (name: $0.name, target: Target.room($0)) }
        for isMeant in [{ $0 == text }, { $0.lowercased() == text.lowercased() }] as [(String) -> Bool] {
            for group in [zones, rooms] {
                let found = group.filter { isMeant($0.name) }
                if found.count == 1 { return found[0].target }
                if found.count > 1 { break }
            }
        }
        // A room of the same name as a zone is no second meaning.
        let names = Set(zones.map { $0.name.lowercased() })
        let others = rooms.filter { !names.contains($0.name.lowercased()) }
        return try NameMatch.find(
            text, kind: "zone or room", among: zones + others, id: \.target.id, name: \.name
        ).target
    }
}
