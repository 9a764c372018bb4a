import AirPlayMessages
import AirPlaySender

/// The texts and the picture that speakers' displays show while an item is audible. Tutti's extension.
///
/// Set ``AVPlayerItem/tuttiSpeakerDisplay``. A text of `nil` leaves the shown text unchanged; an empty text
/// clears it.
public struct TuttiSpeakerDisplay: Sendable, Hashable {
    /// The title of the track.
    public var title: String?
    /// The artist of the track.
    public var artist: String?
    /// The title of the album, or the name of a live stream.
    public var album: String?
    /// The artist of the album.
    public var albumArtist: String?
    /// The genre.
    public var genre: String?
    /// The number of the track on its disc, 0 ... 65,535.
    public var trackNumber: Int?
    /// The number of the disc, 0 ... 65,535.
    public var discNumber: Int?
    /// The year of the recording or release, 0 ... 65,535.
    public var year: Int?
    /// An encoded JPEG or PNG; pictures above 1 MiB are omitted. `nil` leaves the shown picture unchanged.
    public var artwork: [UInt8]?

    /// Creates a display without content.
    public init() {}

    /// Creates a display from the tags and the picture of a source.
    public init(_ media: TuttiMedia) {
        (title, artist, album, albumArtist) = (media.title, media.artist, media.album, media.albumArtist)
        (genre, trackNumber, discNumber) = (media.genre, media.trackNumber, media.discNumber)
        (year, artwork) = (media.year, media.artwork)
    }
}

extension TrackMetadata {
    /// - Parameter duration: Seconds; `nil` for a live stream.
    init(_ display: TuttiSpeakerDisplay, duration: Double?) {
        var dmap = DMAPMetadata()
        (dmap.title, dmap.artist, dmap.album) = (display.title, display.artist, display.album)
        (dmap.albumArtist, dmap.genre) = (display.albumArtist, display.genre)
        dmap.trackNumber = display.trackNumber.flatMap(UInt16.init(exactly:))
        dmap.discNumber = display.discNumber.flatMap(UInt16.init(exactly:))
        dmap.year = display.year.flatMap(UInt16.init(exactly:))
        dmap.durationMilliseconds = duration.flatMap { UInt32(exactly: ($0 * 1000).rounded()) }
        let artwork = display.artwork.flatMap { bytes in
            Artwork(kind: ArtworkKind(of: bytes) ?? .jpeg, bytes: bytes)
        }
        self.init(dmap: dmap, artwork: artwork)
    }
}
