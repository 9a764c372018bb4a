import AVFoundation

/// A track, as lists show it. Encodes to JSON by its property names; `nil` properties are absent.
public struct LibraryTrack: Codable, Hashable, Sendable {
    /// The identity; stays while the file does. `nil` for an entry of a playlist that is not in the library.
    public var id: Int64?
    /// The title; the file's name without extension where there are no tags.
    public var title: String
    /// The artists, joined by commas.
    public var artist: String?
    /// The title of the album.
    public var album: String?
    /// The album in the library.
    public var albumID: Int64?
    /// The first of the artists in the library.
    public var artistID: Int64?
    /// The number on the disc.
    public var track: Int?
    /// The number of the disc.
    public var disc: Int?
    /// The year of the recording or release.
    public var year: Int?
    /// The genre.
    public var genre: String?
    /// Seconds; `nil` if unknown or endless.
    public var duration: Double?
    /// The path of the file, or a web address.
    public var location: String
    /// The picture's id, for ``MusicLibrary/picture(_:)``.
    public var picture: String?
    /// The codec's name for users.
    public var codec: String?
    /// Frames per second.
    public var sampleRate: Int?
    /// Bits per sample; `nil` for a lossy codec.
    public var bitDepth: Int?
    /// `true` while the file's folder is missing, such as a disk that is not mounted; otherwise `nil`.
    public var isMissing: Bool?

    /// Makes a track that is not in the library.
    public init(title: String, location: String) { (self.title, self.location) = (title, location) }
}

/// A track with what a player needs of it.
public struct PlayableTrack: Codable, Hashable, Sendable {
    /// The path of a file inside the library's folders, or a web address.
    public var location: String
    /// The title; the file's name without extension where there are no tags.
    public var title: String
    /// The artists, joined by commas.
    public var artist: String?
    /// The title of the album.
    public var album: String?
    /// Seconds; `nil` if unknown or endless.
    public var duration: Double?
    /// The track in the library; `nil` if it is not there.
    public var libraryID: Int64?
    /// The picture's id; of a station, the address of a picture.
    public var picture: String?
    /// Whether this is a radio station.
    public var isLive: Bool
    /// The start in the file in seconds, for a track of a cue sheet; 0 otherwise.
    public var start: Double
    /// The end in the file in seconds; `nil` for the end of the file.
    public var end: Double?
    /// The album in the library; `nil` without one.
    public var albumID: Int64?
    /// The number of the disc.
    public var disc: Int?
    /// The number on the disc.
    public var number: Int?
    /// The loudness by the file's tags; `nil` without such tags, or if the track is not in the library.
    public var loudness: TuttiLoudness?

    /// Makes a track of a whole file or address.
    public init(location: String, title: String, duration: Double? = nil, isLive: Bool = false) {
        (self.location, self.title, self.duration) = (location, title, duration)
        (self.isLive, start) = (isLive, 0)
    }
}

/// Something that ``MusicLibrary/tracks(of:)`` resolves to tracks.
public enum LibraryItem: Sendable, Hashable {
    /// A track.
    case track(Int64)
    /// An album, in its order.
    case album(Int64)
    /// All tracks of an artist, by album.
    case artist(Int64)
    /// A folder with those below it, by path.
    case folder(String)
    /// A playlist, in its order.
    case playlist(Int64)
    /// A radio station.
    case station(Int64)
    /// A path inside the library's folders, or an address that begins with `http://` or `https://`.
    case location(String)
}
