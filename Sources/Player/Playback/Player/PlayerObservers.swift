import CoreMedia
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// The time observers of the current item. Any thread.
final class PlayerObservers: Sendable {
    private struct State {
        var observers: [Int: TimeObserver] = [:]
        var last = 0
        var line: PresentationLine?
        /// The item of ``line``.
        weak var item: PlayerItem?
    }

    private let state = Mutex(State())

    func add(_ kind: TimeObserver.Kind, on queue: SerialQueue, clock: any HostClock) -> Int {
        let observer = TimeObserver(kind: kind, queue: queue) { clock.now }
        let (token, line) = state.withLock { state in
            state.last += 1
            state.observers[state.last] = observer
            return (state.last, state.line)
        }
        if let line { observer.begin(with: line, now: clock.now) }
        return token
    }

    /// The line last reported to observers.
    var line: PresentationLine? { state.withLock { $0.line } }

    func remove(_ token: Int) { state.withLock { $0.observers.removeValue(forKey: token) }?.cancel() }

    /// Publishes a timeline's line in an item's time.
    ///
    /// - Parameters:
    ///   - start: Timeline time of the item's time 0; `nil` if no item is scheduled.
    ///   - owner: The player of the item.
    func publish(
        _ line: PresentationLine, start: CMTime?, of item: PlayerItem?, by owner: any PlayerItemOwner,
        isJump: Bool
    ) {
        let (former, now) = (itemChanges(to: item), owner.now)
        if former?.owner == nil || former?.owner === owner { former?.stopLine(at: now) }
        guard let start else {
            // Without an item, time stands.
            let still = PresentationLine(time: .zero, host: now, rate: 0)
            return lineDidChange(still, now: now, isJump: false)
        }
        var line = line
        line.time = line.time - start
        item?.lineDidChange(line, isJump: isJump)
        lineDidChange(line, now: now, isJump: isJump)
    }

    /// - Returns: The item whose time was last reported, if `item` is a different one.
    private func itemChanges(to item: PlayerItem?) -> PlayerItem? {
        state.withLock { state in
            defer { state.item = item }
            return state.item === item ? nil : state.item
        }
    }

    private func lineDidChange(_ line: PresentationLine, now: HostTime, isJump: Bool) {
        let observers = state.withLock { state in
            state.line = line
            return Array(state.observers.values)
        }
        for observer in observers { observer.lineDidChange(line, now: now, isJump: isJump) }
    }
}
