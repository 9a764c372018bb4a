import Foundation

/// The tracks of the items that users play. Confined to the reader's queue.
struct ItemQueries {
    private static let locationLimit = 4096

    let rows: TrackRows
    let roots: LibraryRoots
    let playlists: PlaylistStore
    let stations: StationStore

    func tracks(of items: [LibraryItem]) throws(LibraryError) -> [PlayableTrack] {
        var tracks: [PlayableTrack] = []
        for item in items {
            tracks += try self.tracks(of: item)
            guard tracks.count <= TrackRows.limit else {
                throw LibraryError(
                    .limit, "These items have more than \(TrackRows.limit) tracks. Add fewer at a time.")
            }
        }
        return tracks
    }

    private func tracks(of item: LibraryItem) throws(LibraryError) -> [PlayableTrack] {
        switch item {
        case .track(let id): return try found(rows.rows("t.id = ?", id), "There is no track \(id).")
        case .album(let id): return try found(rows.rows(ofAlbum: id), "There is no album \(id).")
        case .artist(let id):
            return try found(rows.rows(ofArtist: id), "There is no artist \(id) with tracks.")
        case .folder(let path): return try tracks(ofFolder: path)
        case .playlist(let id): return try playlists.playableEntries(of: id)
        case .station(let id): return [try stations.playable(id)]
        case .location(let location): return try tracks(at: location)
        }
    }

    private func found(_ rows: [TrackRow], _ message: String) throws(LibraryError) -> [PlayableTrack] {
        guard !rows.isEmpty else { throw LibraryError(.notFound, message) }
        return rows.map(\.playable)
    }

    private func tracks(ofFolder path: String) throws(LibraryError) -> [PlayableTrack] {
        // A text that is no path may be an address with a password.
        guard let path = PathText.standard(path) else {
            throw LibraryError(.notFound, "That is not a folder of the library.")
        }
        guard roots.contain(path) else {
            throw LibraryError(.notFound, "\(path) is not a folder of the library.")
        }
        return try found(rows.rows(inFolder: path), "\(path) has no tracks.")
    }

    // MARK: Locations

    /// Returns the tracks of a path: those of the index, or the file itself if it is inside the library's
    /// folders.
    private func tracks(at location: String) throws(LibraryError) -> [PlayableTrack] {
        guard location.utf8.count <= Self.locationLimit else {
            throw LibraryError(.invalid, "The location is too long.")
        }
        if PathText.isAddress(location) {
            return [PlayableTrack(location: location, title: try title(ofAddress: location))]
        }
        guard let path = PathText.standard(location) else {
            throw LibraryError(.invalid, "That is neither an absolute path nor a web address.")
        }
        let known = try rows.rows(at: path)
        if !known.isEmpty { return known.map(\.playable) }
        if let list = try playlists.playlist(at: path) { return try playlists.playableEntries(of: list) }
        guard roots.containFile(path) else {
            throw LibraryError(.notFound, "\(path) is not a file in the library's folders.")
        }
        return [PlayableTrack(location: path, title: PathText.split(PathText.name(path)).stem)]
    }

    private func title(ofAddress address: String) throws(LibraryError) -> String {
        // Own stations may be unavailable while the library is not: the address then gives the title.
        if let station = try? stations.all().first(where: { $0.address == address }) { return station.name }
        guard let url = URL(string: address), let host = url.host, !host.isEmpty else {
            throw LibraryError(.invalid, "That is not a web address.")
        }
        let name = url.lastPathComponent
        return name.isEmpty || name == "/" ? host : name
    }
}
