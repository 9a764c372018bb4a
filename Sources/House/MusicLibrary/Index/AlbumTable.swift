import TuttiDatabase

/// The albums of the index, which follow from its tracks. Confined to the scan's thread.
struct AlbumTable {
    let database: Database
    let artists: ArtistTable

    /// Notes the albums and artists of a file's tracks.
    func note(_ file: Int64, in affected: inout AffectedMusic) throws(DatabaseError) {
        let albums = try database.all(
            """
            SELECT DISTINCT t.albumKey, f.discs FROM track t JOIN file ON file.id = t.file
            JOIN folder f ON f.id = file.folder WHERE t.file = ? AND t.albumKey <> ''
            """, file
        ) { row in AffectedMusic.AlbumKey(title: row[0], discs: row[1]) }
        let artists = try database.all(
            "SELECT c.artist FROM track t JOIN credit c ON c.track = t.id WHERE t.file = ?", file
        ) { $0[0] as Int64 }
        affected.albums.formUnion(albums)
        affected.artists.formUnion(artists)
    }

    /// Notes the albums of a folder's tracks, and of those in its other discs.
    func note(_ folder: KnownFolder, in affected: inout AffectedMusic) throws(DatabaseError) {
        let keys = try database.all(
            """
            SELECT DISTINCT t.albumKey, f.discs FROM folder f JOIN file ON file.folder = f.id
            JOIN track t ON t.file = file.id WHERE f.discs = ? AND t.albumKey <> ''
            """, DiscFolder(folder.path).album
        ) { row in AffectedMusic.AlbumKey(title: row[0], discs: row[1]) }
        affected.albums.formUnion(keys)
    }

    /// Computes the albums and artists that a change concerned.
    func settle(_ affected: AffectedMusic) throws(DatabaseError) {
        var artists = affected.artists
        for key in affected.albums { try settle(key, &artists) }
        for artist in artists { try self.artists.settle(artist) }
    }

    private func settle(_ key: AffectedMusic.AlbumKey, _ artists: inout Set<Int64>) throws(DatabaseError) {
        let tracks = try tracks(of: key)
        let before: [Int64] = try database.all(
            "SELECT id FROM album WHERE key = ? AND discs = ?", key.title, key.discs
        ) { $0[0] }
        artists.formUnion(
            try database.all(
                "SELECT artist FROM album WHERE key = ? AND discs = ?", key.title, key.discs
            ) { $0[0] as Int64 })
        var kept: Set<Int64> = []
        for album in AlbumGrouping.albums(tracks) { kept.insert(try write(album, key, &artists)) }
        for id in before where !kept.contains(id) {
            // Tracks that left the album for one that is settled later.
            try database.execute("UPDATE track SET albumID = NULL WHERE albumID = ?", id)
            try database.execute("DELETE FROM album WHERE id = ?", id)
        }
    }

    /// Returns the tracks of an album's title and folder, in the album's order.
    private func tracks(of key: AffectedMusic.AlbumKey) throws(DatabaseError) -> [AlbumGrouping.Track] {
        try database.all(
            """
            SELECT t.id, t.album, t.albumArtist, a.name, t.year, t.duration, coalesce(t.picture, f.cover)
            FROM track t JOIN file ON file.id = t.file JOIN folder f ON f.id = file.folder
            LEFT JOIN artist a ON a.id = t.artistID
            WHERE t.albumKey = ? AND t.albumKey <> '' AND f.discs = ?
            ORDER BY t.disc, t.number, f.path, file.name, t.part
            """, key.title, key.discs
        ) { row in
            AlbumGrouping.Track(
                id: row[0], title: row[1], albumArtist: row[2], artist: row[3], year: row[4],
                duration: row[5], picture: row[6])
        }
    }

    private func write(
        _ album: AlbumGrouping.Album, _ key: AffectedMusic.AlbumKey, _ artists: inout Set<Int64>
    ) throws(DatabaseError) -> Int64 {
        let names = TrackRecord.names(album.artist)
        let artist = try self.artists.artist(names.first ?? AlbumGrouping.various)
        artists.insert(artist)
        let cover = try database.first("SELECT cover FROM folder WHERE path = ?", key.discs) {
            $0[0] as String?
        }
        try database.execute(
            """
            INSERT INTO album(title, artistName, artist, key, discs, sort, artistSort, year, picture, tracks,
                duration, added)
            VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT added FROM track WHERE id = ?))
            ON CONFLICT(key, discs, artist) DO UPDATE SET title = excluded.title,
                artistName = excluded.artistName, sort = excluded.sort, artistSort = excluded.artistSort,
                year = excluded.year, picture = excluded.picture, tracks = excluded.tracks,
                duration = excluded.duration
            """, album.title, names.joined(separator: ", "), artist, key.title, key.discs,
            SortKey.order(album.title), SortKey.order(album.artist), album.year,
            album.picture ?? cover ?? nil, album.tracks.count, album.duration, album.tracks.first?.id)
        let id = try database.first(
            "SELECT id FROM album WHERE key = ? AND discs = ? AND artist = ?", key.title, key.discs, artist
        ) { $0[0] as Int64 }
        for track in album.tracks {
            try database.execute(
                "UPDATE track SET albumID = ? WHERE id = ? AND albumID IS NOT ?", id, track.id, id)
        }
        return id ?? 0
    }
}
