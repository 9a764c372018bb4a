import TuttiCommandLineInterface

/// The command `tutti status`: the zones and rooms of the house.
enum StatusCommand: RemoteCommand {
    static let declaration = CommandDeclaration(
        name: "status",
        summary: "Show the zones and rooms of the house",
        examples: [
            CommandExample("tutti status", "once"),
            CommandExample("tutti status --watch", "until Ctrl-C"),
        ],
        discussion: """
            With --watch, redraws the tables on a terminal after each change, until Ctrl-C; otherwise prints a
            line for each zone and room that changes, or with --json one object per event. Survives a restart
            of the service.
            """,
        options: [.flag("watch", short: "w", "Follow changes"), RemoteOptions.json] + RemoteOptions.service)

    static func perform(_ arguments: ParsedArguments, _ service: RemoteService) async throws {
        if arguments.flag("watch") { return try await watch(arguments, service) }
        if arguments.flag("json") {
            return try RemoteOutput.print(json: try await service.ask("GET", "/house"))
        }
        let house = try await service.house()
        try RemoteOutput.print(StatusText(house: house, time: house.time).lines(limit: RemoteOutput.columns))
    }

    private static func watch(_ arguments: ParsedArguments, _ service: RemoteService) async throws {
        let isTerminal = Console.isLive
        let view = StatusView(style: arguments.flag("json") ? .json : isTerminal ? .table : .lines)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await ServiceFollower(service: service).run { await view.show($0) } }
            group.addTask { for await _ in SignalStream.of(SignalStream.termination) { return } }
            if isTerminal, !arguments.flag("json") {
                group.addTask { for await _ in SignalStream.of(SignalStream.resize) { await view.draw() } }
            }
            group.addTask {
                // Cancelled only after another task has ended the wait.
                while (try? await Task.sleep(for: .seconds(1))) != nil {
                    if await view.isMoving { await view.draw() }
                    if RemoteOutput.isClosed { return }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
