import TuttiMusicLibrary

/// The music of alarms, as the library has it.
struct AlarmMusic: Sendable {
    let items: any ItemResolving
    let log: HouseLog

    /// Refuses items that do not exist; accepts any while the library is unavailable, because it may be back in time.
    nonisolated(nonsending) func validate(_ items: [LibraryItem]) async throws(HouseError) {
        do throws(LibraryError) {
            if try await self.items.tracks(of: items).isEmpty {
                throw LibraryError(.notFound, "It contains nothing to play.")
            }
        } catch  where error.kind != .unavailable {
            throw HouseError(error)
        } catch {}
    }

    /// Returns the tracks of an alarm's items that are available.
    nonisolated(nonsending) func tracks(of alarm: Alarm) async -> [PlayableTrack] {
        guard !alarm.items.isEmpty else { return [] }
        // On an error each item is tried alone, and the log names those that fail.
        if let all = try? await items.tracks(of: alarm.items), !all.isEmpty { return all }
        var tracks: [PlayableTrack] = []
        for item in alarm.items {
            do throws(LibraryError) { tracks += try await items.tracks(of: [item]) } catch {
                log(.warning, "the alarm at \(alarm.clock): \(error.description)")
            }
        }
        if tracks.isEmpty {
            log(.warning, "the alarm at \(alarm.clock): its music is not available, so the queue plays")
        }
        return tracks
    }
}
