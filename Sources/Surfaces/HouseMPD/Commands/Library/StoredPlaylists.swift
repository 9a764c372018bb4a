import Foundation
import TuttiHouse
import TuttiMusicLibrary

/// The stored playlists by the names that clients use: those of the library's users, and files in its folders, which
/// cannot be changed.
struct StoredPlaylists: Sendable {
    let house: any HouseControlling
    let library: any LibraryAccess
    /// Lets one client at a time change playlists.
    let edits: EditTurns

    /// Runs a call of the library.
    private func asking<Value>(
        _ body: () async throws(LibraryError) -> Value
    ) async throws(CommandError) -> Value {
        do throws(LibraryError) { return try await body() } catch { throw CommandError(error) }
    }

    // MARK: Reading

    /// Returns the playlists with their names: a second one of a name has a number.
    private func all() async throws(CommandError) -> [(name: String, list: LibraryPlaylist)] {
        var taken: Set<String> = []
        let all = try await asking { () async throws(LibraryError) in try await library.playlists() }
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
        let all = try await all()
        if let found = all.first(where: { $0.name == name }) { return found.list }
        // The library takes off the spaces around a name.
        let trimmed = name.trimmingCharacters(in: .whitespaces)
        return all.first { $0.name == trimmed }?.list
    }

    /// Returns the playlist of a name.
    func playlist(_ name: String) async throws(CommandError) -> LibraryPlaylist {
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

    /// Returns the entries of a playlist.
    func entries(_ id: Int64) async throws(CommandError) -> [PlayableTrack] {
        try await asking { () async throws(LibraryError) in try await library.playlistEntries(id) }
    }

    /// Answers with the names of all playlists.
    func list(_ answer: inout AnswerWriter) async throws(CommandError) {
        for (name, _) in try await all() { answer.add("playlist", name) }
    }

    // MARK: Changing

    private static func check(_ name: String) throws(CommandError) {
        guard !name.isEmpty, !name.contains(where: { $0 == "/" || $0.isNewline }) else {
            throw CommandError(.argument, "Bad playlist name")
        }
    }

    private func didChange() async { await house.libraryDidChange() }

    private func make(_ name: String, _ tracks: [PlayableTrack]) async throws(CommandError) {
        _ = try await asking { () async throws(LibraryError) in
            try await library.makePlaylist(name: name, tracks: tracks)
        }
    }

    /// Makes a playlist of the tracks that a call returns, whose name must be free.
    func save(
        _ name: String, _ tracks: () async throws(CommandError) -> [PlayableTrack]
    ) async throws(CommandError) {
        try Self.check(name)
        let tracks = try await tracks()
        try await edits.run { () async throws(CommandError) in
            guard try await find(name) == nil else { throw CommandError(.exists, "Playlist already exists") }
            try await make(name, tracks)
        }
        await didChange()
    }

    /// Removes a playlist.
    func remove(_ name: String) async throws(CommandError) {
        let found = try await ownPlaylist(name)
        try await asking { () async throws(LibraryError) in try await library.deletePlaylist(found.id) }
        await didChange()
    }

    /// Gives a playlist a new name, which must be free.
    func rename(_ name: String, to new: String) async throws(CommandError) {
        try Self.check(new)
        try await edits.run { () async throws(CommandError) in
            let found = try await ownPlaylist(name)
            guard try await find(new) == nil else { throw CommandError(.exists, "Playlist exists already") }
            try await asking { () async throws(LibraryError) in
                try await library.changePlaylist(found.id, name: new, tracks: nil)
            }
        }
        await didChange()
    }

    /// Adds items to a playlist, which is made if there is none.
    ///
    /// - Parameter place: The place to insert at; `nil` for the end.
    func add(_ items: [LibraryItem], to name: String, at place: Int?) async throws(CommandError) {
        try Self.check(name)
        let tracks = try await asking { () async throws(LibraryError) in
            try await library.tracks(of: items)
        }
        let isMade = try await edits.run { () async throws(CommandError) in
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

    /// Changes the entries of a playlist in one step.
    func change(
        _ name: String, _ body: @escaping @Sendable (inout [PlayableTrack]) throws(CommandError) -> Void
    ) async throws(CommandError) {
        let found = try await ownPlaylist(name)
        do { try await library.editPlaylistEntries(found.id, body) } catch {
            switch error {
            case let error as CommandError: throw error
            case let error as LibraryError: throw CommandError(error)
            default: throw CommandError(.system, "\(error)")
            }
        }
        await didChange()
    }
}
