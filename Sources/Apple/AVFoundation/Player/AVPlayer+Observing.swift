import Dispatch
import Foundation
import Playback
import TuttiSystemIO

// Observers of the current item's time.
extension AVPlayer {
    /// Calls `block` at each interval of item time and at every jump, start and stop.
    ///
    /// - Parameter queue: The queue that runs `block`; `nil` means the main queue.
    /// - Returns: A token for ``removeTimeObserver(_:)``; without removal the observer lives as long as the
    ///   player.
    @preconcurrency @discardableResult
    nonisolated public func addPeriodicTimeObserver(
        forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping @Sendable (CMTime) -> Void
    ) -> Any {
        PlayerObserverToken(
            core.addPeriodicObserver(every: interval, queue: SerialQueue(queue ?? .main), body: block))
    }

    /// Calls `block` whenever playback crosses one of `times`, `NSValue`s of `CMTime` in item time.
    ///
    /// - Parameter queue: The queue that runs `block`; `nil` means the main queue.
    /// - Returns: A token for ``removeTimeObserver(_:)``.
    @preconcurrency @discardableResult
    nonisolated public func addBoundaryTimeObserver(
        forTimes times: [NSValue], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
    ) -> Any {
        PlayerObserverToken(
            core.addBoundaryObserver(
                at: times.map(\.timeValue), queue: SerialQueue(queue ?? .main), body: block))
    }

    /// Removes the observer of this token.
    nonisolated public func removeTimeObserver(_ observer: Any) {
        if let token = observer as? PlayerObserverToken { core.removeObserver(token.value) }
    }
}

/// The token of a time observer: an object, because programs compare and store tokens by identity.
private final class PlayerObserverToken: NSObject, Sendable {
    let value: Int

    init(_ value: Int) { self.value = value }
}
