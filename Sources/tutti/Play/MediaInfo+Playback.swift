import AirPlayMessages
import AirPlaySender
import Codecs
import MediaTime

extension TrackMetadata {
    /// What speakers show of a file.
    ///
    /// - Parameters:
    ///   - title: What a list calls it.
    ///   - heard: What a live stream plays; its own name is then that of the album.
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
