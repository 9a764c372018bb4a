import TuttiMusicLibrary

/// The part of ``MusicLibrary`` that the interface needs. Any task.
package protocol LibraryReading: Sendable {
    /// Finds items that match all words, best first; at most `limit` of each kind.
    func search(_ text: String, limit: Int) async throws(LibraryError) -> SearchResults
    /// Lists albums, of one artist or all.
    func albums(
        sort: LibraryAlbumSort, artist: Int64?, start: Int, count: Int
    ) async throws(LibraryError) -> LibraryPage<LibraryAlbum>
    /// Returns an album with its tracks.
    func album(_ id: Int64) async throws(LibraryError) -> LibraryAlbumContents
    /// Lists artists by name.
    func artists(start: Int, count: Int) async throws(LibraryError) -> LibraryPage<LibraryArtist>
    /// Returns an artist with the albums.
    func artist(_ id: Int64) async throws(LibraryError) -> LibraryArtistContents
    /// Lists tracks.
    func tracks(
        sort: LibraryTrackSort, start: Int, count: Int
    ) async throws(LibraryError) -> LibraryPage<LibraryTrack>
    /// Returns a folder; the library's own folders without a path.
    func folder(_ path: String?) async throws(LibraryError) -> LibraryFolder
    /// Scans the folders for changes now.
    func rescan()
    /// Returns a picture; `nil` if there is none of this id.
    func picture(_ id: String) async -> (bytes: [UInt8], mimeType: String)?

    /// Lists playlists by name.
    func playlists() async throws(LibraryError) -> [LibraryPlaylist]
    /// Returns a playlist with its tracks.
    func playlist(_ id: Int64) async throws(LibraryError) -> LibraryPlaylistContents
    /// Makes a playlist of tracks of the library, and returns its id.
    func makePlaylist(name: String, tracks: [Int64]) async throws(LibraryError) -> Int64
    /// Makes a playlist of any tracks, and returns its id.
    func makePlaylist(name: String, tracks: [PlayableTrack]) async throws(LibraryError) -> Int64
    /// Changes a playlist of the house; `nil` keeps a value.
    func changePlaylist(_ id: Int64, name: String?, tracks: [Int64]?) async throws(LibraryError)
    /// Deletes a playlist of the house.
    func deletePlaylist(_ id: Int64) async throws(LibraryError)

    /// Lists radio stations by name.
    func stations() async throws(LibraryError) -> [LibraryStation]
    /// Makes a station, and returns its id.
    func makeStation(name: String, address: String, picture: String?) async throws(LibraryError) -> Int64
    /// Changes a station.
    func changeStation(
        _ id: Int64, name: String, address: String, picture: String?
    ) async throws(LibraryError)
    /// Deletes a station.
    func deleteStation(_ id: Int64) async throws(LibraryError)
}

extension MusicLibrary: LibraryReading {}
