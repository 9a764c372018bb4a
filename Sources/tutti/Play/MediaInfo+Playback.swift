import AirPlayMessages
import AirPlaySender
import Codecs
import MediaTime

extension TrackMetadata {
    /// Creates the metadata that speakers show for a file.
    ///
    /// - Parameters:
    ///   - title: The title from a playlist, used if the file has none.
    ///   - heard: The current title of a live stream; the stream's own name then becomes the album.
    init(_ info: MediaInfo, title: String? = nil, heard: TimedTitle? = nil) {
        var dmap = DMAPMetadata()
        dmap.title = info.tags.title ?? title ?? info.path.split(separator: "/").last.map(String.init)
        dmap.artist = info.tags.artist
        dmap.album = info.tags.album
        dmap.albumArtist = info.tags.albumArtist
        dmap.genre = info.tags.genre
        dmap.trackNumber = info.tags.track.flatMap(UInt16.init(exactly:))
        dmap.discNumber = info.tags.disc.flatMap(UInt16.init(exactly:))
        dmap.year = info.tags.year.flatMap(UInt16.init(exactly:))
        dmap.durationMilliseconds = info.duration.flatMap { UInt32(exactly: ($0.inSeconds * 1000).rounded()) }
        if let heard, !heard.title.isEmpty {
            (dmap.album, dmap.title, dmap.artist) = (dmap.title, heard.title, heard.artist)
        }
        let artwork = info.artwork.flatMap { picture in
            TrackMetadata.Artwork(kind: picture.mimeType == "image/png" ? .png : .jpeg, bytes: picture.bytes)
        }
        self.init(dmap: dmap, artwork: artwork)
    }
}
