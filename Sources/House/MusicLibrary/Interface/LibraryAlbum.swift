/// An album, as lists show it.
public struct LibraryAlbum: Codable, Hashable, Sendable {
    /// The identity; stays while title, artist and folder do.
    public var id: Int64
    /// The title.
    public var title: String
    /// The album's artist; "Various Artists" for a compilation.
    public var artist: String
    /// The artist in the library.
    public var artistID: Int64
    /// The year; `nil` if unknown.
    public var year: Int?
    /// The picture's id.
    public var picture: String?
    /// The number of tracks.
    public var tracks: Int
    /// Seconds of all tracks together.
    public var duration: Double
}

/// An album with its tracks, in its order.
public struct LibraryAlbumContents: Codable, Hashable, Sendable {
    /// The identity.
    public var id: Int64
    /// The title.
    public var title: String
    /// The album's artist.
    public var artist: String
    /// The artist in the library.
    public var artistID: Int64
    /// The year; `nil` if unknown.
    public var year: Int?
    /// The picture's id.
    public var picture: String?
    /// Seconds of all tracks together.
    public var duration: Double
    /// The tracks.
    public var tracks: [LibraryTrack]

    init(_ album: LibraryAlbum, tracks: [LibraryTrack]) {
        (id, title, artist, artistID) = (album.id, album.title, album.artist, album.artistID)
        (year, picture, duration, self.tracks) = (album.year, album.picture, album.duration, tracks)
    }
}

/// The order of albums.
public enum LibraryAlbumSort: String, Codable, Sendable, CaseIterable {
    /// By title.
    case title
    /// By artist, then by year.
    case artist
    /// By year, the latest first.
    case year
    /// By the time at which the library found them, the latest first.
    case added
}

/// The order of tracks.
public enum LibraryTrackSort: String, Codable, Sendable, CaseIterable {
    /// By title.
    case title
    /// By artist, then by album.
    case artist
    /// By album.
    case album
    /// By the time at which the library found them, the latest first.
    case added
}

/// An artist, as lists show it.
public struct LibraryArtist: Codable, Hashable, Sendable {
    /// The identity; stays while the name does.
    public var id: Int64
    /// The name.
    public var name: String
    /// The number of albums: the artist's own, and those with a track of the artist.
    public var albums: Int
    /// The number of tracks.
    public var tracks: Int
    /// The id of an album's picture.
    public var picture: String?
}

/// An artist with the albums.
public struct LibraryArtistContents: Codable, Hashable, Sendable {
    /// The identity.
    public var id: Int64
    /// The name.
    public var name: String
    /// The number of tracks.
    public var tracks: Int
    /// The id of an album's picture.
    public var picture: String?
    /// The artist's own albums by year, then those with a track of the artist.
    public var albums: [LibraryAlbum]

    init(_ artist: LibraryArtist, albums: [LibraryAlbum]) {
        (id, name, tracks, picture) = (artist.id, artist.name, artist.tracks, artist.picture)
        self.albums = albums
    }
}
