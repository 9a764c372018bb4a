import CoreMedia

@testable import Playback

/// Everything that is seen of a player at one instant, and what its source really has.
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
    /// The outputs were started at it last.
    var startedRate: Double
    /// Seconds of sound that reached the outputs too late.
    var lost: Double
    var isMute: Bool
    var endAction: PlayerEngine.EndAction

    /// The seconds from the playhead to the end of what has come.
    var ahead: Double {
        guard let feed, feed.loadedEnd.isNumeric else { return 0 }
        return max(0, feed.loadedEnd.seconds - max(itemTime, feed.loadedStart.seconds))
    }

    /// What has come reaches to the item's end.
    var isComplete: Bool { feed?.isAtEnd ?? false }
    var hasFailed: Bool { feed?.error != nil }
    /// Whether sound is at hand.
    var isEmpty: Bool { ahead < 1e-6 && !isComplete }
}
