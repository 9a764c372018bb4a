import Foundation
import Synchronization

/// The settings of a program for live streams.
struct LiveSettings: Sendable {
    var offset = CMTime.invalid
    var preservesOffset = false
}

// The places of live streams by date and by distance from their end. Any thread.
extension AVPlayerItem {
    /// Stored without effect: a live stream begins where its server or its playlist says. Invalid at first.
    nonisolated public var configuredTimeOffsetFromLive: CMTime {
        get { live.withLock { $0.offset } }
        set { live.withLock { $0.offset = newValue } }
    }

    /// Always invalid: servers recommend no distance.
    nonisolated public var recommendedTimeOffsetFromLive: CMTime { .invalid }

    /// Stored without effect: after a pause or a stall, playback continues with the sound at hand.
    nonisolated public var automaticallyPreservesTimeOffsetFromLive: Bool {
        get { live.withLock { $0.preservesOffset } }
        set { live.withLock { $0.preservesOffset = newValue } }
    }

    /// A change of ``recommendedTimeOffsetFromLive``; never posted.
    nonisolated public class var recommendedTimeOffsetFromLiveDidChangeNotification: NSNotification.Name {
        NSNotification.Name("AVPlayerItemRecommendedTimeOffsetFromLiveDidChangeNotification")
    }

    /// Seeks to a date; has no effect here, because the dates of streams are not read: ``currentDate()`` is `nil`.
    ///
    /// - Parameter completionHandler: Not called, as nothing is sought.
    /// - Returns: `false`.
    @preconcurrency
    @discardableResult
    nonisolated public func seek(
        to date: Date, completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) -> Bool { false }

    /// Seeks to a date; has no effect here.
    ///
    /// - Returns: `false`.
    @discardableResult
    nonisolated public func seek(to date: Date) async -> Bool { false }
}
