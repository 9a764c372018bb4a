import TuttiMPRIS
import TuttiMusicLibrary

/// The facts of a track that queues do not tell.
struct TrackDetails: Hashable, Sendable {
    var albumArtist: String?
    var track: Int?
    var disc: Int?
    var year: Int?
    var genre: String?
    /// The address of a picture on this machine.
    var picture: String?

    /// Writes the facts into a track.
    func complete(_ player: inout PlayerTrack) {
        if let albumArtist { player.albumArtists = [albumArtist] }
        if let genre { player.genres = [genre] }
        (player.trackNumber, player.discNumber) = (track, disc)
        // A year alone is no date of ISO 8601's common form.
        player.created = year.flatMap { (1...9_999) ~= $0 ? Self.padded($0) + "-01-01" : nil }
        if let picture { player.art = picture }
    }

    private static func padded(_ year: Int) -> String {
        let digits = String(year)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

/// Looks up details in the library, and keeps the last ones.
actor TrackDetailCache {
    /// The most tracks that are kept.
    static let limit = 32

    private let library: any MPRISLibrary
    private let pictures: PictureFolder?
    private var kept: [(key: PlayableTrack, details: TrackDetails)] = []

    init(_ library: any MPRISLibrary, pictures: PictureFolder?) {
        (self.library, self.pictures) = (library, pictures)
    }

    func details(of track: PlayableTrack) async -> TrackDetails {
        if let index = kept.firstIndex(where: { $0.key == track }) {
            var entry = kept.remove(at: index)
            // The folder keeps fewer pictures than this cache has tracks.
            if let stored = entry.details.picture, pictures?.renew(stored) != true {
                entry.details.picture = await picture(of: track)
            }
            kept.append(entry)
            return entry.details
        }
        var details = await facts(of: track)
        details.picture = await picture(of: track)
        kept.append((track, details))
        if kept.count > Self.limit { kept.removeFirst() }
        return details
    }

    /// Returns what the library knows of a track; nothing while it cannot be read.
    private func facts(of track: PlayableTrack) async -> TrackDetails {
        var details = TrackDetails()
        // The library tells a single track in its folder only.
        guard let id = track.libraryID, let slash = track.location.lastIndex(of: "/"),
            let folder = try? await library.folder(String(track.location[..<slash])),
            let found = folder.tracks.first(where: { $0.id == id })
        else { return details }
        (details.track, details.disc, details.year) = (found.track, found.disc, found.year)
        details.genre = found.genre
        if let album = found.albumID { details.albumArtist = try? await library.album(album).artist }
        return details
    }

    private func picture(of track: PlayableTrack) async -> String? {
        guard let pictures, let id = track.picture, !id.contains("/"),
            let picture = await library.picture(id)
        else { return nil }
        return pictures.store(picture.bytes)
    }
}
