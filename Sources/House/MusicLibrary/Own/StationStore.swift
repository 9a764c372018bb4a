import Foundation
import TuttiDatabase

/// The radio stations that users made. Confined to the reader's queue.
struct StationStore {
    let connections: LibraryConnections

    func all() throws(LibraryError) -> [LibraryStation] {
        let all = try connections.onOwn { own throws(DatabaseError) in
            try own.all("SELECT id, name, address, picture FROM station", read: Self.station)
        }
        return all.map { (SortKey.order($0.name), $0) }.sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.map(\.1)
    }

    private static func station(_ row: borrowing DatabaseRow) -> LibraryStation {
        LibraryStation(id: row[0], name: row[1], address: row[2], picture: row[3])
    }

    func playable(_ id: Int64) throws(LibraryError) -> PlayableTrack {
        let station = try connections.onOwn { own throws(DatabaseError) in
            try own.first(
                "SELECT id, name, address, picture FROM station WHERE id = ?", id, read: Self.station)
        }
        guard let station else { throw LibraryError(.notFound, "There is no station \(id).") }
        var track = PlayableTrack(location: station.address, title: station.name, isLive: true)
        track.picture = station.picture
        return track
    }

    func make(_ name: String, _ address: String, _ picture: String?) throws(LibraryError) -> Int64 {
        let values = try checked(name, address, picture)
        guard try all().count < OwnListRules.listLimit else {
            throw LibraryError(
                .limit, "There are \(OwnListRules.listLimit) stations already. Delete some first.")
        }
        return try connections.onOwn { own throws(DatabaseError) in
            try own.execute(
                "INSERT INTO station(name, address, picture) VALUES(?, ?, ?)", values.name, values.address,
                values.picture)
            return own.lastInsertedRow
        }
    }

    func change(
        _ id: Int64, _ name: String, _ address: String, _ picture: String?
    ) throws(LibraryError) {
        let values = try checked(name, address, picture)
        _ = try playable(id)
        try connections.onOwn { own throws(DatabaseError) in
            try own.execute(
                "UPDATE station SET name = ?, address = ?, picture = ? WHERE id = ?", values.name,
                values.address, values.picture, id)
        }
    }

    func delete(_ id: Int64) throws(LibraryError) {
        _ = try playable(id)
        try connections.onOwn { own throws(DatabaseError) in
            try own.execute("DELETE FROM station WHERE id = ?", id)
        }
    }

    private func checked(
        _ name: String, _ address: String, _ picture: String?
    ) throws(LibraryError) -> (name: String, address: String, picture: String?) {
        let name = try OwnListRules.name(name)
        let address = try checked(address: address)
        guard let picture, !picture.isEmpty else { return (name, address, nil) }
        return (name, address, try checked(address: picture))
    }

    private func checked(address: String) throws(LibraryError) -> String {
        let address = address.trimmingCharacters(in: .whitespaces)
        guard PathText.isAddress(address), address.utf8.count <= 2048,
            let host = URL(string: address)?.host, !host.isEmpty
        else {
            throw LibraryError(.invalid, "An address must begin with http:// or https:// and name a host.")
        }
        return address
    }
}
