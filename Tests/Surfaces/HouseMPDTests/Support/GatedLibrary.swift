import Synchronization
import TuttiMusicLibrary
import TuttiTestSupport

@testable import TuttiHouseMPD

/// A library whose version can be made to wait, or to fail.
final class GatedLibrary: LibraryAccess {
    private struct State {
        var isClosed = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    let fails = Mutex(false)
    private let library: MusicLibrary
    private let state = Mutex(State())
    private let arrivals = Recorder(0)

    init(_ library: MusicLibrary) { self.library = library }

    /// Lets callers of ``indexVersion()`` wait from now on.
    func close() {
        state.withLock { $0.isClosed = true }
        arrivals.update { $0 = 0 }
    }

    /// Returns when a caller waits.
    func isReached() async { _ = try? await arrivals.wait(for: "a caller") { $0 > 0 ? true : nil } }

    /// Lets all callers continue.
    func open() {
        let waiters = state.withLock { state in
            defer { state = State() }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func indexVersion() async throws(LibraryError) -> Int64 {
        if fails.withLock({ $0 }) { throw LibraryError(.unavailable, "The version cannot be read now.") }
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                if state.isClosed { state.waiters.append(continuation) }
                return state.isClosed
            }
            if !waits { continuation.resume() }
            arrivals.update { $0 += 1 }
        }
        return try await library.indexVersion()
    }

    func folder(_ path: String?) async throws(LibraryError) -> LibraryFolder {
        try await library.folder(path)
    }
    func songs(after id: Int64, count: Int) async throws(LibraryError) -> [LibrarySong] {
        try await library.songs(after: id, count: count)
    }
    func tracks(of items: [LibraryItem]) async throws(LibraryError) -> [PlayableTrack] {
        try await library.tracks(of: items)
    }
    func picture(_ id: String) async -> (bytes: [UInt8], mimeType: String)? { await library.picture(id) }
    func rescan() { library.rescan() }
    func playlists() async throws(LibraryError) -> [LibraryPlaylist] { try await library.playlists() }
    func playlistEntries(_ id: Int64) async throws(LibraryError) -> [PlayableTrack] {
        try await library.playlistEntries(id)
    }
    func makePlaylist(name: String, tracks: [PlayableTrack]) async throws(LibraryError) -> Int64 {
        try await library.makePlaylist(name: name, tracks: tracks)
    }
    func changePlaylist(_ id: Int64, name: String?, tracks: [Int64]?) async throws(LibraryError) {
        try await library.changePlaylist(id, name: name, tracks: tracks)
    }
    func editPlaylistEntries(
        _ id: Int64, _ edit: @Sendable (inout [PlayableTrack]) throws -> Void
    ) async throws { try await library.editPlaylistEntries(id, edit) }
    func deletePlaylist(_ id: Int64) async throws(LibraryError) { try await library.deletePlaylist(id) }
}
