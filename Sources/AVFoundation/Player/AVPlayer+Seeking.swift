import Dispatch
import Playback

// Places of the current item, and who is called at them.
extension AVPlayer {
    /// Goes on at `time`, exactly; wider tolerances would allow what lies near it.
    nonisolated public func seek(to time: CMTime) { seek(to: time) { _ in } }

    /// Goes on at `time`.
    ///
    /// - Parameter completionHandler: on the main queue: `true` when it is there; `false` when a later seek, or another
    ///   item, came first.
    @preconcurrency
    nonisolated public func seek(to time: CMTime, completionHandler: @escaping @Sendable (Bool) -> Void) {
        core.seek(to: time, completion: completionHandler)
    }

    /// See ``seek(to:completionHandler:)``.
    @discardableResult
    nonisolated public func seek(to time: CMTime) async -> Bool {
        await withCheckedContinuation { continuation in
            seek(to: time) { continuation.resume(returning: $0) }
        }
    }

    /// Goes on at `time`, exactly, which every tolerance allows.
    nonisolated public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) {
        seek(to: time) { _ in }
    }

    /// See ``seek(to:completionHandler:)``.
    @preconcurrency
    nonisolated public func seek(
        to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) { seek(to: time, completionHandler: completionHandler) }

    /// See ``seek(to:completionHandler:)``.
    @discardableResult
    nonisolated public func seek(
        to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime
    ) async -> Bool { await seek(to: time) }

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

private final class PlayerObserverToken: Sendable {
    let value: Int

    init(_ value: Int) { self.value = value }
}
