import Foundation
import TuttiDatabase

/// The identity of a playlist: that of a file or that of an own one, in one range of numbers.
struct PlaylistNumber: Hashable {
    var row: Int64
    var isOwn: Bool

    init(row: Int64, isOwn: Bool) { (self.row, self.isOwn) = (row, isOwn) }

    /// Takes an identity from outside.
    init(_ id: Int64) { self.init(row: id >> 1, isOwn: id & 1 == 1) }

    /// The identity: odd for own playlists.
    var id: Int64 { row << 1 | (isOwn ? 1 : 0) }
}

extension LibraryReader {
    /// The most own playlists and stations.
    private static let listLimit = 2000
    /// The most tracks of an own playlist.
    private static let entryLimit = 20_000
    private static let nameLimit = 200

    func playlists() throws(LibraryError) -> [LibraryPlaylist] {
        let files = try onIndex { index throws(DatabaseError) in
            try index.all("SELECT id, name, count FROM playlist ORDER BY sort LIMIT 10000") { row in
                LibraryPlaylist(
                    id: PlaylistNumber(row: row[0], isOwn: false).id, name: row[1], count: row[2],
                    isOwn: false)
            }
        }
        // Own lists may be unavailable while the library is not.
        let own = try? onOwn { own throws(DatabaseError) in
            try own.all("SELECT id, name, count FROM playlist") { row in
                LibraryPlaylist(
                    id: PlaylistNumber(row: row[0], isOwn: true).id, name: row[1], count: row[2], isOwn: true)
            }
        }
        return (files + (own ?? [])).map { (SortKey.order($0.name), $0) }
            .sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.map(\.1)
    }

    func playlist(_ id: Int64) throws(LibraryError) -> LibraryPlaylistContents {
        let number = PlaylistNumber(id)
        let tracks = try entries(of: number).map(\.track)
        return LibraryPlaylistContents(
            id: id, name: try name(of: number), isOwn: number.isOwn, tracks: tracks)
    }

    /// Returns the playlist whose file has this path.
    func playlist(at path: String) throws(LibraryError) -> Int64? {
        try onIndex { index throws(DatabaseError) in
            try index.first(
                """
                SELECT playlist.id FROM playlist JOIN file ON file.id = playlist.file
                JOIN folder f ON f.id = file.folder WHERE f.path = ? AND file.name = ?
                """, PathText.folder(path), PathText.name(path)
            ) { PlaylistNumber(row: $0[0], isOwn: false).id }
        }
    }

    /// Returns the entries that may be played: those of the library, files inside its folders, and web
    /// addresses.
    func playableEntries(ofPlaylist id: Int64) throws(LibraryError) -> [PlayableTrack] {
        let number = PlaylistNumber(id)
        _ = try name(of: number)
        return try entries(of: number).map(\.playable).filter { track in
            track.libraryID != nil || PathText.isAddress(track.location) || isInsideRoots(track.location)
        }
    }

    private func name(of number: PlaylistNumber) throws(LibraryError) -> String {
        let name: String?
        if number.isOwn {
            name = try onOwn { own throws(DatabaseError) in
                try own.first("SELECT name FROM playlist WHERE id = ?", number.row) { $0[0] as String }
            }
        } else {
            name = try onIndex { index throws(DatabaseError) in
                try index.first("SELECT name FROM playlist WHERE id = ?", number.row) { $0[0] as String }
            }
        }
        guard let name else { throw LibraryError(.notFound, "There is no playlist \(number.id).") }
        return name
    }

    // MARK: Entries

    /// An entry as a list has it, and as the library knows it.
    private struct Entry {
        var track: LibraryTrack
        var playable: PlayableTrack
    }

    private func entries(of number: PlaylistNumber) throws(LibraryError) -> [Entry] {
        let stored = try number.isOwn ? ownEntries(number.row) : fileEntries(number.row)
        var entries: [Entry] = []
        for entry in stored { entries += try resolve(entry.track, part: entry.part) }
        return entries
    }

