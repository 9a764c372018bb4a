import TuttiCommandLineInterface
import TuttiHouse

/// The command `tutti zone`: the zones of the house.
enum ZoneCommand: RemoteCommand {
    /// The actions, and the words after each.
    enum Action: String, CaseIterable {
        case new, rename, remove, transfer, levelling, crossfade, input
        case sleepFade = "sleep-fade"
    }

    static let declaration = CommandDeclaration(
        name: "zone",
        summary: "List, make, rename and remove zones, move their music, and set how tracks follow",
        examples: [
            CommandExample("tutti zone", "the zones and what they play"),
            CommandExample("tutti zone new Garden Terrace", "a new zone of one room"),
        ],
        discussion: """
            tutti zone                          lists the zones
            tutti zone new NAME [ROOM...]       makes a zone of these rooms
            tutti zone rename ZONE NAME
            tutti zone remove ZONE              removes a zone and its queue
            tutti zone transfer ZONE TO         moves queue, position and state to another zone
            tutti zone levelling ZONE MODE      off, track or album: plays tracks at the same loudness
            tutti zone crossfade ZONE SECONDS   lets tracks overlap by 0 to 12 seconds; 0 turns it off
            tutti zone sleep-fade ZONE TIME     the time in which the sleep timer lowers the volume before it
                                                pauses: 30s, 5m, or 0s for at once
            tutti zone input ZONE NAME          plays an input of the zone instead of its queue
            """,
        positionals: [
            PositionalDeclaration(
                name: "ACTION", count: .optional, kind: .choice(Action.allCases.map(\.rawValue)),
                help: "new, rename, remove, transfer, levelling, crossfade, sleep-fade or input"),
            PositionalDeclaration(name: "NAME", count: .any, help: "Names, as above"),
        ],
        options: [RemoteOptions.json] + RemoteOptions.service)

    static func perform(_ arguments: ParsedArguments, _ service: RemoteService) async throws {
        guard let action = arguments.positional(0).flatMap(Action.init) else {
            return try await list(arguments, service)
        }
        let names = Array(arguments.positionals.dropFirst())
        try check(action, names)
        let house = try await service.house()
        switch action {
        case .new:
            var rooms: [JSONValue] = []
            for name in names.dropFirst() { rooms.append(.string(try house.room(named: name).id)) }
            let body = JSONValue.members(["name": .string(names[0]), "rooms": .array(rooms)])
            _ = try await service.ask("POST", "/zones", body)
        case .rename:
            let zone = try house.zone(named: names[0])
            _ = try await service.ask("PATCH", "/zones/\(zone.id)", .members(["name": .string(names[1])]))
        case .remove:
            _ = try await service.ask("DELETE", "/zones/\(try house.zone(named: names[0]).id)")
        case .transfer:
            let (from, to) = (try house.zone(named: names[0]), try house.zone(named: names[1]))
            _ = try await service.ask("POST", "/zones/\(from.id)/transfer", .members(["to": .integer(to.id)]))
        case .levelling, .crossfade, .sleepFade, .input:
            let body = try setting(action, names[1])
            let zone = try house.zone(named: names[0])
            _ = try await service.ask("PUT", "/zones/\(zone.id)/\(action.rawValue)", body)
        }
    }

    private static func check(_ action: Action, _ names: [String]) throws(UsageError) {
        switch action {
        case .new where names.isEmpty: throw UsageError("zone new takes a name, and rooms")
        case .rename where names.count != 2: throw UsageError("zone rename takes a zone and its new name")
        case .remove where names.count != 1: throw UsageError("zone remove takes one zone")
        case .transfer where names.count != 2: throw UsageError("zone transfer takes two zones")
        case .levelling where names.count != 2: throw UsageError("zone levelling takes a zone and a mode")
        case .crossfade where names.count != 2: throw UsageError("zone crossfade takes a zone and seconds")
        case .sleepFade where names.count != 2: throw UsageError("zone sleep-fade takes a zone and a time")
        case .input where names.count != 2:
            throw UsageError("zone input takes a zone and the name of an input")
        case .levelling, .crossfade, .sleepFade, .input: _ = try setting(action, names[1])
        default: return
        }
    }

    /// Returns the body of the request that sets how a zone plays.
    private static func setting(_ action: Action, _ text: String) throws(UsageError) -> JSONValue {
        switch action {
        case .levelling:
            guard VolumeLevelling(rawValue: text) != nil else {
                throw UsageError("the levelling must be off, track or album")
            }
            return .members(["mode": .string(text)])
        case .input: return .members(["name": .string(text)])
        case .crossfade:
            guard let seconds = TimeText.seconds(text), seconds <= 12 else {
                throw UsageError("the crossfade must be a number of seconds from 0 to 12")
            }
            return .members(["seconds": .number(seconds, decimals: 1)])
        default:
            guard let seconds = TimeText.duration(text), seconds <= 600 else {
                throw UsageError("write the time as 30s or 5m, at most 10m")
            }
            return .members(["seconds": .number(seconds, decimals: 1)])
        }
    }

    private static func list(_ arguments: ParsedArguments, _ service: RemoteService) async throws {
        if arguments.flag("json") {
            return try RemoteOutput.print(json: try await service.ask("GET", "/house"))
        }
        let house = try await service.house()
        try RemoteOutput.print(StatusText(house: house, time: house.time).zones(RemoteOutput.columns))
    }
}
