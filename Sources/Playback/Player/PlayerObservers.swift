import CoreMedia
import Dispatch
import MediaTime
import Synchronization
import SystemIO

/// The time observers of the current item. Any thread.
final class PlayerObservers: Sendable {
    private struct State {
        var observers: [Int: TimeObserver] = [:]
        var last = 0
        var line: PlaybackTimeline.Line?
        /// The item of ``line``.
        weak var item: PlayerItem?
    }

    private let state = Mutex(State())
    private let scheduler = DispatchQueue(label: "tutti.player-time", qos: .userInteractive)

    func add(_ kind: TimeObserver.Kind, on queue: DispatchQueue, clock: any HostClock) -> Int {
        let observer = TimeObserver(kind: kind, queue: queue, scheduler: scheduler) { clock.now }
        let (token, line) = state.withLock { state in
            state.last += 1
            state.observers[state.last] = observer
            return (state.last, state.line)
        }
        if let line { observer.begin(with: line, now: clock.now) }
        return token
    }

    /// The line last reported to observers.
    var line: PlaybackTimeline.Line? { state.withLock { $0.line } }

    func remove(_ token: Int) { state.withLock { $0.observers.removeValue(forKey: token) }?.cancel() }

    /// - Returns: the item whose time was last reported, if `item` is a different one.
    func itemChanges(to item: PlayerItem?) -> PlayerItem? {
        state.withLock { state in
            defer { state.item = item }
            return state.item === item ? nil : state.item
        }
    }

    func lineDidChange(_ line: PlaybackTimeline.Line, now: HostTime, isJump: Bool) {
        let observers = state.withLock { state in
            state.line = line
            return Array(state.observers.values)
        }
        for observer in observers { observer.lineDidChange(line, now: now, isJump: isJump) }
    }
}

extension PlayerCore {
    /// Calls `body` on `queue` at each multiple of `interval` in item time, and when time jumps, starts or
    /// stops.
    ///
    /// - Returns: a token for ``removeObserver(_:)``.
    package func addPeriodicObserver(
        every interval: CMTime, queue: DispatchQueue, body: @escaping @Sendable (CMTime) -> Void
    ) -> Int {
        observers.add(.periodic(interval: interval, body: body), on: queue, clock: clock)
    }

    /// Calls `body` on `queue` whenever playback crosses one of `times`, in item time.
    ///
    /// - Returns: a token for ``removeObserver(_:)``.
    package func addBoundaryObserver(
        at times: [CMTime], queue: DispatchQueue, body: @escaping @Sendable () -> Void
    ) -> Int {
        observers.add(
            .boundary(times: times.filter(\.isNumeric).sorted(), body: body), on: queue, clock: clock)
    }

    /// Removes an observer.
    package func removeObserver(_ token: Int) { observers.remove(token) }

    /// Publishes the timeline's line in the current item's time.
    func publishLine(isJump: Bool) { lineOrder.tell(isJump: isJump) { isJump in tellLine(isJump: isJump) } }

    private func tellLine(isJump: Bool) {
        let (start, item) = shared.withLock { ($0.headStart, $0.items.first) }
        let former = observers.itemChanges(to: item)
        if former?.owner == nil || former?.owner === self { former?.stopLine(at: clock.now) }
        guard let start else {
            // Without an item, time stands.
            let line = PlaybackTimeline.Line(time: .zero, host: clock.now, rate: 0)
            return observers.lineDidChange(line, now: clock.now, isJump: false)
        }
        var line = timeline.line
        line.time = line.time - start
        item?.lineDidChange(line, isJump: isJump)
        observers.lineDidChange(line, now: clock.now, isJump: isJump)
    }
}
