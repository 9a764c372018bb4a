import Dispatch
import Foundation
import Playback

// Who is called at times of the current item.
extension AVPlayer {
    /// Calls `block` at each interval of the item's time and at every jump, start and stop.
    ///
    /// - Returns: a token for ``removeTimeObserver(_:)``; an observer whose token is thrown away goes on as long as
    ///   the player.
    @preconcurrency @discardableResult
    nonisolated public func addPeriodicTimeObserver(
        forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping @Sendable (CMTime) -> Void
    ) -> Any {
        PlayerObserverToken(core.addPeriodicObserver(every: interval, queue: queue ?? .main, body: block))
    }

    /// Calls `block` whenever one of `times` (`NSValue`s that hold a `CMTime`) is crossed in play.
    @preconcurrency @discardableResult
    nonisolated public func addBoundaryTimeObserver(
        forTimes times: [NSValue], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
    ) -> Any {
        PlayerObserverToken(
            core.addBoundaryObserver(at: times.map(\.timeValue), queue: queue ?? .main, body: block))
    }

    /// Ends an observer by the token it was added with.
    nonisolated public func removeTimeObserver(_ observer: Any) {
        if let token = observer as? PlayerObserverToken { core.removeObserver(token.value) }
    }
}

/// What an observer is known by: an object, as programs compare and keep it.
private final class PlayerObserverToken: NSObject, Sendable {
    let value: Int

    init(_ value: Int) { self.value = value }
}
