import CoreMedia

@testable import Playback

/// A snapshot of everything visible of a player, with the actual state of its source.
struct Seen: Sendable {
    var at: Double
    var rate: Double
    var control: TransportMachine.Control
    var reason: TransportMachine.WaitingReason?
    var playerStatus: PlayerEngine.Status
    var name: String?
    var itemTime: Double
    var seekTarget: Double?
    var item: PlayerItem.State?
    var wish: Double
    var feed: ItemFeedState?
    var server: SimulatedServer?
    var isRunning: Bool
    /// The rate at which the outputs were last started.
    var startedRate: Double
    /// Seconds of sound that reached the outputs too late.
    var lost: Double
    var isMute: Bool
    var endAction: PlayerEngine.EndAction

    /// Seconds from the playhead to the end of the loaded sound.
    var ahead: Double {
        guard let feed, feed.loadedEnd.isNumeric else { return 0 }
        return max(0, feed.loadedEnd.seconds - max(itemTime, feed.loadedStart.seconds))
    }

    /// Whether the loaded sound reaches the item's end.
    var isComplete: Bool { feed?.isAtEnd ?? false }
    var hasFailed: Bool { feed?.error != nil }
    /// Whether no sound is available, although the item has not ended.
    var isEmpty: Bool { ahead < 1e-6 && !isComplete }
}
