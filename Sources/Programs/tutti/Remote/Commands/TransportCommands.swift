import TuttiCommandLineInterface

/// A command of one word to a zone.
protocol ZoneVerbCommand: RemoteCommand {
    /// The last part of the path below a zone.
    static var verb: String { get }
    static var summary: String { get }
}

extension ZoneVerbCommand {
    static var declaration: CommandDeclaration {
        CommandDeclaration(
            name: verb, summary: summary,
            examples: [
                CommandExample("tutti \(verb)", "the zone that plays"),
                CommandExample("tutti \(verb) --zone Kitchen", "this zone"),
            ],
            options: [RemoteOptions.zone] + RemoteOptions.service)
    }

    static func perform(_ arguments: ParsedArguments, _ service: RemoteService) async throws {
        let zone = try await service.zone(arguments)
        _ = try await service.ask("POST", "/zones/\(zone.id)/\(verb)")
    }
}

/// The command `tutti pause`.
enum PauseCommand: ZoneVerbCommand {
    static let verb = "pause"
    static let summary = "Pause a zone of the house, and keep the position"
}

/// The command `tutti toggle`.
enum ToggleCommand: ZoneVerbCommand {
    static let verb = "toggle"
    static let summary = "Pause a zone of the house if it plays, else play"
}

/// The command `tutti stop`.
enum StopCommand: ZoneVerbCommand {
    static let verb = "stop"
    static let summary = "Stop a zone of the house, and release its rooms"
}

/// The command `tutti next`.
enum NextCommand: ZoneVerbCommand {
    static let verb = "next"
    static let summary = "Go to the next entry of a zone's queue"
}

/// The command `tutti previous`.
enum PreviousCommand: ZoneVerbCommand {
    static let verb = "previous"
    static let summary = "Go to the beginning of the entry, or to the previous entry"
}

/// The command `tutti seek`.
enum SeekCommand: RemoteCommand {
    static let declaration = CommandDeclaration(
        name: "seek",
        summary: "Go to a position of the current entry",
        examples: [
            CommandExample("tutti seek 1:23", "one minute and 23 seconds from the beginning"),
            CommandExample("tutti seek +10", "ten seconds later; -10 goes back"),
        ],
        positionals: [PositionalDeclaration(name: "[+|-]TIME", help: "SECONDS, M:SS or H:MM:SS")],
        options: [RemoteOptions.zone] + RemoteOptions.service)

    static func perform(_ arguments: ParsedArguments, _ service: RemoteService) async throws {
        guard let position = arguments.positional(0).flatMap(SeekText.init) else {
            throw UsageError(
                "the time must be SECONDS, M:SS or H:MM:SS, with + or - for a step from the current position")
        }
        let zone = try await service.zone(arguments)
        let body: JSONValue =
            switch position {
            case .to(let seconds): .members(["seconds": .number(seconds, decimals: 3)])
            case .by(let seconds): .members(["by": .number(seconds, decimals: 3)])
            }
        _ = try await service.ask("PUT", "/zones/\(zone.id)/position", body)
    }
}
