import TuttiMusicLibrary

/// The library as the surface needs it: what ``MusicLibrary`` has. Any task.
protocol LibraryAccess: Sendable {
    func folder(_ path: String?) async throws(LibraryError) -> LibraryFolder
    func songs(after id: Int64, count: Int) async throws(LibraryError) -> [LibrarySong]
    func indexVersion() async throws(LibraryError) -> Int64
    func tracks(of items: [LibraryItem]) async throws(LibraryError) -> [PlayableTrack]
    func picture(_ id: String) async -> (bytes: [UInt8], mimeType: String)?
    func rescan()

    func playlists() async throws(LibraryError) -> [LibraryPlaylist]
    func playlistEntries(_ id: Int64) async throws(LibraryError) -> [PlayableTrack]
    func makePlaylist(name: String, tracks: [PlayableTrack]) async throws(LibraryError) -> Int64
    func changePlaylist(_ id: Int64, name: String?, tracks: [Int64]?) async throws(LibraryError)
    func editPlaylistEntries(
        _ id: Int64, _ edit: @Sendable (inout [PlayableTrack]) throws -> Void) async throws
    func deletePlaylist(_ id: Int64) async throws(LibraryError)
}

extension MusicLibrary: LibraryAccess {}
