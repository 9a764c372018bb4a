import AVFoundation
import Dispatch
import Foundation
import TuttiDatabase

/// The music of a house: what its folders hold, and the playlists and stations that users made.
///
/// Answers at once with what the database has; a scan in the background then finds what has changed. The scan
/// reads a file again only if its size, time or inode differ. Any task may call; queries run one after
/// another on a queue of their own, and take no turns with the scan.
public final class MusicLibrary: Sendable {
    let reader: LibraryReader
    let scanner: LibraryScanner
    private let pictures: PictureStore
    private let pictureQueue = DispatchQueue(label: "tutti.library.pictures", qos: .userInitiated)

    /// Opens the library, and starts the first scan.
    ///
    /// Blocks on the disk for some milliseconds. A damaged database is set aside, which
    /// ``LibraryState/troubles`` tells, and the scan fills a new one; own playlists and stations have a file
    /// of their own. While the database cannot be opened or created, queries throw
    /// ``LibraryError/Kind/unavailable``; the scan tells why in the state, and tries again each minute.
    /// - Throws: ``LibraryError`` if the system refuses a thread.
    public convenience init(_ configuration: LibraryConfiguration) throws(LibraryError) {
        try self.init(configuration, environment: ScanEnvironment())
    }

    init(_ configuration: LibraryConfiguration, environment: ScanEnvironment) throws(LibraryError) {
        var state = LibraryState()
        // The scan opens the same file, and tells a failure.
        let index = try? Self.open(
            configuration.databasePath, LibraryConnections.options, LibrarySchema.index, &state,
            whenSetAside: "The library is scanned again.")
        let options = DatabaseOptions(cacheByteCount: 1 << 20, survivesPowerCut: true)
        let own: Result<Database, LibraryError>
        do throws(LibraryError) {
            own = .success(
                try Self.open(
                    configuration.ownPath, options, LibrarySchema.own, &state,
                    whenSetAside: "Your own playlists and stations are lost unless you repair it."))
        } catch {
            own = .failure(error)
            state.troubles.append(LibraryTrouble(code: "database", message: error.description))
        }
        // The counts of a database that cannot be read are told by the scan.
        if let index, let counts = try? LibraryCounts.read(index) {
            (state.tracks, state.albums, state.artists) = counts
        }
        let requests = ScanRequests()
        reader = LibraryReader(configuration, index: index, own: own) { requests.add(.damaged) }
        pictures = PictureStore(path: configuration.picturesPath)
        scanner = LibraryScanner(
            configuration, requests: requests, state: state, reader: reader, environment: environment)
        try scanner.start()
    }

    deinit { close() }

    private static func open(
        _ path: String, _ options: DatabaseOptions, _ schema: [String], _ state: inout LibraryState,
        whenSetAside consequence: String
    ) throws(LibraryError) -> Database {
        do throws(DatabaseError) {
            do throws(DatabaseError) {
                return try Database(path: path, options: options, migrations: schema)
            } catch {
                guard error.kind == .corrupt, let aside = try Database.setAside(path) else { throw error }
                state.troubles.append(.setAside(error, aside, consequence))
                return try Database(path: path, options: options, migrations: schema)
            }
        } catch {
            throw LibraryError(.unavailable, error.description)
        }
    }

    /// Ends the scan and all ``changes()``; queries still answer. Idempotent.
    public func close() { scanner.close() }

    // MARK: State

    /// The state now.
    public var state: LibraryState { scanner.publisher.state }

    /// Returns the state now, then each later one, at most two a second. Ends with ``close()``.
    public func changes() -> AsyncStream<LibraryState> { scanner.publisher.changes() }

    /// Scans all folders again, in the background.
    public func rescan() { scanner.requests.add(.everything) }

    // MARK: Queries

    /// Returns what has words that begin with the words of a text.
    ///
    /// - Parameters:
    ///   - text: What a user typed; any text.
    ///   - limit: The most results of a kind, up to 200.
    public func search(_ text: String, limit: Int = 20) async throws(LibraryError) -> SearchResults {
        try await reader.run { queries throws(LibraryError) in
            try queries.search.results(text, limit: limit)
        }
    }

