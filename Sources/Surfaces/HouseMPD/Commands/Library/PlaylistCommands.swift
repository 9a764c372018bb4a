import TuttiHouse
import TuttiMusicLibrary

/// Stored playlists, as clients read, load and change them.
struct PlaylistCommands: Sendable {
    let core: ServerCore
    let zone: ClientZone
    let library: ClientLibrary
    let playlists: StoredPlaylists

    // MARK: Reading

    func list(_ answer: inout AnswerWriter) async throws(CommandError) { try await playlists.list(&answer) }

    func listEntries(
        _ name: String, isDetailed: Bool, _ answer: inout AnswerWriter
    ) async throws(CommandError) {
        let entries = try await playlists.entries(try await playlists.playlist(name).id)
        let catalogue = await library.catalogueIfAvailable()
        for entry in entries {
            let song = core.song(entry, catalogue)
            if isDetailed { answer.add(song) } else { answer.add("file", song.uri) }
            try await answer.sendPart()
        }
    }

    /// Adds the songs of a playlist, or a part of it, to the queue.
    func load(_ arguments: [String]) async throws(CommandError) {
        let found = try await playlists.playlist(arguments[0])
        let position = try arguments.dropFirst(2).first.map { text throws(CommandError) in
            try QueuePosition(text)
        }
        guard arguments.count > 1 else {
            return try await addIfAny([.playlist(found.id)], count: found.count, at: position)
        }
        let entries = try await playlists.entries(found.id)
        let range = try Argument.range(arguments[1], count: entries.count)
        let part = entries[range.clamped(to: 0..<entries.count)]
        let items = part.map { $0.libraryID.map { LibraryItem.track($0) } ?? .location($0.location) }
        try await addIfAny(items, count: items.count, at: position)
    }

    private func addIfAny(
        _ items: [LibraryItem], count: Int, at position: QueuePosition?
    ) async throws(CommandError) {
        if count > 0 { try await zone.add(items, at: position) }
    }

    // MARK: Changing

    func save(_ name: String) async throws(CommandError) {
        try await playlists.save(name) { () async throws(CommandError) in
            try await zone.queue().entries.map(\.track)
        }
    }

    func remove(_ name: String) async throws(CommandError) { try await playlists.remove(name) }

    func rename(_ name: String, to new: String) async throws(CommandError) {
        try await playlists.rename(name, to: new)
    }

    func add(_ arguments: [String]) async throws(CommandError) {
        let place = try arguments.dropFirst(2).first.map { text throws(CommandError) in
            try Argument.natural(text)
        }
        try await playlists.add(try await library.items(at: arguments[1]), to: arguments[0], at: place)
    }

    /// Adds the songs that a search finds to a playlist.
    func addFound(_ arguments: [String]) async throws(CommandError) {
        let selection = try SongSelection(Array(arguments.dropFirst()), isFolded: true, takesPosition: true)
        let catalogue = try await library.catalogue()
        let places = try await library.songs(selection, in: catalogue)
        let items = places.map { LibraryItem.track(catalogue.songs.id(at: $0)) }
        var place: Int?
        if let position = selection.position {
            guard case .absolute(let value) = position else {
                throw CommandError(.argument, "Integer expected: a playlist has no current song")
            }
            place = value
        }
        try await playlists.add(items, to: arguments[0], at: place)
    }

    func clear(_ name: String) async throws(CommandError) {
        try await playlists.change(name) { entries throws(CommandError) in entries = [] }
    }

    func delete(_ name: String, _ range: String) async throws(CommandError) {
        try await playlists.change(name) { entries throws(CommandError) in
            let wanted = try Argument.range(range, count: entries.count)
            guard wanted.upperBound <= entries.count else { throw CommandError.badIndex }
            entries.removeSubrange(wanted)
        }
    }

    func move(_ arguments: [String]) async throws(CommandError) {
        try await playlists.change(arguments[0]) { entries throws(CommandError) in
            let from = try Argument.range(arguments[1], count: entries.count)
            let target = try Argument.natural(arguments[2])
            guard from.upperBound <= entries.count, target <= entries.count - from.count else {
                throw CommandError(.argument, "Bad range")
            }
            let moved = Array(entries[from])
            entries.removeSubrange(from)
            entries.insert(contentsOf: moved, at: target)
        }
    }
}
