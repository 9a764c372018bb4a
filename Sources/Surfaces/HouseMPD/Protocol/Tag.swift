/// The tags that songs of the library have.
enum Tag: Int, CaseIterable, Sendable {
    case artist, albumArtist, title, album, track, name, genre, date, disc

    /// The protocol's name.
    var name: StaticString {
        switch self {
        case .artist: "Artist"
        case .albumArtist: "AlbumArtist"
        case .title: "Title"
        case .album: "Album"
        case .track: "Track"
        case .name: "Name"
        case .genre: "Genre"
        case .date: "Date"
        case .disc: "Disc"
        }
    }

    private static let byName = Dictionary(
        allCases.map { ("\($0.name)".lowercased(), $0) }, uniquingKeysWith: { $1 })

    /// Tags that the protocol has, and no song here.
    private static let absent = Dictionary(
        [
            "ArtistSort", "AlbumSort", "AlbumArtistSort", "TitleSort", "OriginalDate", "Composer",
            "ComposerSort",
            "Performer", "Conductor", "Work", "Movement", "MovementNumber", "ShowMovement", "Ensemble",
            "Location",
            "Grouping", "Label", "Comment", "Mood", "MUSICBRAINZ_ARTISTID", "MUSICBRAINZ_ALBUMID",
            "MUSICBRAINZ_ALBUMARTISTID", "MUSICBRAINZ_TRACKID", "MUSICBRAINZ_RELEASETRACKID",
            "MUSICBRAINZ_RELEASEGROUPID", "MUSICBRAINZ_WORKID",
        ].map { ($0.lowercased(), $0) }, uniquingKeysWith: { $1 })

    /// A tag of the protocol, by its name in any case.
    enum Named: Hashable, Sendable {
        case known(Tag)
        /// No song has the tag of this name.
        case absent(String)

        init?(_ text: String) {
            let name = text.lowercased()
            if let tag = Tag.byName[name] {
                self = .known(tag)
            } else if let name = Tag.absent[name] {
                self = .absent(name)
            } else {
                return nil
            }
        }
    }
}

/// A set of tags, which a client wants to be told of.
struct TagSet: OptionSet, Hashable, Sendable {
    let rawValue: Int

    init(rawValue: Int) { self.rawValue = rawValue }
    init(_ tag: Tag) { rawValue = 1 << tag.rawValue }

    static let all = TagSet(rawValue: (1 << Tag.allCases.count) - 1)

    func contains(_ tag: Tag) -> Bool { contains(TagSet(tag)) }
}