    func fileEntries(_ row: Int64) throws(LibraryError) -> [(track: PlayableTrack, part: Double?)] {
        try onIndex { index throws(DatabaseError) in
            try index.all("SELECT location, title FROM entry WHERE playlist = ? ORDER BY place", row) { row in
                let title = row[1] as String?
                let location: String = row[0]
                let name =
                    PathText.isAddress(location) ? location : PathText.split(PathText.name(location)).stem
                return (PlayableTrack(location: location, title: title ?? name), nil)
            }
        }
    }

    func ownEntries(_ row: Int64) throws(LibraryError) -> [(track: PlayableTrack, part: Double?)] {
        try onOwn { own throws(DatabaseError) in
            try own.all(
                """
                SELECT location, title, isLive, start, stop, artist, album, duration FROM entry
                WHERE playlist = ? ORDER BY place
                """, row
            ) { row in
                var track = PlayableTrack(location: row[0], title: row[1], isLive: row[2])
                (track.start, track.end, track.artist) = (row[3], row[4], row[5])
                (track.album, track.duration) = (row[6], row[7])
                return (track, track.start)
            }
        }
    }

    /// Finds an entry in the library; one that is not there stays as it is.
    ///
    /// - Parameter part: The start of the track in the file; `nil` for all tracks of the file.
    private func resolve(_ entry: PlayableTrack, part: Double?) throws(LibraryError) -> [Entry] {
        let rows = PathText.isAddress(entry.location) ? [] : try rows(at: entry.location)
        let wanted = rows.filter { row in part.map { abs($0 - row.start) < 0.01 } ?? true }
        guard wanted.isEmpty else { return wanted.map { Entry(track: $0.track, playable: $0.playable) } }
        var track = LibraryTrack(title: entry.title, location: entry.location)
        (track.artist, track.album, track.duration) = (entry.artist, entry.album, entry.duration)
        return [Entry(track: track, playable: entry)]
    }

    // MARK: Own playlists

    func makePlaylist(_ name: String, _ tracks: [PlayableTrack]) throws(LibraryError) -> Int64 {
        let name = try checked(name: name)
        try check(tracks)
        let count = try onOwn { own throws(DatabaseError) in
            try own.first("SELECT count(*) FROM playlist") { $0[0] as Int }
        }
        guard count ?? 0 < Self.listLimit else {
            throw LibraryError(.limit, "There are \(Self.listLimit) playlists already. Delete some first.")
        }
        return try onOwn { own throws(DatabaseError) in
            try own.transaction { () throws(DatabaseError) in
                try own.execute("INSERT INTO playlist(name, count) VALUES(?, ?)", name, tracks.count)
                let row = own.lastInsertedRow
                try Self.write(tracks, to: row, own)
                return PlaylistNumber(row: row, isOwn: true).id
            }
        }
    }

    func changePlaylist(_ id: Int64, name: String?, tracks: [PlayableTrack]?) throws(LibraryError) {
        let number = try ownNumber(id)
        var checkedName: String?
        if let name { checkedName = try checked(name: name) }
        if let tracks { try check(tracks) }
        let newName = checkedName
        try onOwn { own throws(DatabaseError) in
            try own.transaction { () throws(DatabaseError) in
                if let newName {
                    try own.execute("UPDATE playlist SET name = ? WHERE id = ?", newName, number.row)
                }
                guard let tracks else { return }
                try own.execute("DELETE FROM entry WHERE playlist = ?", number.row)
                try own.execute("UPDATE playlist SET count = ? WHERE id = ?", tracks.count, number.row)
                try Self.write(tracks, to: number.row, own)
            }
        }
    }

    func deletePlaylist(_ id: Int64) throws(LibraryError) {
        let number = try ownNumber(id)
        try onOwn { own throws(DatabaseError) in
            try own.execute("DELETE FROM playlist WHERE id = ?", number.row)
        }
    }

