import TuttiDatabase

/// The tracks of the index. Confined to the scan's thread.
struct TrackTable {
    let database: Database
    let artists: ArtistTable
    let albums: AlbumTable

    /// Replaces the tracks of a file; those of the same part keep their identity.
    ///
    /// - Parameter added: The Unix time for tracks that are new.
    func setTracks(
        _ records: [TrackRecord], of file: Int64, in folder: KnownFolder, added: Int64,
        _ affected: inout AffectedMusic
    ) throws(DatabaseError) {
        try albums.note(file, in: &affected)
        var known: [Int: Int64] = [:]
        for (part, id) in try database.all(
            "SELECT part, id FROM track WHERE file = ?", file,
            read: { row in (row[0] as Int, row[1] as Int64) })
        {
            known[part] = id
        }
        for record in records {
            let artists = try record.artists.map { name throws(DatabaseError) in
                try self.artists.artist(name)
            }
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
        try albums.note(file, in: &affected)
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
}
