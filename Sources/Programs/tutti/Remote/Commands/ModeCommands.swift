import TuttiCommandLineInterface

/// The command `tutti shuffle`.
enum ShuffleCommand: RemoteCommand {
    static let declaration = CommandDeclaration(
        name: "shuffle", summary: "Play a zone's queue in random order, or in list order",
        examples: [
            CommandExample("tutti shuffle on", "")
        ],
        positionals: [
            PositionalDeclaration(name: "on|off", kind: .choice(["on", "off"]), help: "on or off")
        ],
        options: [RemoteOptions.zone] + RemoteOptions.service)

    static func perform(_ arguments: ParsedArguments, _ service: RemoteService) async throws {
        let zone = try await service.zone(arguments)
        let body = JSONValue.members(["on": .bool(arguments.positional(0) == "on")])
        _ = try await service.ask("PUT", "/zones/\(zone.id)/shuffle", body)
    }
}

/// The command `tutti repeat`.
enum RepeatCommand: RemoteCommand {
    static let declaration = CommandDeclaration(
        name: "repeat", summary: "Repeat a zone's queue, or one entry",
        examples: [
            CommandExample("tutti repeat one", "")
        ],
        positionals: [
            PositionalDeclaration(
                name: "off|one|all", kind: .choice(["off", "one", "all"]), help: "off, one or all")
        ],
        options: [RemoteOptions.zone] + RemoteOptions.service)

    static func perform(_ arguments: ParsedArguments, _ service: RemoteService) async throws {
        let zone = try await service.zone(arguments)
        let body = JSONValue.members(["mode": .string(arguments.positional(0) ?? "off")])
        _ = try await service.ask("PUT", "/zones/\(zone.id)/repeat", body)
    }
}

/// The command `tutti sleep`.
enum SleepCommand: RemoteCommand {
    static let declaration = CommandDeclaration(
        name: "sleep",
        summary: "Pause a zone after a time, or at the end of the entry",
        examples: [
            CommandExample("tutti sleep 30m", "half an hour from now"),
            CommandExample("tutti sleep off", ""),
        ],
        positionals: [
            PositionalDeclaration(name: "TIME|end|off", help: "A time such as 30m, 90s or 1h30m; end; or off")
        ],
        options: [RemoteOptions.zone] + RemoteOptions.service)

    static func perform(_ arguments: ParsedArguments, _ service: RemoteService) async throws {
        let text = arguments.positional(0) ?? ""
        guard let timer = SleepText(text) else {
            let isNumber = !text.isEmpty && text.allSatisfy(\.isNumber)
            throw UsageError(
                isNumber
                    ? "write \(text)m for minutes, or \(text)s for seconds"
                    : "write the time as 30m, 90s or 1h30m, or write end or off")
        }
        let body: JSONValue =
            switch timer {
            case .after(let seconds): .members(["seconds": .number(seconds, decimals: 3)])
            case .endOfTrack: .members(["endOfTrack": true])
            case .off: .object([])
            }
        let zone = try await service.zone(arguments)
        _ = try await service.ask("PUT", "/zones/\(zone.id)/sleep", body)
    }
}
