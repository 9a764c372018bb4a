import Foundation
import Glibc
import TuttiCommandLineInterface
import TuttiPlayCommand
import TuttiSystemIO

/// The command `tutti play`: in a zone of the house with `--zone`, or without anything to play; else in this
/// program.
enum HousePlayCommand: Command {
    static let declaration: CommandDeclaration = {
        var declaration = PlayCommand.declaration
        declaration.positionals[0].count = .any
        declaration.discussion += """


            With a service that runs ('tutti serve'), 'tutti play' alone resumes its zone, and
            'tutti play --zone Kitchen FILE' plays the files there, after which the queue goes on.
            """
        declaration.options += [RemoteOptions.zone] + RemoteOptions.service
        return declaration
    }()

    /// The options that say where the house's music is.
    private static let houseOptions = ["zone", "host", "code", "config"]

    static func run(_ arguments: ParsedArguments) async throws(UsageError) -> ExitStatus {
        let house = houseOptions.filter { arguments.value($0) != nil }
        if house.isEmpty, !arguments.positionals.isEmpty {
            LibraryPages.releaseAroundStart()
            await hint(arguments)
            return try await PlayCommand.run(arguments)
        }
        let own = PlayCommand.declaration.options.map(\.name).filter { arguments.flag($0) }
        if let option = own.first {
            if house.isEmpty { throw UsageError("missing FILE|FOLDER|URL") }
            throw UsageError(
                "--\(option) is for playback in this program, and --\(house[0]) for playback in the house; use only one of them"
            )
        }
        do {
            try await playInHouse(arguments)
            return .success
        } catch {
            guard error == .noServiceHere, arguments.positionals.isEmpty else {
                return RemoteOutput.complain(error, declaration)
            }
            let sentence =
                "Name a file to play; or, to continue playing in the house, start it with: tutti serve --music FOLDER"
            return RemoteOutput.complain(RemoteFailure(.noService, sentence), declaration)
        }
    }

    private static func playInHouse(_ arguments: ParsedArguments) async throws(RemoteFailure) {
        let service = try RemoteService(arguments)
        if let code = arguments.value("code") { try await service.pair(code: code) }
        let zone = try await service.zone(arguments)
        guard arguments.positionals.isEmpty else {
            return try await QueueCommand.add(arguments.positionals, "now", to: zone, service)
        }
        _ = try await service.ask("POST", "/zones/\(zone.id)/play")
    }

    // MARK: The hint

    /// The time that the question to the service may take before the music.
    private static let hintPatience = Duration.milliseconds(150)

    /// Says on a terminal that a wanted speaker belongs to the house. Without a service that answers there is no house.
    private static func hint(_ arguments: ParsedArguments) async {
        let speakers = arguments.all("to")
        guard !speakers.isEmpty, !arguments.flag("json"), Terminal.isTTY(STDERR_FILENO),
            let service = try? RemoteService(host: nil, config: nil, limit: hintPatience),
            let house = await soon(within: hintPatience, { try? await service.house() }) ?? nil
        else { return }
        for sentence in hints(speakers, house) { Console.hint(sentence) }
    }

    /// Returns a sentence for each speaker that is a room of a zone.
    static func hints(_ speakers: [String], _ house: RemoteHouse) -> [String] {
        speakers.compactMap { speaker in
            let rooms = house.rooms.filter { $0.name.lowercased() == speaker.lowercased() }
            guard rooms.count == 1, let zone = house.zone(of: rooms[0]) else { return nil }
            let isTypable = !zone.name.isEmpty && Printable.isTypable(zone.name)
            let quoted = ShellWord.quoted(isTypable ? zone.name : "#\(zone.id)")
            return "\(SafeText.line(rooms[0].name)) belongs to the house, which can play there:"
                + " tutti play --zone \(quoted) FILE"
        }
    }
}
