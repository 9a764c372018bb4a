import TuttiMusicLibrary

/// The library as players need it, for what queues do not tell. Any task.
package protocol MPRISLibrary: Sendable {
    /// Returns a folder with its tracks.
    func folder(_ path: String?) async throws(LibraryError) -> LibraryFolder
    /// Returns an album.
    func album(_ id: Int64) async throws(LibraryError) -> LibraryAlbumContents
    /// Returns a picture; `nil` if there is none of this id.
    func picture(_ id: String) async -> (bytes: [UInt8], mimeType: String)?
}

extension MusicLibrary: MPRISLibrary {}
