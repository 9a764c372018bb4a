import TuttiMusicLibrary

/// A song of the library or of a queue, as clients see it.
struct Song: Sendable {
    /// The track in the library; 0 for none.
    let id: Int64
    /// The address, such as `Artist/Album/01.flac`; of a track of a cue sheet, `Artist/album.flac/track0001`.
    let uri: String
    var title: String?
    /// The name of a radio station.
    var name: String?
    let artists: [String]
    let album: String?
    let albumArtist: String?
    let genre: String?
    let track: Int?
    let disc: Int?
    let date: String?
    let duration: Double?
    /// The Unix time of the file's last change, in seconds.
    let modified: Int64?
    let picture: String?

    /// Calls `body` with each value of a tag; an album's artist falls back to the artists.
    func each(_ tag: Tag, _ body: (String) -> Void) {
        switch tag {
        case .artist: artists.forEach(body)
        case .albumArtist: if let albumArtist { body(albumArtist) } else { artists.forEach(body) }
        case .title: title.map(body)
        case .album: album.map(body)
        case .genre: genre.map(body)
        case .date: date.map(body)
        case .track: track.map { body(String($0)) }
        case .disc: disc.map { body(String($0)) }
        case .name: name.map(body)
        }
    }

    /// Returns the values of a tag.
    func values(_ tag: Tag) -> [String] {
        var values: [String] = []
        each(tag) { values.append($0) }
        return values
    }
}

extension Song {
    /// Makes the song of a library.
    ///
    /// - Parameter folder: The address of its folder.
    init(_ song: LibrarySong, folder: String) {
        let file = folder.isEmpty ? song.file : "\(folder)/\(song.file)"
        self.init(
            id: song.id, uri: song.part > 0 ? "\(file)/\(Self.partName(song.part))" : file, title: song.title,
            name: nil, artists: song.artists, album: song.album, albumArtist: song.albumArtist,
            genre: song.genre,
            track: song.track, disc: song.disc, date: song.year.map { String($0) }, duration: song.duration,
            modified: song.modified, picture: song.picture)
    }

    /// Makes the song of a queue or playlist that is not in the catalogue.
    init(_ track: PlayableTrack, uri: String) {
        self.init(
            id: track.libraryID ?? 0, uri: uri, title: track.isLive ? nil : track.title,
            name: track.isLive ? track.title : nil, artists: track.artist.map { [$0] } ?? [],
            album: track.album,
            albumArtist: nil, genre: nil, track: nil, disc: nil, date: nil, duration: track.duration,
            modified: nil,
            picture: track.isLive ? nil : track.picture)
    }

    /// The last part of the address of a cue sheet's track.
    private static func partName(_ part: Int) -> String {
        let digits = String(part)
        return "track" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension Response {
    /// Appends a song of the library.
    ///
    /// - Parameter tags: The tags that the client wants.
    mutating func add(_ song: Song, _ tags: TagSet) {
        add("file", song.uri)
        if let modified = song.modified { add("Last-Modified", time: modified) }
        if tags.contains(.artist) { for artist in song.artists { add("Artist", artist) } }
        if tags.contains(.albumArtist), let albumArtist = song.albumArtist { add("AlbumArtist", albumArtist) }
        if tags.contains(.title), let title = song.title { add("Title", title) }
        if tags.contains(.album), let album = song.album { add("Album", album) }
        if tags.contains(.track), let track = song.track { add("Track", track) }
        if tags.contains(.name), let name = song.name { add("Name", name) }
        if tags.contains(.date), let date = song.date { add("Date", date) }
        if tags.contains(.genre), let genre = song.genre { add("Genre", genre) }
        if tags.contains(.disc), let disc = song.disc { add("Disc", disc) }
        if let duration = song.duration { add(duration: duration) }
    }

    /// Appends a duration in both forms that the protocol has.
    mutating func add(duration: Double) {
        guard duration.isFinite, duration >= 0, duration < 1e9 else { return }
        add("Time", Int(nearest: duration))
        add("duration", seconds: duration)
    }
}
