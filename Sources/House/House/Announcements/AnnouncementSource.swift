import Foundation
import Playback
import TuttiMusicLibrary

/// The sound of an announcement, as it was read.
struct AnnouncementSource: Sendable {
    /// The file's path or the address, as the library knows it.
    var location: String
    var title: String
    /// The decoded sound.
    var sound: AnnouncementSound
}

/// The reader of announcements.
struct AnnouncementReader: Sendable {
    let items: any ItemResolving
    let outputs: any HouseOutputs

    /// Reads and decodes the sound of a request.
    nonisolated(nonsending) func read(
        _ request: AnnouncementRequest
    ) async throws(HouseError) -> AnnouncementSource {
        let (location, title) = try await place(of: request)
        do throws(RouteError) {
            let sound = try await outputs.decode(location)
            return AnnouncementSource(location: location, title: title, sound: sound)
        } catch {
            throw HouseError(.invalid, "The announcement cannot be read: \(error.description)")
        }
    }

    private nonisolated(nonsending) func place(
        of request: AnnouncementRequest
    ) async throws(HouseError) -> (location: String, title: String) {
        if request.isTemporary { return (request.location, request.title ?? "Announcement") }
        let track = try await items.playableTracks(of: [.location(request.location)])[0]
        return (track.location, request.title ?? track.title)
    }

    /// Removes an uploaded sound. One that cannot be removed goes with the next start of the service.
    static func removeFile(of request: AnnouncementRequest) {
        if request.isTemporary { try? FileManager.default.removeItem(atPath: request.location) }
    }
}
