import TuttiDatabase

/// The artists of the index. Confined to the scan's thread.
struct ArtistTable {
    let database: Database

    /// Returns the artist of a name, made if there is none.
    func artist(_ name: String) throws(DatabaseError) -> Int64 {
        let key = SortKey.identity(name)
        if let id = try database.first("SELECT id FROM artist WHERE key = ?", key, read: { $0[0] as Int64 }) {
            return id
        }
        try database.execute(
            "INSERT INTO artist(name, key, sort) VALUES(?, ?, ?)", name, key, SortKey.order(name))
        return database.lastInsertedRow
    }

    /// Counts an artist's albums and tracks, and forgets an artist without any.
    func settle(_ id: Int64) throws(DatabaseError) {
        try database.execute(
            """
            UPDATE artist SET
                tracks = (SELECT count(*) FROM credit WHERE artist = ?1),
                albums = (SELECT count(*) FROM (
                    SELECT id FROM album WHERE artist = ?1
                    UNION SELECT t.albumID FROM credit c JOIN track t ON t.id = c.track
                    WHERE c.artist = ?1 AND t.albumID IS NOT NULL)),
                picture = (SELECT picture FROM album WHERE artist = ?1 AND picture IS NOT NULL
                    ORDER BY year LIMIT 1)
            WHERE id = ?1
            """, id)
        try database.execute("DELETE FROM artist WHERE id = ? AND tracks = 0 AND albums = 0", id)
    }
}
