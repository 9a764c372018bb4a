import TuttiDatabase

/// The playlists of the index, which are files. Confined to the scan's thread.
struct PlaylistTable {
    let database: Database

    func remove(of file: Int64) throws(DatabaseError) {
        try database.execute("DELETE FROM playlist WHERE file = ?", file)
    }

    func keep(_ list: StoredList, file: Int64) throws(DatabaseError) {
        try database.execute(
            "DELETE FROM entry WHERE playlist IN (SELECT id FROM playlist WHERE file = ?)", file)
        try database.execute(
            """
            INSERT INTO playlist(file, name, sort, count) VALUES(?, ?, ?, ?)
            ON CONFLICT(file) DO UPDATE SET name = excluded.name, sort = excluded.sort, count = excluded.count
            """, file, list.name, SortKey.order(list.name), list.entries.count)
        let id = try database.first("SELECT id FROM playlist WHERE file = ?", file) { $0[0] as Int64 }
        for (place, entry) in list.entries.enumerated() {
            try database.execute(
                "INSERT INTO entry(playlist, place, location, title) VALUES(?, ?, ?, ?)", id, place,
                entry.location, entry.title)
        }
    }
}
