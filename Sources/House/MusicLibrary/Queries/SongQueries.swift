import TuttiDatabase

/// Queries of programs that keep an index of their own. Confined to the reader's queue.
struct SongQueries {
    private static let songLimit = 5000
    /// Between the names of artists in one column.
    private static let separator: Character = "\u{1F}"

    let connections: LibraryConnections

    func songs(after id: Int64, count: Int) throws(LibraryError) -> [LibrarySong] {
        try connections.onIndex { index throws(DatabaseError) in
            // Only texts with a comma may have several artists.
            try index.all(
                """
                SELECT t.id, f.path, file.name, t.part, t.title, t.artist, t.album, t.albumArtist, t.genre,
                    t.number, t.disc, t.year, t.duration, t.start, file.modified,
                    coalesce(t.picture, f.cover, a.picture),
                    CASE WHEN instr(t.artist, ', ') THEN
                        (SELECT group_concat(artist.name, char(31)) FROM credit c
                         JOIN artist ON artist.id = c.artist WHERE c.track = t.id) END
                FROM \(TrackRow.tables) WHERE t.id > ? ORDER BY t.id LIMIT ?
                """, id, min(max(0, count), Self.songLimit), read: Self.song)
        }
    }

    private static func song(_ row: borrowing DatabaseRow) -> LibrarySong {
        let (artist, credits): (String?, String?) = (row[5], row[16])
        let modified: Int64 = row[14]
        return LibrarySong(
            id: row[0], folder: row[1], file: row[2], part: row[3], title: row[4],
            artists: artists(artist, credits: credits?.split(separator: separator).map(String.init)),
            album: row[6], albumArtist: row[7], genre: row[8], track: row[9], disc: row[10], year: row[11],
            duration: row[12], start: row[13], modified: modified / 1_000_000_000, picture: row[15])
    }

    /// Returns the names in the order of the joined text.
    ///
    /// - Parameter credits: The names in any order and spelling: an artist has one spelling in the library.
    private static func artists(_ joined: String?, credits: [String]?) -> [String] {
        guard let joined, !joined.isEmpty else { return [] }
        guard let credits, credits.count > 1 else { return [joined] }
        let parts = joined.split(separator: ", ", omittingEmptySubsequences: true).map(String.init)
        // A name with a comma of its own makes more parts than credits.
        return parts.count == credits.count ? parts : [joined]
    }

    func indexVersion() throws(LibraryError) -> Int64 {
        try connections.onIndex { index throws(DatabaseError) in
            let version = try index.first("PRAGMA data_version") { $0[0] as Int64 } ?? 0
            let last = try index.first("SELECT coalesce(max(id), 0) FROM track") { $0[0] as Int64 } ?? 0
            return last &* 1_000_003 &+ version
        }
    }
}
