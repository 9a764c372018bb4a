import TuttiHouse
import TuttiMusicLibrary

/// Changes of the queue.
struct QueueEditCommands: Sendable {
    /// A plain `add` or `addid` of one song.
    private struct Addition {
        var item: LibraryItem
        var wantsID: Bool
    }

    /// The most commands that are carried out at once.
    private static let additionLimit = 5000

    let zone: ClientZone
    let library: ClientLibrary

    /// Carries out a run of plain `add` and `addid` commands at once: a long queue is not changed song by
    /// song.
    ///
    /// - Returns: The number of commands; `nil` if there is no such run, or the house refuses it: each command then
    ///   answers for itself.
    func addRun(of list: CommandList, from start: Int, _ answer: inout AnswerWriter) async -> Int? {
        guard let additions = await additions(list, from: start), additions.count > 1 else { return nil }
        let items = additions.map(\.item)
        guard let entries = try? await zone.perform(.add(zone.id, items, .end)).entries,
            entries.count == items.count
        else { return nil }
        for (addition, entry) in zip(additions, entries) {
            if addition.wantsID { answer.add("Id", entry.rawValue) }
            if list.isAcknowledged { answer.add(line: "list_OK") }
        }
        return additions.count
    }

    /// Returns the additions of a command list from a place on; `nil` if there is none.
    private func additions(_ list: CommandList, from start: Int) async -> [Addition]? {
        guard list[start].starts(with: "add".utf8), let catalogue = await library.catalogueIfAvailable()
        else {
            return nil
        }
        var found: [Addition] = []
        for place in start..<min(list.count, start + Self.additionLimit) {
            // A line that cannot be read ends the run, and answers for itself.
            guard let request = try? Request(list[place]), ["add", "addid"].contains(request.name),
                request.arguments.count == 1, let song = catalogue.song(uri: request.arguments[0])
            else { break }
            found.append(Addition(item: .track(song.id), wantsID: request.name == "addid"))
        }
        return found
    }

    func add(_ arguments: [String]) async throws(CommandError) {
        let items = try await library.items(at: arguments[0])
        try await zone.add(
            items,
            at: try arguments.dropFirst().first.map { text throws(CommandError) in try QueuePosition(text) })
    }

    func addID(_ arguments: [String], _ answer: inout AnswerWriter) async throws(CommandError) {
        let position = try arguments.dropFirst().first.map { text throws(CommandError) in
            try QueuePosition(text)
        }
        let uri = arguments[0]
        let item: LibraryItem
        if SongAddress.isStream(uri) {
            item = .location(uri)
        } else {
            guard let song = try await library.catalogue().song(uri: uri) else { throw CommandError.noSong }
            item = .track(song.id)
        }
        let entries = try await zone.add([item], at: position)
        if let first = entries.first { answer.add("Id", first.rawValue) }
    }

    func clear() async throws(CommandError) { try await zone.perform(.clear(zone.id)) }

    func delete(_ range: String) async throws(CommandError) {
        let queue = try await zone.queue()
        let wanted = try queue.places(in: range)
        guard !wanted.isEmpty else { return }
        try await zone.perform(.remove(zone.id, queue.entries[wanted].map(\.id)))
    }

    func delete(id: String) async throws(CommandError) {
        let found = try await zone.entry(id: id)
        try await zone.perform(.remove(zone.id, [found.entry.id]))
    }

    func move(_ range: String, _ target: String) async throws(CommandError) {
        let queue = try await zone.queue()
        let wanted = try Argument.range(range, count: queue.entries.count)
        guard wanted.upperBound <= queue.entries.count else { throw CommandError.badIndex }
        try await move(wanted, to: target, in: queue)
    }

    func move(id: String, _ target: String) async throws(CommandError) {
        let found = try await zone.entry(id: id)
        try await move(found.place..<found.place + 1, to: target, in: found.queue)
    }

    private func move(_ range: Range<Int>, to target: String, in queue: QueueMirror)
        async throws(CommandError)
    {
        let position = try QueuePosition(target)
        guard !range.isEmpty else { return }
        let state = try zone.state()
        let rest = Array(queue.entries[..<range.lowerBound] + queue.entries[range.upperBound...])
        let current = state.current.flatMap { current in rest.firstIndex { $0.id == current.id } }
        let isRelative = if case .absolute = position { false } else { true }
        if isRelative, queue.entries[range].contains(where: { $0.id == state.current?.id }) {
            throw CommandError(.argument, "Cannot move current song relative to itself")
        }
        let place = try position.place(current: current, count: rest.count)
        guard place != range.lowerBound else { return }
        let before = place < rest.count ? rest[place].id : nil
        try await zone.perform(.move(state.id, queue.entries[range].map(\.id), before: before))
    }

    func swap(_ first: String, _ second: String) async throws(CommandError) {
        let (one, other) = (try await zone.entry(at: first), try await zone.entry(at: second))
        try await swap(one.place, other.place, in: other.queue)
    }

    func swap(id first: String, _ second: String) async throws(CommandError) {
        let (one, other) = (try await zone.entry(id: first), try await zone.entry(id: second))
        try await swap(one.place, other.place, in: other.queue)
    }

    private func swap(_ first: Int, _ second: Int, in queue: QueueMirror) async throws(CommandError) {
        let (low, high) = (min(first, second), max(first, second))
        guard low != high, queue.entries.indices.contains(high) else { return }
        var part = queue.entries[low...high].map(\.id)
        part.swapAt(0, part.count - 1)
        let before = high + 1 < queue.entries.count ? queue.entries[high + 1].id : nil
        try await zone.perform(.move(zone.id, part, before: before))
    }

    func shuffle(_ range: String?) async throws(CommandError) {
        let queue = try await zone.queue()
        let wanted =
            try range.map { range throws(CommandError) in try queue.places(in: range) }
            ?? 0..<queue.entries.count
        guard wanted.count > 1 else { return }
        let before = wanted.upperBound < queue.entries.count ? queue.entries[wanted.upperBound].id : nil
        try await zone.perform(.move(zone.id, queue.entries[wanted].map(\.id).shuffled(), before: before))
    }

    // MARK: What the house's queue does not have

    /// Checks priorities, which have no effect: the house plays a queue in its order or in random order.
    func setPriority(_ arguments: [String], isByID: Bool) async throws(CommandError) {
        _ = try Argument.natural(arguments[0], upTo: 255)
        for argument in arguments.dropFirst() {
            if isByID {
                _ = try await zone.entry(id: argument)
            } else {
                let queue = try await zone.queue()
                let range = try Argument.range(argument, count: queue.entries.count)
                guard range.upperBound <= queue.entries.count else { throw CommandError.badIndex }
            }
        }
    }

    func refuseTags(_ arguments: [String]) async throws(CommandError) {
        let found = try await zone.entry(id: arguments[0])
        if arguments.count > 1, Tag.Named(arguments[1]) == nil {
            throw CommandError(.argument, "Unknown tag type")
        }
        guard SongAddress.isStream(found.entry.track.location) else {
            throw CommandError(.permission, "Cannot edit tags of local file")
        }
        throw CommandError(.permission, "Tags of streams come from the stream and cannot be edited")
    }

    func refuseRange(_ id: String) async throws(CommandError) {
        _ = try await zone.entry(id: id)
        throw CommandError(.argument, "Parts of songs are not available")
    }
}
