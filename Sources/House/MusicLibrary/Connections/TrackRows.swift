import TuttiDatabase

/// The tracks of the index, as lists and players need them. Confined to the reader's queue.
struct TrackRows {
    /// The most tracks of one call: a queue has no use for more, and a page cannot show them.
    static let limit = 20_000

    let connections: LibraryConnections

    /// Returns the tracks that meet a condition with one value.
    func rows(
        _ condition: String, _ value: any DatabaseValue, order: String = TrackRow.albumOrder
    ) throws(LibraryError) -> [TrackRow] {
        try connections.onIndex { index throws(DatabaseError) in
            try index.all(
                """
                SELECT \(TrackRow.columns) FROM \(TrackRow.tables) WHERE \(condition) ORDER BY \(order)
                LIMIT \(Self.limit + 1)
                """, value, read: TrackRow.init)
        }
    }

    func rows(ofAlbum id: Int64) throws(LibraryError) -> [TrackRow] { try rows("t.albumID = ?", id) }

    func rows(ofArtist id: Int64) throws(LibraryError) -> [TrackRow] {
        try rows(
            "t.id IN (SELECT track FROM credit WHERE artist = ?)", id,
            order: "a.year, t.albumSort, t.albumID, " + TrackRow.albumOrder)
    }

    /// Returns the tracks of a folder and of those below it.
    func rows(inFolder path: String) throws(LibraryError) -> [TrackRow] {
        try connections.onIndex { index throws(DatabaseError) in
            try index.all(
                """
                SELECT \(TrackRow.columns) FROM \(TrackRow.tables)
                WHERE f.path = ? OR f.path >= ? AND f.path < ? ORDER BY f.path, file.name, t.part
                LIMIT \(Self.limit + 1)
                """, path, path + "/", path + "0", read: TrackRow.init)
        }
    }

    /// Returns the tracks of a file of the index, in the order of its cue sheet.
    func rows(at path: String) throws(LibraryError) -> [TrackRow] {
        try connections.onIndex { index throws(DatabaseError) in
            try index.all(
                """
                SELECT \(TrackRow.columns) FROM \(TrackRow.tables) WHERE f.path = ? AND file.name = ?
                ORDER BY t.part
                """, PathText.folder(path), PathText.name(path), read: TrackRow.init)
        }
    }
}
