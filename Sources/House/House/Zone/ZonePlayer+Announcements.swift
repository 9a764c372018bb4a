import AVFoundation
import Foundation
import Playback

/// Announcements of a zone.
extension ZonePlayer {
    /// The time that rooms may take to wake, beyond the announcement's own length.
    private static let patience = 20.0

    nonisolated(nonsending) func mix(
        _ announcement: ZoneAnnouncement, began: @Sendable (Double) -> Void
    ) async -> RouteAnnouncement.Outcome {
        var mixed = RouteAnnouncement(
            announcement.sound, speakers: Set(announcement.rooms.map(\.rawValue)))
        (mixed.volume, mixed.silencesMusic) = (announcement.volume, announcement.pausesMusic)
        return await routes.announce(mixed, began: began)
    }

    nonisolated(nonsending) func play(_ announcement: ZoneAnnouncement) async {
        let ids = Set(announcement.rooms.map(\.rawValue))
        if let volume = announcement.volume { routes.setAnnouncementVolume(volume, of: ids) }
        await Self.play(announcement, on: routes)
        if announcement.volume != nil { routes.setAnnouncementVolume(nil, of: ids) }
    }

    private nonisolated(nonsending) static func play(
        _ announcement: ZoneAnnouncement, on routes: RouteCatalogue
    ) async {
        // The speakers go to the player that began last, and back to the zone's when that continues.
        let player = AVPlayer(tuttiRoutes: routes)
        let item = AVPlayerItem(tuttiLocation: announcement.location)
        item.forwardPlaybackEndTime = time(AnnouncementSound.longest)
        let (ends, emit) = AsyncStream<Void>.makeStream()
        let status = item.observe(\.status) { item, _ in if item.status == .failed { emit.finish() } }
        let tokens = [
            AVPlayerItem.didPlayToEndTimeNotification, AVPlayerItem.failedToPlayToEndTimeNotification,
        ].map { name in
            NotificationCenter.default.addObserver(forName: name, object: item, queue: nil) { _ in
                emit.finish()
            }
        }
        let limit = Task {
            // Ends early only when the announcement has ended.
            try? await Task.sleep(for: .seconds(announcement.sound.seconds + patience))
            emit.finish()
        }
        player.replaceCurrentItem(with: item)
        player.rate = 1
        // Ends also when the task is cancelled.
        for await _ in ends {}
        limit.cancel()
        status.invalidate()
        for token in tokens { NotificationCenter.default.removeObserver(token) }
        player.rate = 0
        player.replaceCurrentItem(with: nil)
    }
}
