import Playback

/// The limits of queues.
public enum HouseQueueLimits {
    /// The most entries of one queue.
    public static let entries = HouseQueue.defaultLimit
}