    /// Returns a page of the albums, of at most 1000.
    ///
    /// - Parameter artist: The artist whose albums are wanted; `nil` for all.
    public func albums(
        sort: LibraryAlbumSort = .title, artist: Int64? = nil, start: Int = 0, count: Int = 100
    ) async throws(LibraryError) -> LibraryPage<LibraryAlbum> {
        try await reader.run { queries throws(LibraryError) in
            try queries.browsing.albums(sort, artist: artist, start: start, count: count)
        }
    }

    /// Returns an album with its tracks.
    public func album(_ id: Int64) async throws(LibraryError) -> LibraryAlbumContents {
        try await reader.run { queries throws(LibraryError) in try queries.browsing.album(id) }
    }

    /// Returns a page of the artists, of at most 1000, sorted by name.
    public func artists(start: Int = 0, count: Int = 100) async throws(LibraryError) -> LibraryPage<
        LibraryArtist
    > {
        try await reader.run { queries throws(LibraryError) in
            try queries.browsing.artists(start: start, count: count)
        }
    }

    /// Returns an artist with the albums.
    public func artist(_ id: Int64) async throws(LibraryError) -> LibraryArtistContents {
        try await reader.run { queries throws(LibraryError) in try queries.browsing.artist(id) }
    }

    /// Returns a page of the tracks, of at most 1000.
    public func tracks(
        sort: LibraryTrackSort = .title, start: Int = 0, count: Int = 100
    ) async throws(LibraryError) -> LibraryPage<LibraryTrack> {
        try await reader.run { queries throws(LibraryError) in
            try queries.browsing.tracks(sort, start: start, count: count)
        }
    }

    /// Returns a folder's contents.
    ///
    /// - Parameter path: A path from an earlier answer; `nil` for the library's own folders.
    public func folder(_ path: String? = nil) async throws(LibraryError) -> LibraryFolder {
        try await reader.run { queries throws(LibraryError) in try queries.browsing.folder(path) }
    }

    /// Returns all playlists, sorted by name.
    public func playlists() async throws(LibraryError) -> [LibraryPlaylist] {
        try await reader.run { queries throws(LibraryError) in try queries.playlists.all() }
    }

    /// Returns a playlist with its tracks.
    public func playlist(_ id: Int64) async throws(LibraryError) -> LibraryPlaylistContents {
        try await reader.run { queries throws(LibraryError) in try queries.playlists.contents(id) }
    }

    /// Returns all stations, sorted by name.
    public func stations() async throws(LibraryError) -> [LibraryStation] {
        try await reader.run { queries throws(LibraryError) in try queries.stations.all() }
    }

    /// Returns the tracks of items, in the items' order and each in its own.
    ///
    /// - Throws: ``LibraryError/Kind/notFound`` for an item that does not exist or a path outside of the
    ///   library's folders, ``LibraryError/Kind/limit`` for more than 20,000 tracks.
    public func tracks(of items: [LibraryItem]) async throws(LibraryError) -> [PlayableTrack] {
        try await reader.run { queries throws(LibraryError) in try queries.items.tracks(of: items) }
    }

    /// Returns a picture and its MIME type, `image/jpeg` or `image/png`; `nil` if there is none of this id.
    public func picture(_ id: String) async -> (bytes: [UInt8], mimeType: String)? {
        guard let id = PictureID(id) else { return nil }
        return await withCheckedContinuation { continuation in
            pictureQueue.async { [pictures] in continuation.resume(returning: pictures.picture(id)) }
        }
    }
}

extension LibraryTrouble {
    /// - Parameter consequence: A sentence that says what follows.
    static func setAside(_ error: DatabaseError, _ path: String, _ consequence: String) -> LibraryTrouble {
        LibraryTrouble(
            code: "setAside", message: "\(error.description) It was moved to \(path). \(consequence)")
    }
}
