import TuttiHouse
import TuttiMusicLibrary

/// Changes of the queue.
extension ClientSession {
    /// A plain `add` or `addid` of one song.
    struct Addition {
        var item: LibraryItem
        var wantsID: Bool
    }

    /// The most commands that are carried out at once.
    private static let additionLimit = 5000

    /// Returns the additions of a command list from a place on; `nil` if there is none.
    func additions(_ list: CommandList, from start: Int) async -> [Addition]? {
        guard list[start].starts(with: "add".utf8), let catalogue = await catalogueIfAvailable() else {
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
        let items = try await items(at: arguments[0])
        try await add(
            items,
            at: try arguments.dropFirst().first.map { text throws(CommandError) in try QueuePosition(text) })
    }

    func addID(_ arguments: [String]) async throws(CommandError) {
        let position = try arguments.dropFirst().first.map { text throws(CommandError) in
            try QueuePosition(text)
        }
        let uri = arguments[0]
        let item: LibraryItem
        if SongAddress.isStream(uri) {
            item = .location(uri)
        } else {
            guard let song = try await catalogue().song(uri: uri) else { throw CommandError.noSong }
            item = .track(song.id)
        }
        let entries = try await add([item], at: position)
        if let first = entries.first { response.add("Id", first.rawValue) }
    }

    /// Adds items, in order.
    ///
    /// - Returns: the new entries.
    @discardableResult
    func add(_ items: [LibraryItem], at position: QueuePosition?) async throws(CommandError) -> [EntryID] {
        guard !items.isEmpty else { return [] }
        let state = try zoneState()
        var place = QueuePlace.end
        if let position {
            let queue = try await queue()
            let current = state.current.flatMap { queue.place(of: $0.id) }
            let target = try position.place(current: current, count: queue.entries.count)
            if position == .after(0) {
                // In random order too.
                place = .next
            } else if target < queue.entries.count {
                place = .before(queue.entries[target].id)
            }
        }
        return try await perform(.add(state.id, items, place)).entries
    }

    /// Returns the items at an address: a song, all songs below a folder, or a stream.
    func items(at uri: String) async throws(CommandError) -> [LibraryItem] {
        if SongAddress.isStream(uri) { return [.location(uri)] }
        if SongAddress.hasScheme(uri) { throw CommandError(.argument, "Unsupported URI scheme") }
        if uri.hasPrefix("/"), uri != "/" { throw CommandError(.permission, "Access denied") }
        let catalogue = try await catalogue()
        guard let places = catalogue.songs(below: try SongAddress.folder(uri)) else {
            throw CommandError.noFolder
        }
        return places.map { .track(catalogue.songs.id(at: $0)) }
    }

    func clear() async throws(CommandError) { try await perform(.clear(zone)) }

    func delete(_ range: String) async throws(CommandError) {
        let queue = try await queue()
        let wanted = try places(range, in: queue)
        guard !wanted.isEmpty else { return }
        try await perform(.remove(zone, queue.entries[wanted].map(\.id)))
    }

    func delete(id: String) async throws(CommandError) {
        let found = try await entry(id: id)
        try await perform(.remove(zone, [found.entry.id]))
    }

    func move(_ range: String, _ target: String) async throws(CommandError) {
        let queue = try await queue()
        let wanted = try Argument.range(range, count: queue.entries.count)
        guard wanted.upperBound <= queue.entries.count else { throw CommandError.badIndex }
        try await move(wanted, to: target, in: queue)
    }

    func move(id: String, _ target: String) async throws(CommandError) {
        let found = try await entry(id: id)
        try await move(found.place..<found.place + 1, to: target, in: found.queue)
    }

    private func move(_ range: Range<Int>, to target: String, in queue: QueueMirror)
        async throws(CommandError)
    {
        let position = try QueuePosition(target)
        guard !range.isEmpty else { return }
        let state = try zoneState()
        let rest = Array(queue.entries[..<range.lowerBound] + queue.entries[range.upperBound...])
        let current = state.current.flatMap { current in rest.firstIndex { $0.id == current.id } }
        let place = try position.place(current: current, count: rest.count)
        guard place != range.lowerBound else { return }
        let before = place < rest.count ? rest[place].id : nil
        try await perform(.move(state.id, queue.entries[range].map(\.id), before: before))
    }

    func swap(_ first: String, _ second: String) async throws(CommandError) {
        let (one, other) = (try await entry(at: first), try await entry(at: second))
        try await swap(one.place, other.place, in: other.queue)
    }

    func swap(id first: String, _ second: String) async throws(CommandError) {
        let (one, other) = (try await entry(id: first), try await entry(id: second))
        try await swap(one.place, other.place, in: other.queue)
    }

    private func swap(_ first: Int, _ second: Int, in queue: QueueMirror) async throws(CommandError) {
        let (low, high) = (min(first, second), max(first, second))
        guard low != high, queue.entries.indices.contains(high) else { return }
        var part = queue.entries[low...high].map(\.id)
        part.swapAt(0, part.count - 1)
        let before = high + 1 < queue.entries.count ? queue.entries[high + 1].id : nil
        try await perform(.move(zone, part, before: before))
    }

    func shuffle(_ range: String?) async throws(CommandError) {
        let queue = try await queue()
        let wanted =
            try range.map { range throws(CommandError) in try places(range, in: queue) }
            ?? 0..<queue.entries.count
        guard wanted.count > 1 else { return }
        let before = wanted.upperBound < queue.entries.count ? queue.entries[wanted.upperBound].id : nil
        try await perform(.move(zone, queue.entries[wanted].map(\.id).shuffled(), before: before))
    }

    // MARK: What the house's queue does not have

    /// Checks priorities, which have no effect: the house plays a queue in its order or in random order.
    func setPriority(_ arguments: [String], isByID: Bool) async throws(CommandError) {
        _ = try Argument.natural(arguments[0], upTo: 255)
        for argument in arguments.dropFirst() {
            if isByID {
                _ = try await entry(id: argument)
            } else {
                let queue = try await queue()
                let range = try Argument.range(argument, count: queue.entries.count)
                guard range.upperBound <= queue.entries.count else { throw CommandError.badIndex }
            }
        }
    }

    func refuseTags(_ arguments: [String]) async throws(CommandError) {
        let found = try await entry(id: arguments[0])
        if arguments.count > 1, Tag.Named(arguments[1]) == nil {
            throw CommandError(.argument, "Unknown tag type")
        }
        guard SongAddress.isStream(found.entry.track.location) else {
            throw CommandError(.permission, "Cannot edit tags of local file")
        }
        throw CommandError(.permission, "Tags of streams come from the stream and cannot be edited")
    }

    func refuseRange(_ id: String) async throws(CommandError) {
        _ = try await entry(id: id)
        throw CommandError(.argument, "Parts of songs are not available")
    }
}
