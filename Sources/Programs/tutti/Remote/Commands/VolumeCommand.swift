import TuttiCommandLineInterface

/// The command `tutti volume`: the volume of a zone or a room.
enum VolumeCommand: RemoteCommand {
    static let declaration = CommandDeclaration(
        name: "volume",
        summary: "Show or set the volume of a zone or a room, in percent",
        examples: [
            CommandExample("tutti volume 30", "the zone; its loudest room gets 30, the others follow"),
            CommandExample(
                "tutti volume Kitchen +5", "a zone or a room; if both have this name, the zone"),
        ],
        positionals: [
            PositionalDeclaration(name: "NAME", count: .optional, help: "A zone or a room"),
            PositionalDeclaration(name: "PERCENT|+N|-N", count: .optional, help: "The volume, or its change"),
        ],
        options: [RemoteOptions.zone, .value("room", "ROOM", .text, "The room")] + RemoteOptions.service)

    static func perform(_ arguments: ParsedArguments, _ service: RemoteService) async throws {
        var words = arguments.positionals
        let value = words.last.flatMap(VolumeText.init)
        if value != nil { words.removeLast() }
        // A name may begin with a number: “2nd floor”.
        let isNumeric = words.last?.allSatisfy { $0.isNumber || "+-.%".contains($0) } == true
        guard words.count < 2, value != nil || !isNumeric else {
            throw UsageError("the volume must be a number from 0 to 100, or a change such as +5 or -5")
        }
        let house = try await service.house()
        guard let target = try target(words.first, arguments, house, isSetting: value != nil) else {
            return try RemoteOutput.print(
                StatusText(house: house, time: house.time).volumes(RemoteOutput.columns))
        }
        let (name, path, now) =
            switch target {
            case .zone(let zone): (zone.name, "/zones/\(zone.id)", zone.volume)
            case .room(let room): (room.name, "/rooms/\(RemoteService.encoded(room.id))", room.volume)
            }
        guard let value else {
            return try RemoteOutput.print([now.map { StatusText.number($0) } ?? "unknown"])
        }
        guard let percent = value.percent(from: now) else {
            throw RemoteFailure(
                .refused,
                "The volume of \(NameMatch.quoted(name)) is not known yet. Give a number from 0 to 100.")
        }
        let body = JSONValue.members(["percent": .number(percent, decimals: 2)])
        _ = try await service.ask("PUT", "\(path)/volume", body)
    }

    private static func target(
        _ name: String?, _ arguments: ParsedArguments, _ house: RemoteHouse, isSetting: Bool
    ) throws -> RemoteHouse.Target? {
        if let room = arguments.value("room") {
            guard name == nil, arguments.value("zone") == nil else {
                throw UsageError("--room names the room already; give no other name")
            }
            return .room(try house.room(named: room))
        }
        if let name {
            guard arguments.value("zone") == nil else {
                throw UsageError("--zone names the zone already; give no other name")
            }
            return try house.target(named: name)
        }
        guard isSetting || arguments.value("zone") != nil else { return nil }
        return .zone(try house.zone(meantBy: RemoteOptions.zoneName(arguments)))
    }
}

extension StatusText {
    /// Returns a table of the volumes of zones and rooms.
    func volumes(_ limit: Int?) -> [String] {
        var table = FittedTable([.init("NAME", shrinksTo: 8), .init("KIND"), .init("VOLUME")])
        for zone in house.zones { table.append([zone.name, "zone", Self.percent(zone.volume)]) }
        for room in house.rooms { table.append([room.name, "room", Self.percent(room.volume)]) }
        return table.lines(limit: limit)
    }
}
