import TuttiDatabase

/// The playlists: those of files in the library's folders, and own ones, which can be changed. Confined to the reader's
/// queue.
struct PlaylistStore {
    /// The most tracks of an own playlist.
    private static let entryLimit = 20_000

    let connections: LibraryConnections
    let rows: TrackRows
    let roots: LibraryRoots

    func all() throws(LibraryError) -> [LibraryPlaylist] {
        let files = try connections.onIndex { index throws(DatabaseError) in
            try index.all("SELECT id, name, count FROM playlist ORDER BY sort LIMIT 10000") { row in
                LibraryPlaylist(
                    id: PlaylistNumber(row: row[0], isOwn: false).id, name: row[1], count: row[2],
                    isOwn: false)
            }
        }
        // Own lists may be unavailable while the library is not.
        let own = try? connections.onOwn { own throws(DatabaseError) in
            try own.all("SELECT id, name, count FROM playlist") { row in
                LibraryPlaylist(
                    id: PlaylistNumber(row: row[0], isOwn: true).id, name: row[1], count: row[2], isOwn: true)
            }
        }
        return (files + (own ?? [])).map { (SortKey.order($0.name), $0) }
            .sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.map(\.1)
    }

    func contents(_ id: Int64) throws(LibraryError) -> LibraryPlaylistContents {
        let number = PlaylistNumber(id)
        let tracks = try entries(of: number).map(\.track)
        return LibraryPlaylistContents(
            id: id, name: try name(of: number), isOwn: number.isOwn, tracks: tracks)
    }

    /// Returns the playlist whose file has this path.
    func playlist(at path: String) throws(LibraryError) -> Int64? {
        try connections.onIndex { index throws(DatabaseError) in
            try index.first(
                """
                SELECT playlist.id FROM playlist JOIN file ON file.id = playlist.file
                JOIN folder f ON f.id = file.folder WHERE f.path = ? AND file.name = ?
                """, PathText.folder(path), PathText.name(path)
            ) { PlaylistNumber(row: $0[0], isOwn: false).id }
        }
    }

    /// Returns the entries that may be played: those of the library, files inside its folders, and web
    /// addresses.
    func playableEntries(of id: Int64) throws(LibraryError) -> [PlayableTrack] {
        let number = PlaylistNumber(id)
        _ = try name(of: number)
        return try entries(of: number).map(\.playable).filter { track in
            track.libraryID != nil || PathText.isAddress(track.location) || roots.containFile(track.location)
        }
    }

    private func name(of number: PlaylistNumber) throws(LibraryError) -> String {
        let name: String?
        if number.isOwn {
            name = try connections.onOwn { own throws(DatabaseError) in
                try own.first("SELECT name FROM playlist WHERE id = ?", number.row) { $0[0] as String }
            }
        } else {
            name = try connections.onIndex { index throws(DatabaseError) in
                try index.first("SELECT name FROM playlist WHERE id = ?", number.row) { $0[0] as String }
            }
        }
        guard let name else { throw LibraryError(.notFound, "There is no playlist \(number.id).") }
        return name
    }

    // MARK: Entries

    /// An entry as a list has it, and as the library knows it.
    private struct Entry {
        var track: LibraryTrack
        var playable: PlayableTrack
    }

    private func entries(of number: PlaylistNumber) throws(LibraryError) -> [Entry] {
        let stored = try number.isOwn ? ownEntries(number.row) : fileEntries(number.row)
        var entries: [Entry] = []
        for entry in stored { entries += try resolve(entry.track, part: entry.part) }
        return entries
    }

    private func fileEntries(_ row: Int64) throws(LibraryError) -> [(track: PlayableTrack, part: Double?)] {
        try connections.onIndex { index throws(DatabaseError) in
            try index.all("SELECT location, title FROM entry WHERE playlist = ? ORDER BY place", row) { row in
                let title = row[1] as String?
                let location: String = row[0]
                let name =
                    PathText.isAddress(location) ? location : PathText.split(PathText.name(location)).stem
                return (PlayableTrack(location: location, title: title ?? name), nil)
            }
        }
    }

    private func ownEntries(_ row: Int64) throws(LibraryError) -> [(track: PlayableTrack, part: Double?)] {
        try connections.onOwn { own throws(DatabaseError) in
            try own.all(
                """
                SELECT location, title, isLive, start, stop, artist, album, duration FROM entry
                WHERE playlist = ? ORDER BY place
                """, row
            ) { row in
                var track = PlayableTrack(location: row[0], title: row[1], isLive: row[2])
                (track.start, track.end, track.artist) = (row[3], row[4], row[5])
                (track.album, track.duration) = (row[6], row[7])
                return (track, track.start)
            }
        }
    }

