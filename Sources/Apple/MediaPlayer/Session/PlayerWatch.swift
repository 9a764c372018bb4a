import AVFoundation
import Synchronization

/// An observer of the properties of a player that a display may show.
final class PlayerWatch: Sendable {
    let player: AVPlayer
    private let changed: @Sendable (AVPlayer) -> Void
    private let observations = Mutex<[NSKeyValueObservation]>([])
    private let itemObservations = Mutex<[NSKeyValueObservation]>([])
    private let jumps: Mutex<any NSObjectProtocol>

    /// - Parameter changed: Called on the thread of the change, without a lock held.
    init(_ player: AVPlayer, changed: @escaping @Sendable (AVPlayer) -> Void) {
        (self.player, self.changed) = (player, changed)
        jumps = Mutex(
            NotificationCenter.default.addObserver(
                forName: AVPlayerItem.timeJumpedNotification, object: nil, queue: nil
            ) { [weak player] notification in
                let item = notification.object as? AVPlayerItem
                if let player, let item, player.currentItem === item { changed(player) }
            })
        let all = [
            player.observe(\.rate) { player, _ in changed(player) },
            player.observe(\.timeControlStatus) { player, _ in changed(player) },
            player.observe(\.currentItem) { [weak self] player, _ in
                self?.watchItem()
                changed(player)
            },
        ]
        observations.withLock { $0 = all }
        watchItem()
    }

    deinit { jumps.withLock { NotificationCenter.default.removeObserver($0) } }

    private func watchItem() {
        let (player, changed) = (player, changed)
        let all = player.currentItem.map { item in
            [
                item.observe(\.duration) { _, _ in changed(player) },
                item.observe(\.status) { _, _ in changed(player) },
                item.observe(\.timedMetadata) { _, _ in changed(player) },
                item.observe(\.nowPlayingInfo) { _, _ in changed(player) },
            ]
        }
        // Release the previous item's observations outside the lock.
        let old = itemObservations.withLock { kept in
            defer { kept = all ?? [] }
            return kept
        }
        withExtendedLifetime(old) {}
    }
}
