import TuttiDatabase

/// The lists of albums, artists, tracks and folders, page by page. Confined to the reader's queue.
struct BrowsingQueries {
    /// The most items of a page.
    private static let pageLimit = 1000

    let connections: LibraryConnections
    let rows: TrackRows
    let roots: LibraryRoots

    /// Returns the part of a list that a caller may have: negative numbers count as 0.
    private static func part(_ start: Int, _ count: Int) -> (start: Int, count: Int) {
        (max(0, start), min(max(0, count), pageLimit))
    }

    func albums(
        _ sort: LibraryAlbumSort, artist: Int64?, start: Int, count: Int
    ) throws(LibraryError) -> LibraryPage<LibraryAlbum> {
        if let artist { return try albums(of: artist, sort, start: start, count: count) }
        let (start, count) = Self.part(start, count)
        let order = Self.order(sort)
        return try connections.onIndex { index throws(DatabaseError) in
            let total = try index.first("SELECT count(*) FROM album") { $0[0] as Int }
            let items = try index.all(
                "SELECT \(LibraryAlbum.columns) FROM album a ORDER BY \(order), a.id LIMIT ? OFFSET ?", count,
                start, read: LibraryAlbum.init)
            return LibraryPage(total: total ?? 0, start: start, items: items)
        }
    }

    private func albums(
        of artist: Int64, _ sort: LibraryAlbumSort, start: Int, count: Int
    ) throws(LibraryError) -> LibraryPage<LibraryAlbum> {
        let (start, count) = Self.part(start, count)
        let all = try albums(of: artist, order: Self.order(sort))
        return LibraryPage(total: all.count, start: start, items: Array(all.dropFirst(start).prefix(count)))
    }

    /// Returns the albums of an artist, and those with a track of the artist.
    private func albums(of artist: Int64, order: String) throws(LibraryError) -> [LibraryAlbum] {
        try connections.onIndex { index throws(DatabaseError) in
            try index.all(
                """
                SELECT \(LibraryAlbum.columns) FROM album a WHERE a.id IN (
                    SELECT id FROM album WHERE artist = ?1
                    UNION SELECT t.albumID FROM credit c JOIN track t ON t.id = c.track WHERE c.artist = ?1)
                ORDER BY a.artist <> ?1, \(order), a.id LIMIT 10000
                """, artist, read: LibraryAlbum.init)
        }
    }

    private static func order(_ sort: LibraryAlbumSort) -> String {
        switch sort {
        case .title: "a.sort"
        case .artist: "a.artistSort, a.year"
        case .year: "a.year DESC"
        case .added: "a.added DESC"
        }
    }

    func album(_ id: Int64) throws(LibraryError) -> LibraryAlbumContents {
        let album = try connections.onIndex { index throws(DatabaseError) in
            try index.first(
                "SELECT \(LibraryAlbum.columns) FROM album a WHERE a.id = ?", id, read: LibraryAlbum.init)
        }
        guard let album else { throw LibraryError(.notFound, "There is no album \(id).") }
        return LibraryAlbumContents(album, tracks: try rows.rows(ofAlbum: id).map(\.track))
    }

    func artists(start: Int, count: Int) throws(LibraryError) -> LibraryPage<LibraryArtist> {
        let (start, count) = Self.part(start, count)
        return try connections.onIndex { index throws(DatabaseError) in
            let total = try index.first("SELECT count(*) FROM artist") { $0[0] as Int }
            let items = try index.all(
                "SELECT \(LibraryArtist.columns) FROM artist a ORDER BY a.sort, a.id LIMIT ? OFFSET ?", count,
                start, read: LibraryArtist.init)
            return LibraryPage(total: total ?? 0, start: start, items: items)
        }
    }

    func artist(_ id: Int64) throws(LibraryError) -> LibraryArtistContents {
        let artist = try connections.onIndex { index throws(DatabaseError) in
            try index.first(
                "SELECT \(LibraryArtist.columns) FROM artist a WHERE a.id = ?", id, read: LibraryArtist.init)
        }
        guard let artist else { throw LibraryError(.notFound, "There is no artist \(id).") }
        return LibraryArtistContents(artist, albums: try albums(of: id, order: "a.year, a.sort"))
    }

    func tracks(
        _ sort: LibraryTrackSort, start: Int, count: Int
    ) throws(LibraryError) -> LibraryPage<LibraryTrack> {
        let (start, count) = Self.part(start, count)
        let order =
            switch sort {
            case .title: "t.sort"
            case .artist: "t.artistSort, t.albumSort, t.disc, t.number"
            case .album: "t.albumSort, t.disc, t.number"
            case .added: "t.added DESC"
            }
        return try connections.onIndex { index throws(DatabaseError) in
            let total = try index.first("SELECT count(*) FROM track") { $0[0] as Int }
            // The tracks that are skipped take no part in the joins.
            let items = try index.all(
                """
                SELECT \(TrackRow.columns) FROM
                    (SELECT t.id AS pick FROM track t ORDER BY \(order), t.id LIMIT ? OFFSET ?)
                    CROSS JOIN track t ON t.id = pick JOIN file ON file.id = t.file
                    JOIN folder f ON f.id = file.folder LEFT JOIN album a ON a.id = t.albumID
                ORDER BY \(order), t.id
                """, count, start
            ) { TrackRow($0).track }
            return LibraryPage(total: total ?? 0, start: start, items: items)
        }
    }

    // MARK: Folders

    func folder(_ path: String?) throws(LibraryError) -> LibraryFolder {
        guard let path, !path.isEmpty else {
            let entries = roots.paths.map { LibraryFolder.Entry(name: PathText.name($0), path: $0) }
            return LibraryFolder(path: "", parent: nil, folders: entries, tracks: [])
        }
        let found = try connections.onIndex { index throws(DatabaseError) in
            try index.first("SELECT id, path = root FROM folder WHERE path = ?", path) { row in
                (id: row[0] as Int64, isRoot: row[1] as Bool)
            }
        }
        guard let found else { throw LibraryError(.notFound, "\(path) is not a folder of the library.") }
        return try connections.onIndex { index throws(DatabaseError) in
            let folders = try index.all("SELECT path FROM folder WHERE parent = ? ORDER BY path", found.id) {
                row in
                LibraryFolder.Entry(name: PathText.name(row[0] as String), path: row[0])
            }
            let tracks = try index.all(
                """
                SELECT \(TrackRow.columns) FROM \(TrackRow.tables) WHERE file.folder = ?
                ORDER BY file.name, t.part LIMIT ?
                """, found.id, TrackRows.limit
            ) { TrackRow($0).track }
            return LibraryFolder(
                path: path, parent: found.isRoot ? nil : PathText.folder(path), folders: folders,
                tracks: tracks)
        }
    }
}
