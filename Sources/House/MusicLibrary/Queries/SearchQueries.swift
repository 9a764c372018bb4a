import TuttiDatabase

/// The search for words. Confined to the reader's queue.
struct SearchQueries {
    /// The most hits of a kind.
    private static let searchLimit = 200
    /// The most hits that are looked at to find the best ones: a search for a single letter has tens of
    /// thousands.
    private static let candidateLimit = 400

    let connections: LibraryConnections
    let playlists: PlaylistStore
    let stations: StationStore

    func results(_ text: String, limit: Int) throws(LibraryError) -> SearchResults {
        let words = SearchWords(text)
        let limit = min(max(0, limit), Self.searchLimit)
        var results = SearchResults()
        guard !words.isEmpty, limit > 0 else { return results }
        results.tracks = try tracks(words, limit)
        results.albums = try connections.onIndex { index throws(DatabaseError) in
            let ids = try Self.hits(index, words, table: "album", title: "title", limit)
            return try Self.each(ids) { id throws(DatabaseError) in
                try index.first(
                    "SELECT \(LibraryAlbum.columns) FROM album a WHERE a.id = ?", id, read: LibraryAlbum.init)
            }
        }
        results.artists = try connections.onIndex { index throws(DatabaseError) in
            let ids = try Self.hits(index, words, table: "artist", title: "name", limit)
            return try Self.each(ids) { id throws(DatabaseError) in
                try index.first(
                    "SELECT \(LibraryArtist.columns) FROM artist a WHERE a.id = ?", id,
                    read: LibraryArtist.init)
            }
        }
        results.playlists = Array(try playlists.all().lazy.filter { words.matches($0.name) }.prefix(limit))
        // Own lists may be unavailable while the library is not.
        let stations = (try? stations.all()) ?? []
        results.stations = Array(stations.lazy.filter { words.matches($0.name) }.prefix(limit))
        return results
    }

    private func tracks(_ words: SearchWords, _ limit: Int) throws(LibraryError) -> [LibraryTrack] {
        try connections.onIndex { index throws(DatabaseError) in
            let ids = try Self.hits(index, words, table: "track", title: "title", limit)
            return try Self.each(ids) { id throws(DatabaseError) in
                try index.first(
                    "SELECT \(TrackRow.columns) FROM \(TrackRow.tables) WHERE t.id = ?", id
                ) { TrackRow($0).track }
            }
        }
    }

    private static func each<Value>(
        _ ids: [Int64], _ read: (Int64) throws(DatabaseError) -> Value?
    ) throws(DatabaseError) -> [Value] {
        var values: [Value] = []
        for id in ids { if let value = try read(id) { values.append(value) } }
        return values
    }

    /// Returns the best hits: titles that begin with the whole text, then titles with all words, then others.
    private static func hits(
        _ index: Database, _ words: SearchWords, table: String, title: String, _ limit: Int
    ) throws(DatabaseError) -> [Int64] {
        var found: [Int64] = []
        var known: Set<Int64> = []
        func add(_ ids: [Int64]) {
            for id in ids where found.count < limit && known.insert(id).inserted { found.append(id) }
        }
        if !words.key.isEmpty {
            add(
                try index.all(
                    "SELECT id FROM \(table) WHERE sort >= ? AND sort < ? ORDER BY sort LIMIT ?", words.key,
                    words.key + "\u{10FFFF}", limit
                ) { $0[0] })
        }
        for query in [words.query(column: title), words.query()] where found.count < limit {
            add(
                try index.all(
                    """
                    SELECT id FROM \(table) WHERE id IN
                        (SELECT rowid FROM \(table)Text WHERE \(table)Text MATCH ? LIMIT ?)
                    ORDER BY sort
                    """, query, candidateLimit
                ) { $0[0] })
        }
        return found
    }
}
