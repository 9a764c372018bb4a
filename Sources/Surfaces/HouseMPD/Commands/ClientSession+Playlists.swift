import TuttiHouse
import TuttiMusicLibrary

/// Stored playlists: those of the library's users, and files in its folders, which cannot be changed.
extension ClientSession {
    /// Runs a call of the library.
    private func asking<Value>(
        _ body: () async throws(LibraryError) -> Value
    ) async throws(CommandError) -> Value {
        do throws(LibraryError) { return try await body() } catch { throw CommandError(error) }
    }

    /// Returns the playlists with the names that clients use: a second one of a name has a number.
    private func playlists() async throws(CommandError) -> [(name: String, list: LibraryPlaylist)] {
        var taken: Set<String> = []
        let all = try await asking { () async throws(LibraryError) in try await core.library.playlists() }
        return all.map { list in
            var (name, number) = (list.name, 1)
            while !taken.insert(name).inserted {
                number += 1
                name = "\(list.name) (\(number))"
            }
            return (name, list)
        }
    }

    private func find(_ name: String) async throws(CommandError) -> LibraryPlaylist? {
        try await playlists().first { $0.name == name }?.list
    }

    private func playlist(_ name: String) async throws(CommandError) -> LibraryPlaylist {
        guard let found = try await find(name) else { throw CommandError.noPlaylist }
        return found
    }

    private func ownPlaylist(_ name: String) async throws(CommandError) -> LibraryPlaylist {
        let found = try await playlist(name)
        guard found.isOwn else {
            throw CommandError(.permission, "\(name) is a file in the music folders and cannot be changed")
        }
        return found
    }

    private func entries(_ id: Int64) async throws(CommandError) -> [PlayableTrack] {
        try await asking { () async throws(LibraryError) in try await core.library.playlistEntries(id) }
    }

    private static func check(_ name: String) throws(CommandError) {
        guard !name.isEmpty, !name.contains(where: { $0 == "/" || $0.isNewline }) else {
            throw CommandError(.argument, "Bad playlist name")
        }
    }

    // MARK: Reading

    func listPlaylists() async throws(CommandError) {
        for (name, _) in try await playlists() { response.add("playlist", name) }
    }

    func listPlaylist(_ name: String, isDetailed: Bool) async throws(CommandError) {
        let entries = try await entries(try await playlist(name).id)
        let catalogue = await catalogueIfAvailable()
        for entry in entries {
            let song = core.song(entry, catalogue)
            if isDetailed { response.add(song, tags) } else { response.add("file", song.uri) }
            try await sendPart()
        }
    }

    /// Adds the songs of a playlist, or a part of it, to the queue.
    func load(_ arguments: [String]) async throws(CommandError) {
        let found = try await playlist(arguments[0])
        let position = try arguments.dropFirst(2).first.map { text throws(CommandError) in
            try QueuePosition(text)
        }
        guard arguments.count > 1 else {
            return try await addIfAny([.playlist(found.id)], count: found.count, at: position)
        }
        let entries = try await entries(found.id)
        let range = try Argument.range(arguments[1], count: entries.count)
        let part = entries[range.clamped(to: 0..<entries.count)]
        let items = part.map { $0.libraryID.map { LibraryItem.track($0) } ?? .location($0.location) }
        try await addIfAny(items, count: items.count, at: position)
    }

    private func addIfAny(
        _ items: [LibraryItem], count: Int, at position: QueuePosition?
    ) async throws(CommandError) {
        if count > 0 { try await add(items, at: position) }
    }

    // MARK: Changing

    private func didChange() async { await core.house.libraryDidChange() }

    func save(_ name: String) async throws(CommandError) {
        try Self.check(name)
        let tracks = try await queue().entries.map(\.track)
        try await core.playlistEdits.run { () async throws(CommandError) in
            guard try await find(name) == nil else { throw CommandError(.exists, "Playlist already exists") }
            try await make(name, tracks)
        }
        await didChange()
    }

    private func make(_ name: String, _ tracks: [PlayableTrack]) async throws(CommandError) {
        _ = try await asking { () async throws(LibraryError) in
            try await core.library.makePlaylist(name: name, tracks: tracks)
        }
    }

    func removePlaylist(_ name: String) async throws(CommandError) {
        let found = try await ownPlaylist(name)
        try await asking { () async throws(LibraryError) in try await core.library.deletePlaylist(found.id) }
        await didChange()
    }

    func renamePlaylist(_ name: String, to new: String) async throws(CommandError) {
        try Self.check(new)
        try await core.playlistEdits.run { () async throws(CommandError) in
            let found = try await ownPlaylist(name)
            guard try await find(new) == nil else { throw CommandError(.exists, "Playlist exists already") }
            try await asking { () async throws(LibraryError) in
                try await core.library.changePlaylist(found.id, name: new, tracks: nil)
            }
        }
        await didChange()
    }

    func playlistAdd(_ arguments: [String]) async throws(CommandError) {
        let place = try arguments.dropFirst(2).first.map { text throws(CommandError) in
            try Argument.natural(text)
        }
        try await add(try await items(at: arguments[1]), toPlaylist: arguments[0], at: place)
    }

    /// Adds items to a playlist, which is made if there is none.
    ///
    /// - Parameter place: the place to insert at; `nil` for the end.
    func add(_ items: [LibraryItem], toPlaylist name: String, at place: Int?) async throws(CommandError) {
        try Self.check(name)
        let tracks = try await asking { () async throws(LibraryError) in
            try await core.library.tracks(of: items)
        }
        let isMade = try await core.playlistEdits.run { () async throws(CommandError) in
            guard try await find(name) == nil else { return false }
            if let place, place > 0 { throw CommandError(.argument, "Bad position") }
            try await make(name, tracks)
            return true
        }
        if isMade { return await didChange() }
        try await change(name) { entries throws(CommandError) in
            let place = place ?? entries.count
            guard place <= entries.count else { throw CommandError(.argument, "Bad position") }
            entries.insert(contentsOf: tracks, at: place)
        }
    }

    func playlistClear(_ name: String) async throws(CommandError) {
        try await change(name) { entries throws(CommandError) in entries = [] }
    }

    func playlistDelete(_ name: String, _ range: String) async throws(CommandError) {
        try await change(name) { entries throws(CommandError) in
            let wanted = try Argument.range(range, count: entries.count)
            guard wanted.upperBound <= entries.count else { throw CommandError.badIndex }
            entries.removeSubrange(wanted)
        }
    }

    func playlistMove(_ arguments: [String]) async throws(CommandError) {
        try await change(arguments[0]) { entries throws(CommandError) in
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

    private func change(
        _ name: String, _ body: @escaping @Sendable (inout [PlayableTrack]) throws(CommandError) -> Void
    ) async throws(CommandError) {
        let found = try await ownPlaylist(name)
        do { try await core.library.editPlaylistEntries(found.id, body) } catch {
            switch error {
            case let error as CommandError: throw error
            case let error as LibraryError: throw CommandError(error)
            default: throw CommandError(.system, "\(error)")
            }
        }
        await didChange()
    }
}
