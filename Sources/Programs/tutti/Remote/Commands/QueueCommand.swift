import Foundation
import TuttiCommandLineInterface

/// The command `tutti queue`: the queue of a zone.
enum QueueCommand: RemoteCommand {
    /// The actions.
    enum Action: String, CaseIterable {
        case add, play, remove, move, clear, save
    }

    static let declaration = CommandDeclaration(
        name: "queue",
        summary: "List and change the queue of a zone",
        examples: [
            CommandExample("tutti queue", "the entries of the zone"),
            CommandExample("tutti queue add \"Kind of Blue\" --next", "an album, after the current entry"),
        ],
        discussion: """
            tutti queue                        lists the entries
            tutti queue add ITEM...            adds files, folders or web addresses, or what the library
                                               has by this name: album:NAME, artist:, track:, playlist:
                                               or station: say which
            tutti queue play N                 plays an entry from its beginning
            tutti queue remove N...            removes entries: 3, 5-7, or the beginning of a title
            tutti queue move N TO              makes an entry the one with the number TO
            tutti queue clear                  removes all, and stops
            tutti queue save NAME              keeps the queue as a playlist of the library
            """,
        positionals: [
            PositionalDeclaration(
                name: "ACTION", count: .optional, kind: .choice(Action.allCases.map(\.rawValue)),
                help: "add, play, remove, move, clear or save"),
            PositionalDeclaration(name: "ITEM", count: .any, help: "Items, numbers or a name, as above"),
        ],
        options: [
            RemoteOptions.zone,
            .flag("next", "Add after the current entry"),
            .flag("now", "Add after the current entry, and play at once"),
            .flag("replace", "Replace the queue, and play at once"), RemoteOptions.json,
        ] + RemoteOptions.service)

    static func perform(_ arguments: ParsedArguments, _ service: RemoteService) async throws {
        let words = Array(arguments.positionals.dropFirst())
        let action = arguments.positional(0).flatMap(Action.init)
        let place = try place(arguments, action)
        try check(action, words)
        let zone = try await service.zone(arguments)
        let path = "/zones/\(zone.id)/queue"
        switch action {
        case nil: try await list(zone, arguments, service)
        case .add: try await add(words, place, to: zone, service)
        case .clear: _ = try await service.ask("DELETE", path)
        case .save: _ = try await service.ask("POST", path + "/save", .members(["name": .string(words[0])]))
        case .play:
            let entries = try await service.queue(of: zone)
            let place = try EntryNumbers.place(words[0], titles: entries.map(\.track.title))
            _ = try await service.ask("POST", "\(path)/\(entries[place].id)/play")
        case .remove:
            let entries = try await service.queue(of: zone)
            let places = try EntryNumbers.places(words, titles: entries.map(\.track.title))
            _ = try await service.ask("POST", path + "/remove", ids(places.map { entries[$0] }))
        case .move:
            let entries = try await service.queue(of: zone)
            let body = try move(words[0], to: words[1], entries)
            _ = try await service.ask("POST", path + "/move", body)
        }
    }

    /// Adds items and tells how many entries they are.
    static func add(
        _ words: [String], _ place: String, to zone: RemoteZone, _ service: RemoteService
    ) async throws(RemoteFailure) {
        struct Outcome: Decodable { var entries: [Int64]? }
        let items = try await QueueItems.json(words, service)
        let body = JSONValue.members(["items": items, "place": .string(place)])
        let data = try await service.ask("POST", "/zones/\(zone.id)/queue", body)
        // The items are in the queue nevertheless; an answer without their numbers gives no count.
        let count = (try? JSONDecoder().decode(Outcome.self, from: data))?.entries?.count
        let entries = count.map { $0 == 1 ? "1 entry " : "\($0) entries " } ?? ""
        try RemoteOutput.print(["Added \(entries)to the queue of \(SafeText.line(zone.name))."])
    }

    private static func place(
        _ arguments: ParsedArguments, _ action: Action?
    ) throws(UsageError) -> String {
        let given = ["next", "now", "replace"].filter(arguments.flag)
        guard given.count < 2 else { throw UsageError("use only one of --next, --now and --replace") }
        guard given.isEmpty || action == .add else {
            throw UsageError("--\(given[0]) is an option of queue add only")
        }
        return given.first ?? "end"
    }

    private static func check(_ action: Action?, _ words: [String]) throws(UsageError) {
        switch action {
        case .add where words.isEmpty:
            throw UsageError("queue add takes files, folders, web addresses or names")
        case .play where words.count != 1: throw UsageError("queue play takes the number of an entry")
        case .remove where words.isEmpty: throw UsageError("queue remove takes numbers of entries")
        case .move where words.count != 2:
            throw UsageError("queue move takes the number of an entry and its new number")
        case .clear where !words.isEmpty:
            throw UsageError("queue clear takes no numbers; queue remove takes them")
        case .save where words.count != 1: throw UsageError("queue save takes one name")
        default: return
        }
    }

    private static func ids(_ entries: [RemoteZone.Entry]) -> JSONValue {
        .members(["entries": .array(entries.map { .integer(Int($0.id)) })])
    }

    /// Returns the body of the request that makes an entry the one with another number.
    static func move(
        _ word: String, to number: String, _ entries: [RemoteZone.Entry]
    ) throws(RemoteFailure) -> JSONValue {
        let titles = entries.map(\.track.title)
        let from = try EntryNumbers.place(word, titles: titles)
        let to = try EntryNumbers.place(number, titles: titles)
        var others = entries
        let moved = others.remove(at: from)
        let before: JSONValue = to < others.count ? .integer(Int(others[to].id)) : .null
        return .members(["entries": [.integer(Int(moved.id))], "before": before])
    }

    private static func list(
        _ zone: RemoteZone, _ arguments: ParsedArguments, _ service: RemoteService
    ) async throws {
        if arguments.flag("json") {
            // A line for each page: a queue of 10,000 entries has ten.
            try await service.pages(of: zone) { page throws(RemoteFailure) in
                try RemoteOutput.print(json: page)
            }
            return
        }
        let entries = try await service.queue(of: zone)
        try RemoteOutput.print(table(entries, of: zone, limit: RemoteOutput.columns))
    }

    /// Returns the entries as a table.
    static func table(_ entries: [RemoteZone.Entry], of zone: RemoteZone, limit: Int?) -> [String] {
        guard !entries.isEmpty else { return ["The queue of \(SafeText.line(zone.name)) is empty."] }
        var table = FittedTable([
            .init(""), .init("NUMBER"), .init("TITLE", shrinksTo: 10), .init("ARTIST", shrinksTo: 6),
            .init("ALBUM", shrinksTo: 6, goes: 1), .init("LENGTH", goes: 2), .init("TROUBLE", shrinksTo: 10),
        ])
        for (index, entry) in entries.enumerated() {
            table.append([
                entry.id == zone.current?.id ? ">" : "", "\(index + 1)", entry.track.title,
                entry.track.artist ?? "", entry.track.album ?? "",
                entry.track.duration.map(TimeText.clock) ?? "", entry.failure ?? "",
            ])
        }
        return table.lines(limit: limit)
    }
}