    private static func write(_ tracks: [PlayableTrack], to row: Int64, _ own: Database) throws(DatabaseError)
    {
        for (place, track) in tracks.enumerated() {
            try own.execute(
                """
                INSERT INTO entry(playlist, place, location, start, stop, title, artist, album, duration,
                    isLive)
                VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, row, place, track.location, track.start, track.end, track.title, track.artist,
                track.album, track.duration, track.isLive)
        }
    }

    /// Returns the number of an own playlist that exists.
    private func ownNumber(_ id: Int64) throws(LibraryError) -> PlaylistNumber {
        let number = PlaylistNumber(id)
        _ = try name(of: number)
        guard number.isOwn else {
            throw LibraryError(
                .invalid, "Playlist \(id) is a file in the library's folders and cannot be changed.")
        }
        return number
    }

    private func check(_ tracks: [PlayableTrack]) throws(LibraryError) {
        guard tracks.count <= Self.entryLimit else {
            throw LibraryError(.limit, "A playlist has at most \(Self.entryLimit) tracks.")
        }
    }

    private func checked(name: String) throws(LibraryError) -> String {
        let name = String(name.filter { !$0.isNewline }).trimmingCharacters(in: .whitespaces)
        guard !name.isEmpty, name.count <= Self.nameLimit else {
            throw LibraryError(.invalid, "A name has 1 to \(Self.nameLimit) characters.")
        }
        return name
    }

    // MARK: Stations

    func stations() throws(LibraryError) -> [LibraryStation] {
        let all = try onOwn { own throws(DatabaseError) in
            try own.all("SELECT id, name, address, picture FROM station", read: Self.station)
        }
        return all.map { (SortKey.order($0.name), $0) }.sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.map(\.1)
    }

    private static func station(_ row: borrowing DatabaseRow) -> LibraryStation {
        LibraryStation(id: row[0], name: row[1], address: row[2], picture: row[3])
    }

    func playable(station id: Int64) throws(LibraryError) -> PlayableTrack {
        let station = try onOwn { own throws(DatabaseError) in
            try own.first(
                "SELECT id, name, address, picture FROM station WHERE id = ?", id, read: Self.station)
        }
        guard let station else { throw LibraryError(.notFound, "There is no station \(id).") }
        var track = PlayableTrack(location: station.address, title: station.name, isLive: true)
        track.picture = station.picture
        return track
    }

    func makeStation(_ name: String, _ address: String, _ picture: String?) throws(LibraryError) -> Int64 {
        let values = try checked(name, address, picture)
        guard try stations().count < Self.listLimit else {
            throw LibraryError(.limit, "There are \(Self.listLimit) stations already. Delete some first.")
        }
        return try onOwn { own throws(DatabaseError) in
            try own.execute(
                "INSERT INTO station(name, address, picture) VALUES(?, ?, ?)", values.name, values.address,
                values.picture)
            return own.lastInsertedRow
        }
    }

    func changeStation(
        _ id: Int64, _ name: String, _ address: String, _ picture: String?
    ) throws(LibraryError) {
        let values = try checked(name, address, picture)
        _ = try playable(station: id)
        try onOwn { own throws(DatabaseError) in
            try own.execute(
                "UPDATE station SET name = ?, address = ?, picture = ? WHERE id = ?", values.name,
                values.address, values.picture, id)
        }
    }

    func deleteStation(_ id: Int64) throws(LibraryError) {
        _ = try playable(station: id)
        try onOwn { own throws(DatabaseError) in
            try own.execute("DELETE FROM station WHERE id = ?", id)
        }
    }

    private func checked(
        _ name: String, _ address: String, _ picture: String?
    ) throws(LibraryError) -> (name: String, address: String, picture: String?) {
        let name = try checked(name: name)
        let address = try checked(address: address)
        guard let picture, !picture.isEmpty else { return (name, address, nil) }
        return (name, address, try checked(address: picture))
    }

    private func checked(address: String) throws(LibraryError) -> String {
        let address = address.trimmingCharacters(in: .whitespaces)
        guard PathText.isAddress(address), address.utf8.count <= 2048,
            let host = URL(string: address)?.host, !host.isEmpty
        else {
            throw LibraryError(.invalid, "An address begins with http:// or https://, and names a host.")
        }
        return address
    }
}
