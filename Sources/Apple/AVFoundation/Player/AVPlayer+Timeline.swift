import CoreMedia
import Playback
import TuttiMediaTime

/// The instant from which sound is audible. Tutti's extension.
public struct TuttiPlaybackStart: Sendable, Hashable {
    /// The time of the current item that was heard at ``hostTime``.
    public let itemTime: CMTime
    /// A time of `CMClockGetHostTimeClock()`: with speakers, the common instant of the whole group.
    public let hostTime: CMTime
}

extension AVPlayer {
    /// A timebase of the player's own timeline, which continues across items. Tutti's extension.
    ///
    /// The effective rate is 0 until sound is audible, so `CMTimebase.effectiveRateChanged` reports when
    /// playback really starts and stops. Read only: do not set its time or rate. Callable from any thread.
    nonisolated public var tuttiTimebase: CMTimebase { core.timeline.timebase }

    /// The start of the current run of sound; `nil` while the player is paused or waits for its outputs.
    /// Callable from any thread. Tutti's extension.
    nonisolated public var tuttiStart: TuttiPlaybackStart? {
        core.start.map {
            TuttiPlaybackStart(itemTime: $0.time, hostTime: CMTime(nanoseconds: $0.host.nanoseconds))
        }
    }
}

extension AVQueuePlayer {
    /// Inserts an item, unless `afterItem` has left the queue in the meantime. Tutti's extension.
    ///
    /// Items leave the queue on their own when they end or fail, so a program cannot know that
    /// ``canInsert(_:after:)`` still holds at the insertion. Callable from any thread.
    ///
    /// - Parameters:
    ///   - item: An item that belongs to no player.
    ///   - afterItem: The item to insert after; `nil` for the end of the queue.
    /// - Returns: `false`, without effect, if `afterItem` is not in the queue or `item` belongs to a player.
    @discardableResult
    nonisolated public func tuttiInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
        core.insert(item.core, after: afterItem?.core)
    }
}
