import TuttiMusicLibrary

extension ItemResolving {
    /// Returns the tracks of items, or refuses items that have none.
    nonisolated(nonsending) func playableTracks(
        of items: [LibraryItem]
    ) async throws(HouseError) -> [PlayableTrack] {
        let tracks: [PlayableTrack]
        do throws(LibraryError) { tracks = try await self.tracks(of: items) } catch {
            throw HouseError(error)
        }
        guard !tracks.isEmpty else { throw HouseError(.notFound, "It contains nothing to play.") }
        return tracks
    }
}
