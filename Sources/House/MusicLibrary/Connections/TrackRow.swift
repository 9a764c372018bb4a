import AVFoundation
import TuttiDatabase

/// A track of the index, with what both lists and players need of it.
struct TrackRow: Hashable, Sendable {
    var track: LibraryTrack
    var start: Double
    var stop: Double?
    var loudness: TuttiLoudness?

    /// The columns, of the tables in ``tables``.
    static let columns = """
        t.id, t.title, t.artist, t.album, t.albumID, t.artistID, t.number, t.disc, t.year, t.genre, \
        t.duration, \
        f.path, file.name, coalesce(t.picture, f.cover, a.picture), t.codec, t.rate, t.depth, f.isMissing, \
        t.start, t.stop, t.trackGain, t.trackPeak, t.albumGain, t.albumPeak
        """
    /// A track, its file, its folder and its album.
    static let tables = """
        track t JOIN file ON file.id = t.file JOIN folder f ON f.id = file.folder \
        LEFT JOIN album a ON a.id = t.albumID
        """
    /// The order inside an album.
    static let albumOrder = "t.disc, t.number, f.path, file.name, t.part"

    init(_ row: borrowing DatabaseRow) {
        track = LibraryTrack(title: row[1], location: PathText.join(row[11], row[12]))
        (track.id, track.artist, track.album) = (row[0], row[2], row[3])
        (track.albumID, track.artistID, track.track, track.disc) = (row[4], row[5], row[6], row[7])
        (track.year, track.genre, track.duration) = (row[8], row[9], row[10])
        (track.picture, track.codec, track.sampleRate, track.bitDepth) = (row[13], row[14], row[15], row[16])
        track.isMissing = row[17] ? true : nil
        (start, stop) = (row[18], row[19])
        var loudness = TuttiLoudness()
        (loudness.trackGain, loudness.trackPeak) = (row[20], row[21])
        (loudness.albumGain, loudness.albumPeak) = (row[22], row[23])
        self.loudness = loudness == TuttiLoudness() ? nil : loudness
    }

    var playable: PlayableTrack {
        var playable = PlayableTrack(location: track.location, title: track.title)
        (playable.artist, playable.album, playable.duration) = (track.artist, track.album, track.duration)
        (playable.libraryID, playable.picture) = (track.id, track.picture)
        (playable.start, playable.end, playable.loudness) = (start, stop, loudness)
        (playable.albumID, playable.disc, playable.number) = (track.albumID, track.disc, track.track)
        return playable
    }
}

extension LibraryAlbum {
    static let columns = "a.id, a.title, a.artistName, a.artist, a.year, a.picture, a.tracks, a.duration"

    init(_ row: borrowing DatabaseRow) {
        (id, title, artist, artistID) = (row[0], row[1], row[2], row[3])
        (year, picture, tracks, duration) = (row[4], row[5], row[6], row[7])
    }
}

extension LibraryArtist {
    static let columns = "a.id, a.name, a.albums, a.tracks, a.picture"

    init(_ row: borrowing DatabaseRow) {
        (id, name, albums, tracks, picture) = (row[0], row[1], row[2], row[3], row[4])
    }
}