    /// Finds an entry in the library; one that is not there stays as it is.
    ///
    /// - Parameter part: The start of the track in the file; `nil` for all tracks of the file.
    private func resolve(_ entry: PlayableTrack, part: Double?) throws(LibraryError) -> [Entry] {
        let rows = PathText.isAddress(entry.location) ? [] : try self.rows.rows(at: entry.location)
        let wanted = rows.filter { row in part.map { abs($0 - row.start) < 0.01 } ?? true }
        guard wanted.isEmpty else { return wanted.map { Entry(track: $0.track, playable: $0.playable) } }
        var track = LibraryTrack(title: entry.title, location: entry.location)
        (track.artist, track.album, track.duration) = (entry.artist, entry.album, entry.duration)
        return [Entry(track: track, playable: entry)]
    }

    /// Returns the entries as they are stored: one for each place, also those that cannot be played.
    func storedEntries(of id: Int64) throws(LibraryError) -> [PlayableTrack] {
        let number = PlaylistNumber(id)
        guard try all().contains(where: { $0.id == id }) else {
            throw LibraryError(.notFound, "There is no playlist \(id).")
        }
        let stored = try (number.isOwn ? ownEntries(number.row) : fileEntries(number.row)).map(\.track)
        var entries: [PlayableTrack] = []
        for entry in stored {
            let rows = PathText.isAddress(entry.location) ? [] : try self.rows.rows(at: entry.location)
            let found = rows.first { abs($0.start - entry.start) < 0.01 }
            entries.append(found?.playable ?? entry)
        }
        return entries
    }

    // MARK: Own playlists

    func make(_ name: String, _ tracks: [PlayableTrack]) throws(LibraryError) -> Int64 {
        let name = try OwnListRules.name(name)
        try check(tracks)
        let count = try connections.onOwn { own throws(DatabaseError) in
            try own.first("SELECT count(*) FROM playlist") { $0[0] as Int }
        }
        guard count ?? 0 < OwnListRules.listLimit else {
            throw LibraryError(
                .limit, "There are \(OwnListRules.listLimit) playlists already. Delete some first.")
        }
        return try connections.onOwn { own throws(DatabaseError) in
            try own.transaction { () throws(DatabaseError) in
                try own.execute("INSERT INTO playlist(name, count) VALUES(?, ?)", name, tracks.count)
                let row = own.lastInsertedRow
                try Self.write(tracks, to: row, own)
                return PlaylistNumber(row: row, isOwn: true).id
            }
        }
    }

    func change(_ id: Int64, name: String?, tracks: [PlayableTrack]?) throws(LibraryError) {
        let number = try ownNumber(id)
        var checkedName: String?
        if let name { checkedName = try OwnListRules.name(name) }
        if let tracks { try check(tracks) }
        let newName = checkedName
        try connections.onOwn { own throws(DatabaseError) in
            try own.transaction { () throws(DatabaseError) in
                if let newName {
                    try own.execute("UPDATE playlist SET name = ? WHERE id = ?", newName, number.row)
                }
                guard let tracks else { return }
                try own.execute("DELETE FROM entry WHERE playlist = ?", number.row)
                try own.execute("UPDATE playlist SET count = ? WHERE id = ?", tracks.count, number.row)
                try Self.write(tracks, to: number.row, own)
            }
        }
    }

    func delete(_ id: Int64) throws(LibraryError) {
        let number = try ownNumber(id)
        try connections.onOwn { own throws(DatabaseError) in
            try own.execute("DELETE FROM playlist WHERE id = ?", number.row)
        }
    }

    /// Changes the entries of an own playlist: no other change comes between reading and writing them.
    ///
    /// - Throws: ``LibraryError``, or the error of `edit`, which leaves the entries as they are.
    func editEntries(
        of id: Int64, _ edit: @Sendable (inout [PlayableTrack]) throws -> Void
    ) throws {
        var entries = try storedEntries(of: id)
        try edit(&entries)
        try change(id, name: nil, tracks: entries)
    }

    private static func write(_ tracks: [PlayableTrack], to row: Int64, _ own: Database) throws(DatabaseError)
    {
        for (place, track) in tracks.enumerated() {
            try own.execute(
                """
                INSERT INTO entry(playlist, place, location, start, stop, title, artist, album, duration,
                    isLive)
                VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, row, place, track.location, track.start, track.end, track.title, track.artist,
                track.album, track.duration, track.isLive)
        }
    }

    /// Returns the number of an own playlist that exists.
    private func ownNumber(_ id: Int64) throws(LibraryError) -> PlaylistNumber {
        let number = PlaylistNumber(id)
        _ = try name(of: number)
        guard number.isOwn else {
            throw LibraryError(
                .invalid, "Playlist \(id) is a file in the library's folders and cannot be changed.")
        }
        return number
    }

    private func check(_ tracks: [PlayableTrack]) throws(LibraryError) {
        guard tracks.count <= Self.entryLimit else {
            throw LibraryError(.limit, "A playlist has at most \(Self.entryLimit) tracks.")
        }
    }
}
