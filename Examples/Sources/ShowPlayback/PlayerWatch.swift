import AVFoundation

/// Prints the events of a player, and keeps the speakers' displays current.
final class PlayerWatch {
    private let player: AVQueuePlayer
    private var values: [NSKeyValueObservation] = []
    private var notifications: [any NSObjectProtocol] = []

    init(_ player: AVQueuePlayer) {
        self.player = player
        listen(CMTimebase.effectiveRateChanged, of: player.tuttiTimebase) { [weak player] _ in
            guard let start = player?.tuttiStart else { return print("silence") }
            print("heard from \(start.itemTime.seconds) s on, at host time \(start.hostTime.seconds) s")
        }
        listen(AVPlayer.tuttiEditWasLateNotification, of: player) { _ in print("an edit left a gap") }
    }

    deinit {
        for notification in notifications { NotificationCenter.default.removeObserver(notification) }
    }

    /// - Parameter title: The title for a source that names none.
    func follow(_ item: AVPlayerItem, title: String?) {
        values.append(item.observe(\.status) { item, _ in Self.opened(item, title) })
        values.append(item.observe(\.timedMetadata) { item, _ in Self.show(item, title) })
        listen(AVPlayerItem.tuttiWarningNotification, of: item) { notification in
            print(notification.userInfo?[AVPlayerItem.tuttiWarningKey] ?? "a defect")
        }
    }

    private func listen(
        _ name: NSNotification.Name, of object: AnyObject, _ body: @escaping @Sendable (Notification) -> Void
    ) {
        notifications.append(
            NotificationCenter.default.addObserver(forName: name, object: object, queue: nil, using: body))
    }

    private static func opened(_ item: AVPlayerItem, _ title: String?) {
        for failure in item.tuttiPlaylist?.failures ?? [] { print(failure.localizedDescription) }
        guard let media = item.tuttiMedia else { return print(item.error?.localizedDescription ?? "failed") }
        print("\(media.location): \(media.codec), \(media.sampleRate) Hz, \(media.channelCount) channels")
        show(item, title)
    }

    /// Sends the title that is heard now to the speakers' displays.
    private static func show(_ item: AVPlayerItem, _ title: String?) {
        guard let media = item.tuttiMedia else { return }
        var display = TuttiSpeakerDisplay(media)
        let heard = item.timedMetadata?.first { $0.identifier == .commonIdentifierTitle }
        display.title = heard?.stringValue ?? media.title ?? title
        item.tuttiSpeakerDisplay = display
    }
}
