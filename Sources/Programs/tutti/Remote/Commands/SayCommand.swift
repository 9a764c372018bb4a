import Foundation
import TuttiCommandLineInterface

/// The command `tutti say`: an announcement in rooms.
enum SayCommand: RemoteCommand {
    static let declaration = CommandDeclaration(
        name: "say",
        summary: "Play a sound in rooms, over their music",
        examples: [
            CommandExample("tutti say doorbell.wav --rooms Hall", "over the music in one room"),
            CommandExample(
                "espeak-ng --stdout Dinner | tutti say - --pause", "in all rooms, while the music waits"),
        ],
        discussion: """
            tutti say doorbell.wav                       in all rooms
            espeak-ng --stdout Dinner | tutti say - --rooms Bath,Kitchen
            tutti say http://example.org/bell.mp3 --volume 40
            tutti say --cancel all                       ends the current one, and removes the waiting ones

            The file is sent to the service, at most 32 MiB. The music is softer meanwhile; with
            --pause it waits. Only the first two minutes of a longer sound are heard.
            """,
        positionals: [
            PositionalDeclaration(
                name: "FILE", count: .optional, kind: .file,
                help: "A file, a web address, or - for standard input")
        ],
        options: [
            .repeated(
                "rooms", "ROOM[,ROOM...]", .text, "The rooms; by default all that are present"),
            .value("volume", "PERCENT", .text, "The volume during the sound"),
            .flag("pause", "Let the music wait"),
            .value("title", "TEXT", .text, "The name to show"),
            .flag("wait", "Return after the sound has ended"),
            .value("cancel", "ID|all", .text, "End an announcement, or all of them"), RemoteOptions.json,
        ] + RemoteOptions.service)

    static func perform(_ arguments: ParsedArguments, _ service: RemoteService) async throws {
        if let word = arguments.value("cancel") {
            guard arguments.positionals.isEmpty else { throw UsageError("--cancel takes no file") }
            return try await cancel(word, service)
        }
        guard let file = arguments.positional(0) else {
            throw UsageError("say takes a file, a web address, or - for standard input")
        }
        let volume = arguments.value("volume")
        let percent = volume.flatMap(VolumeText.plain)
        guard (volume == nil) == (percent == nil) else {
            throw UsageError("the volume must be a number from 0 to 100")
        }
        let house = try await service.house()
        var rooms: [String] = []
        for text in arguments.all("rooms") { rooms += try Self.rooms(in: text, of: house) }
        let data = try await announce(file, rooms, percent, arguments, service)
        try await finish(data, arguments, service)
    }

    /// Returns the ids of rooms whose names have commas between them. A name, or an id, may have commas of its own:
    /// the longest one counts.
    static func rooms(in text: String, of house: RemoteHouse) throws(RemoteFailure) -> [String] {
        var (rooms, parts) = ([String](), text.split(separator: ",")[...])
        // No room would mean all rooms.
        guard !parts.isEmpty else { throw RemoteFailure(.usage, "\(NameMatch.quoted(text)) names no room.") }
        while !parts.isEmpty {
            var count = parts.count
            while count > 1, (try? house.room(named: parts.prefix(count).joined(separator: ","))) == nil {
                count -= 1
            }
            rooms.append(try house.room(named: parts.prefix(count).joined(separator: ",")).id)
            parts.removeFirst(count)
        }
        return rooms
    }

    /// Returns the parts of a query that name rooms: an id with a comma stands alone.
    static func query(of rooms: [String]) -> [String] {
        let plain = rooms.filter { !$0.contains(",") }.joined(separator: ",")
        let values = (plain.isEmpty ? [] : [plain]) + rooms.filter { $0.contains(",") }
        return values.map { "rooms=" + RemoteService.encoded($0) }
    }

    private static func announce(
        _ file: String, _ rooms: [String], _ volume: Double?, _ arguments: ParsedArguments,
        _ service: RemoteService
    ) async throws -> Data {
        let title = arguments.value("title")
        if file.contains("://") {
            let body = JSONValue.members([
                "location": .string(file), "title": title.map { .string($0) },
                "rooms": .array(rooms.map { .string($0) }), "volume": volume.map { .number($0, decimals: 2) },
                "pausesMusic": .bool(arguments.flag("pause")),
            ])
            return try await service.ask("POST", "/announcements", body)
        }
        let bytes = try await SoundInput.bytes(of: file)
        let name = title ?? (file == "-" ? "Announcement" : URL(fileURLWithPath: file).lastPathComponent)
        var query = ["title=" + RemoteService.encoded(String(name.prefix(100)))]
        query += Self.query(of: rooms)
        if let volume { query.append("volume=\(Int(volume.rounded()))") }
        if arguments.flag("pause") { query.append("pause=true") }
        let path = "/announcements?" + query.joined(separator: "&")
        return try await service.send(bytes, type: "application/octet-stream", to: path)
    }

    private static func finish(
        _ data: Data, _ arguments: ParsedArguments, _ service: RemoteService
    ) async throws {
        struct Outcome: Decodable { var announcement: Int? }
        // It is said nevertheless; an answer without its number prints nothing.
        let id = (try? JSONDecoder().decode(Outcome.self, from: data))?.announcement
        if arguments.flag("json") {
            try RemoteOutput.print(json: data)
        } else if let id {
            try RemoteOutput.print(["Announcement \(id)."])
        }
        guard arguments.flag("wait"), let id else { return }
        while try await service.house().announcements?.contains(where: { $0.id == id }) == true {
            try await Task.sleep(for: .milliseconds(250))
        }
    }

    private static func cancel(_ word: String, _ service: RemoteService) async throws {
        if let id = Int(word), id > 0 {
            _ = try await service.ask("DELETE", "/announcements/\(id)")
            return
        }
        guard word == "all" else { throw UsageError("--cancel takes the number of an announcement, or all") }
        // The last one first: none of those that wait begins meanwhile.
        for announcement in (try await service.house().announcements ?? []).reversed() {
            do throws(RemoteFailure) {
                _ = try await service.ask("DELETE", "/announcements/\(announcement.id)")
            } catch {
                // It may have ended on its own.
                let rest = try await service.house().announcements ?? []
                if rest.contains(where: { $0.id == announcement.id }) { throw error }
            }
        }
    }
}
