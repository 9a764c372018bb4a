/// A track with all that the library knows of it, for programs that keep an index of their own.
public struct LibrarySong: Hashable, Sendable {
    /// The identity; stays while the file does.
    public var id: Int64
    /// The path of the file's folder.
    public var folder: String
    /// The name of the file in its folder.
    public var file: String
    /// 0 for a whole file, from 1 for tracks of a cue sheet.
    public var part: Int
    /// The title; the file's name without extension where there are no tags.
    public var title: String
    /// The artists, one by one, in the order of the tags.
    public var artists: [String]
    /// The title of the album.
    public var album: String?
    /// The album's artist, as the tags have it.
    public var albumArtist: String?
    /// The genre.
    public var genre: String?
    /// The number on the disc.
    public var track: Int?
    /// The number of the disc.
    public var disc: Int?
    /// The year of the recording or release.
    public var year: Int?
    /// Seconds; `nil` if unknown.
    public var duration: Double?
    /// The start in the file in seconds, for a track of a cue sheet; 0 otherwise.
    public var start: Double
    /// The Unix time of the file's last change, in seconds.
    public var modified: Int64
    /// The picture's id, for ``MusicLibrary/picture(_:)``.
    public var picture: String?
}
