/// The decision which tracks of one title in one folder are an album.
struct AlbumGrouping {
    /// A track with this album's title.
    struct Track: Hashable {
        var id: Int64
        var title: String
        var albumArtist: String?
        /// The first artist.
        var artist: String?
        var year: Int?
        var duration: Double?
        var picture: String?
    }

    /// An album.
    struct Album: Hashable {
        var title: String
        var artist: String
        var tracks: [Track]

        /// The year of most tracks; of several such the earliest.
        var year: Int? {
            let counts = Dictionary(grouping: tracks.compactMap(\.year)) { $0 }.mapValues(\.count)
            return counts.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
        }
        /// The first picture.
        var picture: String? { tracks.lazy.compactMap(\.picture).first }
        var duration: Double { tracks.reduce(0) { $0 + ($1.duration ?? 0) } }
    }

    /// The artist of a compilation.
    static let various = "Various Artists"

    /// Sorts tracks into albums: by the first album artist where there is one; all others are one album, of
    /// their artist or of various ones.
    ///
    /// - Parameter tracks: Tracks of one title and folder, in their order.
    static func albums(_ tracks: [Track]) -> [Album] {
        let others = Set(tracks.filter { $0.albumArtist == nil }.map { SortKey.identity($0.artist ?? "") })
        var albums: [String: Album] = [:]
        var order: [String] = []
        for track in tracks {
            let common = others.count == 1 ? track.artist ?? various : various
            let artist = track.albumArtist ?? common
            let key = SortKey.identity(TrackRecord.names(artist).first ?? various)
            if albums[key] == nil { order.append(key) }
            albums[key, default: Album(title: track.title, artist: artist, tracks: [])].tracks.append(track)
        }
        return order.compactMap { albums[$0] }
    }
}
