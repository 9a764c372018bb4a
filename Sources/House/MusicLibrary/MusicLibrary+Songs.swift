extension MusicLibrary {
    /// Returns tracks by their ids: the first ones after `id`, at most 5000. An empty page ends the list.
    ///
    /// Reading all of a large library page by page holds up no other query for long.
    ///
    /// - Parameter id: The last id of the page before; 0 for the first page.
    public func songs(after id: Int64, count: Int = 1000) async throws(LibraryError) -> [LibrarySong] {
        try await reader.run { queries throws(LibraryError) in
            try queries.songs.songs(after: id, count: count)
        }
    }

    /// Returns a number that differs when a scan has written to the index since the last call.
    ///
    /// Equal numbers mean equal tracks, as long as the database was not replaced, which
    /// ``LibraryState/troubles`` tells.
    public func indexVersion() async throws(LibraryError) -> Int64 {
        try await reader.run { queries throws(LibraryError) in try queries.songs.indexVersion() }
    }

    // MARK: Entries of playlists

    /// Returns the entries of a playlist as they are stored: one for each place, also those that cannot be played.
    ///
    /// Entries of the library have their ``PlayableTrack/libraryID``.
    public func playlistEntries(_ id: Int64) async throws(LibraryError) -> [PlayableTrack] {
        try await reader.run { queries throws(LibraryError) in try queries.playlists.storedEntries(of: id) }
    }

    /// Changes the entries of an own playlist in one step: no other change comes between reading and writing.
    ///
    /// - Parameter edit: Gets the entries as ``playlistEntries(_:)`` returns them. Runs on the library's queue,
    ///   so it must be short.
    /// - Throws: ``LibraryError``, of the kind ``LibraryError/Kind/invalid`` for a playlist that is a file in the
    ///   library's folders; or the error of `edit`, which leaves the entries as they are.
    public func editPlaylistEntries(
        _ id: Int64, _ edit: @Sendable (inout [PlayableTrack]) throws -> Void
    ) async throws {
        try await reader.run { queries in try queries.playlists.editEntries(of: id, edit) }
    }
}
