import TuttiDatabase

extension IndexWriter {
    /// Replaces the tracks of a file; those of the same part keep their identity.
    ///
    /// - Parameter added: The Unix time for tracks that are new.
    func setTracks(
        _ records: [TrackRecord], of file: Int64, in folder: Folder, added: Int64, _ affected: inout Affected
    ) throws(DatabaseError) {
        try note(file, in: &affected)
        var known: [Int: Int64] = [:]
        for (part, id) in try database.all(
            "SELECT part, id FROM track WHERE file = ?", file,
            read: { row in (row[0] as Int, row[1] as Int64) })
        {
            known[part] = id
        }
        for record in records {
            let artists = try record.artists.map { name throws(DatabaseError) in try artist(name) }
            let track = try write(
                record, id: known.removeValue(forKey: record.part), file, artists.first, added)
            try database.execute("DELETE FROM credit WHERE track = ?", track)
            for artist in artists {
                try database.execute(
                    "INSERT OR IGNORE INTO credit(artist, track) VALUES(?, ?)", artist, track)
            }
            affected.artists.formUnion(artists)
        }
        for id in known.values { try database.execute("DELETE FROM track WHERE id = ?", id) }
        try note(file, in: &affected)
    }

    private func write(
        _ record: TrackRecord, id: Int64?, _ file: Int64, _ artist: Int64?, _ added: Int64
    ) throws(DatabaseError) -> Int64 {
        let albumKey = SortKey.identity(record.album ?? "")
        let albumSort = SortKey.order(record.album ?? "")
        let artistSort = SortKey.order(record.artist ?? "")
        let picture = record.picture?.description
        if let id {
            try database.execute(
                """
                UPDATE track SET title = ?, artist = ?, album = ?, albumArtist = ?, genre = ?, number = ?,
                    disc = ?, year = ?, duration = ?, start = ?, stop = ?, codec = ?, rate = ?, depth = ?,
                    picture = ?, trackGain = ?, trackPeak = ?, albumGain = ?, albumPeak = ?, artistID = ?, sort = ?, artistSort = ?, albumKey = ?, albumSort = ?,
                    albumID = iif(? = '', NULL, albumID)
                WHERE id = ?
                """, record.title, record.artist, record.album, record.albumArtist, record.genre,
                record.number, record.disc, record.year, record.duration, record.start, record.stop,
                record.codec, record.sampleRate, record.bitDepth, picture, record.loudness?.trackGain,
                record.loudness?.trackPeak, record.loudness?.albumGain, record.loudness?.albumPeak, artist,
                SortKey.order(record.title), artistSort, albumKey, albumSort, albumKey, id)
            return id
        }
        try database.execute(
            """
            INSERT INTO track(title, artist, album, albumArtist, genre, number, disc, year, duration, start,
                stop, codec, rate, depth, picture, trackGain, trackPeak, albumGain, albumPeak, artistID, sort, artistSort, albumKey, albumSort, file,
                part, added)
            VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, record.title, record.artist, record.album, record.albumArtist, record.genre, record.number,
            record.disc, record.year, record.duration, record.start, record.stop, record.codec,
            record.sampleRate, record.bitDepth, picture, record.loudness?.trackGain,
            record.loudness?.trackPeak,
            record.loudness?.albumGain, record.loudness?.albumPeak, artist, SortKey.order(record.title),
            artistSort,
            albumKey, albumSort, file, record.part, added)
        return database.lastInsertedRow
    }

    /// Returns the artist of a name, made if there is none.
    private func artist(_ name: String) throws(DatabaseError) -> Int64 {
        let key = SortKey.identity(name)
        if let id = try database.first("SELECT id FROM artist WHERE key = ?", key, read: { $0[0] as Int64 }) {
            return id
        }
        try database.execute(
            "INSERT INTO artist(name, key, sort) VALUES(?, ?, ?)", name, key, SortKey.order(name))
        return database.lastInsertedRow
    }

    // MARK: Albums and artists

    /// Computes the albums and artists that a change concerned.
    func settle(_ affected: Affected) throws(DatabaseError) {
        var artists = affected.artists
        for key in affected.albums { try settle(key, &artists) }
        for artist in artists { try settleArtist(artist) }
    }

    private func settle(_ key: Affected.AlbumKey, _ artists: inout Set<Int64>) throws(DatabaseError) {
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
    private func tracks(of key: Affected.AlbumKey) throws(DatabaseError) -> [AlbumGrouping.Track] {
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
        _ album: AlbumGrouping.Album, _ key: Affected.AlbumKey, _ artists: inout Set<Int64>
    ) throws(DatabaseError) -> Int64 {
        let names = TrackRecord.names(album.artist)
        let artist = try artist(names.first ?? AlbumGrouping.various)
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

    /// Counts an artist's albums and tracks, and forgets an artist without any.
    private func settleArtist(_ id: Int64) throws(DatabaseError) {
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
