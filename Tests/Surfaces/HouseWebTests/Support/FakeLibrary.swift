import Foundation
import Synchronization
import TuttiHouseWeb
import TuttiMusicLibrary

/// A library that records calls, and has one item of each kind, with the id 1.
final class FakeLibrary: LibraryReading {
    static let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 1, 2, 3]

    let calls = Mutex<[String]>([])

    private func record(_ call: String) { calls.withLock { $0.append(call) } }

    func takeCalls() -> [String] {
        calls.withLock { calls in
            defer { calls = [] }
            return calls
        }
    }

    /// Makes a value of a type without a public initializer.
    private func value<Value: Decodable>(_ json: String) throws(LibraryError) -> Value {
        do { return try JSONDecoder().decode(Value.self, from: Data(json.utf8)) } catch {
            throw LibraryError(.unavailable, "\(error)")
        }
    }

    private static let album = #"{"id":1,"title":"A","artist":"B","artistID":2,"tracks":3,"duration":4}"#
    private static let artist = #"{"id":1,"name":"B","albums":1,"tracks":3}"#
    private static let track = #"{"id":1,"title":"T","location":"/m/t.flac"}"#

    private func require(_ id: Int64, _ kind: String) throws(LibraryError) {
        guard id == 1 else { throw LibraryError(.notFound, "There is no \(kind) \(id).") }
    }

    func search(_ text: String, limit: Int) async throws(LibraryError) -> SearchResults {
        record("search \(text) \(limit)")
        var results = SearchResults()
        results.albums = [try value(Self.album)]
        return results
    }

    func albums(
        sort: LibraryAlbumSort, artist: Int64?, start: Int, count: Int
    ) async throws(LibraryError) -> LibraryPage<LibraryAlbum> {
        record("albums \(sort) \(artist ?? 0) \(start) \(count)")
        return try value(#"{"total":1,"start":0,"items":[\#(Self.album)]}"#)
    }

    func album(_ id: Int64) async throws(LibraryError) -> LibraryAlbumContents {
        try require(id, "album")
        return try value(
            #"{"id":1,"title":"A","artist":"B","artistID":2,"duration":4,"tracks":[\#(Self.track)]}"#)
    }

    func artists(start: Int, count: Int) async throws(LibraryError) -> LibraryPage<LibraryArtist> {
        record("artists \(start) \(count)")
        return try value(#"{"total":1,"start":0,"items":[\#(Self.artist)]}"#)
    }

    func artist(_ id: Int64) async throws(LibraryError) -> LibraryArtistContents {
        try require(id, "artist")
        return try value(#"{"id":1,"name":"B","tracks":3,"albums":[\#(Self.album)]}"#)
    }

    func tracks(
        sort: LibraryTrackSort, start: Int, count: Int
    ) async throws(LibraryError) -> LibraryPage<LibraryTrack> {
        record("tracks \(sort) \(start) \(count)")
        return try value(#"{"total":1,"start":0,"items":[\#(Self.track)]}"#)
    }

    func folder(_ path: String?) async throws(LibraryError) -> LibraryFolder {
        record("folder \(path ?? "-")")
        return try value(#"{"path":"\#(path ?? "")","folders":[],"tracks":[]}"#)
    }

    func rescan() { record("rescan") }

    func picture(_ id: String) async -> (bytes: [UInt8], mimeType: String)? {
        id == "abc" ? (Self.picture, "image/jpeg") : nil
    }

    func playlists() async throws(LibraryError) -> [LibraryPlaylist] {
        [try value(#"{"id":1,"name":"P","count":2,"isOwn":true}"#)]
    }

    func playlist(_ id: Int64) async throws(LibraryError) -> LibraryPlaylistContents {
        try require(id, "playlist")
        return try value(#"{"id":1,"name":"P","isOwn":true,"tracks":[\#(Self.track)]}"#)
    }

    func makePlaylist(name: String, tracks: [Int64]) async throws(LibraryError) -> Int64 {
        record("makePlaylist \(name) \(tracks)")
        return 9
    }

    func makePlaylist(name: String, tracks: [PlayableTrack]) async throws(LibraryError) -> Int64 {
        record("save \(name) \(tracks.map(\.location))")
        return 8
    }

    func changePlaylist(_ id: Int64, name: String?, tracks: [Int64]?) async throws(LibraryError) {
        try require(id, "playlist")
        record("changePlaylist \(name ?? "-") \(tracks ?? [])")
    }

    func deletePlaylist(_ id: Int64) async throws(LibraryError) {
        try require(id, "playlist")
        record("deletePlaylist")
    }

    func stations() async throws(LibraryError) -> [LibraryStation] {
        [try value(#"{"id":1,"name":"S","address":"http://s"}"#)]
    }

    func makeStation(name: String, address: String, picture: String?) async throws(LibraryError) -> Int64 {
        record("makeStation \(name) \(address) \(picture ?? "-")")
        return 7
    }

    func changeStation(
        _ id: Int64, name: String, address: String, picture: String?
    ) async throws(LibraryError) {
        try require(id, "station")
        record("changeStation \(name) \(address) \(picture ?? "-")")
    }

    func deleteStation(_ id: Int64) async throws(LibraryError) {
        try require(id, "station")
        record("deleteStation")
    }
}
