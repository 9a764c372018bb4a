import TuttiMusicLibrary

/// The songs of the library, as a client's commands find them.
struct ClientLibrary: Sendable {
    let cache: CatalogueCache
    /// Computations over all songs.
    let searches: SearchWorker
    let client: Client

    /// Returns all songs.
    func catalogue() async throws(CommandError) -> SongCatalogue {
        do { return try await cache.catalogue() } catch { throw CommandError(error) }
    }

    /// Returns all songs; `nil` while the library cannot be read.
    func catalogueIfAvailable() async -> SongCatalogue? { try? await catalogue() }

    /// Returns the places of the songs of a selection.
    func songs(
        _ selection: SongSelection, in catalogue: SongCatalogue
    ) async throws(CommandError) -> [Int] {
        try await searches.songs(selection, in: catalogue, isWanted: isWanted)
    }

    /// Returns the places of the songs that meet a condition, or of all.
    func songs(
        _ filter: SongFilter?, in catalogue: SongCatalogue
    ) async throws(CommandError) -> [Int] {
        guard let filter else { return Array(catalogue.songs.indices) }
        return try await searches.songs(filter, in: catalogue, isWanted: isWanted)
    }

    private var isWanted: @Sendable () -> Bool { { [client] in !client.hasEnded } }

    /// Returns the song at an address; `nil` for a stream.
    func song(at uri: String) async throws(CommandError) -> Song? {
        if SongAddress.isStream(uri) { return nil }
        return try await catalogue().song(uri: uri)
    }

    /// Returns the items at an address: a song, all songs below a folder, or a stream.
    func items(at uri: String) async throws(CommandError) -> [LibraryItem] {
        if SongAddress.isStream(uri) { return [.location(uri)] }
        if SongAddress.hasScheme(uri) { throw CommandError(.argument, "Unsupported URI scheme") }
        if uri.hasPrefix("/"), uri != "/" { throw CommandError(.permission, "Access denied") }
        let catalogue = try await catalogue()
        guard let places = catalogue.songs(below: try SongAddress.folder(uri)) else {
            throw CommandError.noFolder
        }
        return places.map { .track(catalogue.songs.id(at: $0)) }
    }
}
