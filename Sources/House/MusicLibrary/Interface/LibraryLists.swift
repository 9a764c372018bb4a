/// A part of a long list.
public struct LibraryPage<Item: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// The number of items of the whole list.
    public var total: Int
    /// The place of the first item of ``items``, from 0.
    public var start: Int
    /// The items.
    public var items: [Item]
}

/// A playlist, as lists show it.
public struct LibraryPlaylist: Codable, Hashable, Sendable {
    /// The identity.
    public var id: Int64
    /// The name.
    public var name: String
    /// The number of entries.
    public var count: Int
    /// Whether the playlist was made here and can be changed; otherwise it is a file in the library's
    /// folders.
    public var isOwn: Bool
}

/// A playlist with its tracks.
public struct LibraryPlaylistContents: Codable, Hashable, Sendable {
    /// The identity.
    public var id: Int64
    /// The name.
    public var name: String
    /// Whether the playlist can be changed.
    public var isOwn: Bool
    /// The tracks; those that are not in the library have no id.
    public var tracks: [LibraryTrack]
}

/// A radio station.
public struct LibraryStation: Codable, Hashable, Sendable {
    /// The identity.
    public var id: Int64
    /// The name.
    public var name: String
    /// The address of the stream or of a playlist with it.
    public var address: String
    /// The address of a picture.
    public var picture: String?
}

/// A folder: those directly below it, and its tracks.
public struct LibraryFolder: Codable, Hashable, Sendable {
    /// A folder below.
    public struct Entry: Codable, Hashable, Sendable {
        /// The name.
        public var name: String
        /// The path.
        public var path: String
    }

    /// The path; empty for the list of the library's own folders.
    public var path: String
    /// The folder above; `nil` for one of the library's own folders.
    public var parent: String?
    /// The folders below, sorted by name.
    public var folders: [Entry]
    /// The tracks, sorted by file name; at most 20,000.
    public var tracks: [LibraryTrack]
}

/// The results of a search, best first. Hits in the title come before others.
public struct SearchResults: Codable, Hashable, Sendable {
    /// Tracks whose title, artists and album have all words.
    public var tracks: [LibraryTrack] = []
    /// Albums whose title and artist have all words.
    public var albums: [LibraryAlbum] = []
    /// Artists whose name has all words.
    public var artists: [LibraryArtist] = []
    /// Playlists whose name has all words.
    public var playlists: [LibraryPlaylist] = []
    /// Stations whose name has all words.
    public var stations: [LibraryStation] = []

    /// Makes empty results.
    public init() {}
}
