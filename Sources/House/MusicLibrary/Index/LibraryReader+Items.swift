import Foundation
import TuttiDatabase

extension LibraryReader {
    /// The most tracks of one call: a queue has no use for more, and a page cannot show them.
    static let trackLimit = 20_000

    func tracks(of items: [LibraryItem]) throws(LibraryError) -> [PlayableTrack] {
        var tracks: [PlayableTrack] = []
        for item in items {
            tracks += try self.tracks(of: item)
            guard tracks.count <= Self.trackLimit else {
                throw LibraryError(
                    .limit, "These are more than \(Self.trackLimit) tracks. Add fewer at a time.")
            }
        }
        return tracks
    }

    private func tracks(of item: LibraryItem) throws(LibraryError) -> [PlayableTrack] {
        switch item {
        case .track(let id): return try found(rows("t.id = ?", id), "There is no track \(id).")
        case .album(let id): return try found(rows(ofAlbum: id), "There is no album \(id).")
        case .artist(let id):
            let rows = try rows(
                "t.id IN (SELECT track FROM credit WHERE artist = ?)", id,
                order: "a.year, t.albumSort, t.albumID, " + TrackRow.albumOrder)
            return try found(rows, "There is no artist \(id) with tracks.")
        case .folder(let path): return try tracks(ofFolder: path)
        case .playlist(let id): return try playableEntries(ofPlaylist: id)
        case .station(let id): return [try playable(station: id)]
        case .location(let location): return try tracks(at: location)
        }
    }

    private func found(_ rows: [TrackRow], _ message: String) throws(LibraryError) -> [PlayableTrack] {
        guard !rows.isEmpty else { throw LibraryError(.notFound, message) }
        return rows.map(\.playable)
    }

    private func rows(
        _ condition: String, _ value: any DatabaseValue, order: String = TrackRow.albumOrder
    ) throws(LibraryError) -> [TrackRow] {
        try onIndex { index throws(DatabaseError) in
            try index.all(
                """
                SELECT \(TrackRow.columns) FROM \(TrackRow.tables) WHERE \(condition) ORDER BY \(order)
                LIMIT \(Self.trackLimit + 1)
                """, value, read: TrackRow.init)
        }
    }

    func rows(ofAlbum id: Int64) throws(LibraryError) -> [TrackRow] { try rows("t.albumID = ?", id) }

    private func tracks(ofFolder path: String) throws(LibraryError) -> [PlayableTrack] {
        // A text that is no path may be an address with a password.
        guard let path = PathText.standard(path) else {
            throw LibraryError(.notFound, "That is no folder of the library.")
        }
        guard roots.contains(where: { PathText.isInside(path, $0) }) else {
            throw LibraryError(.notFound, "\(path) is no folder of the library.")
        }
        let rows = try onIndex { index throws(DatabaseError) in
            try index.all(
                """
                SELECT \(TrackRow.columns) FROM \(TrackRow.tables)
                WHERE f.path = ? OR f.path >= ? AND f.path < ? ORDER BY f.path, file.name, t.part
                LIMIT \(Self.trackLimit + 1)
                """, path, path + "/", path + "0", read: TrackRow.init)
        }
        return try found(rows, "\(path) has no tracks.")
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
        let known = try rows(at: path)
        if !known.isEmpty { return known.map(\.playable) }
        if let list = try playlist(at: path) { return try playableEntries(ofPlaylist: list) }
        guard isInsideRoots(path) else {
            throw LibraryError(.notFound, "\(path) is no file inside the library's folders.")
        }
        return [PlayableTrack(location: path, title: PathText.split(PathText.name(path)).stem)]
    }

    private static let locationLimit = 4096

    /// Whether a path names a file that, also with all symbolic links resolved, is inside the library's
    /// folders.
    ///
    /// Looks at no folder but the path's own: one on a network that is down would hold up all queries.
    func isInsideRoots(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        guard let root = roots.first(where: { PathText.isInside(path, $0) }),
            let real = PathText.resolved(path),
            FileManager.default.fileExists(atPath: real, isDirectory: &isFolder), !isFolder.boolValue
        else { return false }
        return roots.contains { PathText.isInside(real, $0) }
            || PathText.resolved(root).map { PathText.isInside(real, $0) } ?? false
    }

    /// Returns the tracks of a file of the index, in the order of its cue sheet.
    func rows(at path: String) throws(LibraryError) -> [TrackRow] {
        try onIndex { index throws(DatabaseError) in
            try index.all(
                """
                SELECT \(TrackRow.columns) FROM \(TrackRow.tables) WHERE f.path = ? AND file.name = ?
                ORDER BY t.part
                """, PathText.folder(path), PathText.name(path), read: TrackRow.init)
        }
    }

    private func title(ofAddress address: String) throws(LibraryError) -> String {
        // Own stations may be unavailable while the library is not: the address then gives the title.
        if let station = try? stations().first(where: { $0.address == address }) { return station.name }
        guard let url = URL(string: address), let host = url.host, !host.isEmpty else {
            throw LibraryError(.invalid, "That is no web address.")
        }
        let name = url.lastPathComponent
        return name.isEmpty || name == "/" ? host : name
    }
}
