import TuttiCommandLineInterface

/// The command `tutti room`: the rooms of the house.
enum RoomCommand: RemoteCommand {
    /// The actions; a room and a zone need none.
    enum Action: String, CaseIterable {
        case move, delay, password, forget, equalizer, night, maximum
    }

    /// The word that, instead of a zone's name, takes a room out of its zone.
    static let noZone = "none"

    static let declaration = CommandDeclaration(
        name: "room",
        summary: "List rooms, move them between zones, and set their sound, delay or password",
        examples: [
            CommandExample("tutti room", "the rooms"),
            CommandExample("tutti room \"Living Room\" Kitchen", "the room joins the zone, while it plays"),
        ],
        discussion: """
            tutti room                       lists the rooms
            tutti room ROOM ZONE             moves a room to a zone, while it plays; ZONE may be none
            tutti room delay ROOM MS         plays later than the others by MS milliseconds, or earlier with -
            tutti room password ROOM         reads the password or PIN that the room wants, without showing
                                             it, or from standard input
            tutti room forget ROOM           forgets a room that is not on the network
            tutti room equalizer ROOM SOUND  flat, bass, treble, voice, loud or off; or ten gains in dB from
                                             low to high, -12 to 12, comma-separated
            tutti room night ROOM on|off     makes loud sound softer and soft sound louder
            tutti room maximum ROOM PERCENT  the maximum volume, on the speaker's own scale

            'tutti room move ROOM ZONE' moves a room that has the name of an action.
            """,
        positionals: [PositionalDeclaration(name: "WORD", count: .any, help: "Names and values, as above")],
        options: [RemoteOptions.json] + RemoteOptions.service)

    static func perform(_ arguments: ParsedArguments, _ service: RemoteService) async throws {
        var words = arguments.positionals
        guard let first = words.first else { return try await list(arguments, service) }
        let action = Action(rawValue: first).map { action in
            words.removeFirst()
            return action
        }
        switch (action, words.count) {
        case (nil, 1): try await show(words[0], service)
        case (nil, 2), (.move, 2): try await move(words[0], to: words[1], service)
        case (.delay, 2): try await delay(words[0], by: words[1], service)
        case (.password, 1): try await setPassword(of: words[0], service.trusted)
        case (.forget, 1):
            _ = try await service.ask("DELETE", path(try await service.house().room(named: words[0])))
        case (.equalizer, 2): try await equalize(words[0], words[1], service)
        case (.night, 2) where ["on", "off"].contains(words[1]):
            try await put("night", of: words[0], .members(["on": .bool(words[1] == "on")]), service)
        case (.maximum, 2):
            guard let percent = VolumeText.plain(words[1]), percent >= 1 else {
                throw UsageError("the maximum volume must be a number from 1 to 100")
            }
            try await put(
                "maximum", of: words[0], .members(["percent": .number(percent, decimals: 2)]), service)
        case (.equalizer, _): throw UsageError("room equalizer takes a room and a sound")
        case (.night, _): throw UsageError("room night takes a room, and on or off")
        case (.maximum, _): throw UsageError("room maximum takes a room and a percentage")
        case (.delay, _): throw UsageError("room delay takes a room and milliseconds")
        case (.password, _): throw UsageError("room password takes only a room; it asks for the password")
        case (.forget, _): throw UsageError("room forget takes one room")
        default: throw UsageError("room takes a room and a zone, or none to take the room out of its zone")
        }
    }

    private static func path(_ room: RemoteRoom) -> String { "/rooms/\(RemoteService.encoded(room.id))" }

    private static func list(_ arguments: ParsedArguments, _ service: RemoteService) async throws {
        if arguments.flag("json") {
            return try RemoteOutput.print(json: try await service.ask("GET", "/house"))
        }
        let house = try await service.house()
        try RemoteOutput.print(StatusText(house: house, time: house.time).rooms(RemoteOutput.columns))
    }

    private static func show(_ name: String, _ service: RemoteService) async throws {
        var house = try await service.house()
        house.rooms = [try house.room(named: name)]
        let text = StatusText(house: house, time: house.time)
        try RemoteOutput.print(text.rooms(RemoteOutput.columns))
    }

    private static func move(_ name: String, to zone: String, _ service: RemoteService) async throws {
        let house = try await service.house()
        let room = try house.room(named: name)
        let target: JSONValue = zone == noZone ? .null : .integer(try house.zone(named: zone).id)
        _ = try await service.ask("PUT", path(room) + "/zone", .members(["zone": target]))
    }

    private static func delay(_ name: String, by text: String, _ service: RemoteService) async throws {
        guard let milliseconds = Double(text), (-1000...1000).contains(milliseconds) else {
            throw UsageError("the delay must be a number of milliseconds from -1000 to 1000")
        }
        let room = try await service.house().room(named: name)
        let body = JSONValue.members(["milliseconds": .number(milliseconds, decimals: 3)])
        _ = try await service.ask("PUT", path(room) + "/delay", body)
    }

    private static func put(
        _ word: String, of name: String, _ body: JSONValue, _ service: RemoteService
    ) async throws {
        let room = try await service.house().room(named: name)
        _ = try await service.ask("PUT", "\(path(room))/\(word)", body)
    }

    private static func equalize(_ name: String, _ sound: String, _ service: RemoteService) async throws {
        guard let body = EqualizerText.body(sound) else {
            throw UsageError(
                "the sound must be \(EqualizerText.words.joined(separator: ", ")),"
                    + " or ten numbers from -12 to 12, separated by commas")
        }
        try await put("equalizer", of: name, body, service)
    }

    /// - Parameter service: One that may have the password.
    private static func setPassword(of name: String, _ service: RemoteService) async throws {
        let room = try await service.house().room(named: name)
        let password = try await typedPassword(of: room)
        _ = try await service.ask("PUT", path(room) + "/password", .members(["password": .string(password)]))
    }

    private static func typedPassword(of room: RemoteRoom) async throws -> String {
        let typed = await SecretInput.line(prompt: "Password of \(SafeText.line(room.name)): ")
        guard let typed, !typed.isEmpty else {
            throw RemoteFailure(.usage, "No password was typed. Nothing has changed.")
        }
        return typed
    }
}
