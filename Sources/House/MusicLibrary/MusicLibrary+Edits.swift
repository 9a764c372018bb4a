extension MusicLibrary {
    /// Makes a playlist of tracks of the library.
    ///
    /// - Returns: The playlist's id.
    public func makePlaylist(name: String, tracks: [Int64]) async throws(LibraryError) -> Int64 {
        let found = try await self.tracks(of: tracks.map { .track($0) })
        return try await makePlaylist(name: name, tracks: found)
    }

    /// Makes a playlist of any tracks, such as those of a queue.
    ///
    /// - Returns: The playlist's id.
    public func makePlaylist(name: String, tracks: [PlayableTrack]) async throws(LibraryError) -> Int64 {
        try await reader.run { queries throws(LibraryError) in try queries.playlists.make(name, tracks) }
    }

    /// Changes an own playlist; `nil` leaves the name or the tracks as they are.
    public func changePlaylist(
        _ id: Int64, name: String? = nil, tracks: [Int64]? = nil
    ) async throws(LibraryError) {
        var found: [PlayableTrack]?
        if let tracks { found = try await self.tracks(of: tracks.map { .track($0) }) }
        try await reader.run { [found] queries throws(LibraryError) in
            try queries.playlists.change(id, name: name, tracks: found)
        }
    }

    /// Deletes an own playlist.
    public func deletePlaylist(_ id: Int64) async throws(LibraryError) {
        try await reader.run { queries throws(LibraryError) in try queries.playlists.delete(id) }
    }

    /// Makes a station.
    ///
    /// - Parameters:
    ///   - address: Begins with `http://` or `https://`.
    ///   - picture: The address of a picture.
    /// - Returns: The station's id.
    public func makeStation(
        name: String, address: String, picture: String? = nil
    ) async throws(LibraryError) -> Int64 {
        try await reader.run { queries throws(LibraryError) in
            try queries.stations.make(name, address, picture)
        }
    }

    /// Changes a station.
    public func changeStation(
        _ id: Int64, name: String, address: String, picture: String? = nil
    ) async throws(LibraryError) {
        try await reader.run { queries throws(LibraryError) in
            try queries.stations.change(id, name, address, picture)
        }
    }

    /// Deletes a station.
    public func deleteStation(_ id: Int64) async throws(LibraryError) {
        try await reader.run { queries throws(LibraryError) in try queries.stations.delete(id) }
    }
}
