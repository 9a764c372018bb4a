import CoreMedia
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// A player's engine behind its lock, with the objects and completions that its identifiers stand for.
///
/// Any thread; no callback runs while the lock is held.
final class SharedEngine: Sendable {
    private struct State: Sendable {
        var engine: PlayerEngine
        /// The items that the engine knows.
        var items: [ItemID: PlayerItem] = [:]
        var completions: [RequestID: @Sendable (Bool) -> Void] = [:]
        var requestCount = 0
        /// Causes of rate changes, oldest first, that observers have not been notified of.
        var rateReasons: [PlayerEngine.RateReason] = []
        /// An item has left the queue since the items were last sorted out.
        var hasReleased = false
    }

    /// A change of the engine that was made, and the work that it leaves.
    struct Commit {
        var actions: [EngineAction] = []
        var isSettled = false
        /// The public objects of released items, released without a lock held.
        var kept: [(any AnyObject & Sendable)?] = []
    }

    private let state: Mutex<State>
    private let main: SerialQueue
    private let events = Mutex(PlayerDriver.Events())
    private let rateOrder = NotificationSerializer()

    /// - Parameter main: The main queue, on which completions are called.
    init(_ engine: PlayerEngine, main: SerialQueue) {
        state = Mutex(State(engine: engine))
        self.main = main
    }

    func setEvents(_ events: PlayerDriver.Events) { self.events.withLock { $0 = events } }

    /// A copy of the engine.
    var engine: PlayerEngine { state.withLock { $0.engine } }

    /// Changes the engine, without a change of what observers see.
    func withEngine<Result: Sendable>(_ body: (inout PlayerEngine) -> Result) -> Result {
        state.withLock { body(&$0.engine) }
    }

    // MARK: Objects

    /// Returns the object of an item.
    func object(_ id: ItemID?) -> PlayerItem? { id.flatMap { id in state.withLock { $0.items[id] } } }

    /// The queued items, the current one first.
    var items: [PlayerItem] {
        state.withLock { state in state.engine.state.items.compactMap { state.items[$0.id] } }
    }

    /// The current item, and the timeline time of its time 0.
    var current: (item: PlayerItem?, start: CMTime?) {
        state.withLock { state in
            (state.engine.state.items.first.flatMap { state.items[$0.id] }, state.engine.state.headStart)
        }
    }

    /// Makes an item known that the owner has adopted.
    func add(_ item: PlayerItem) { state.withLock { $0.items[item.id] = item } }

    /// Makes a request known, whose completion will be called once, asynchronously on the main queue.
    func add(_ completion: @escaping @Sendable (Bool) -> Void) -> RequestID {
        state.withLock { state in
            state.requestCount += 1
            let request = RequestID(value: state.requestCount)
            state.completions[request] = completion
            return request
        }
    }

    /// Releases the objects of items that the engine does not know any more.
    func forgetItems(of owner: any PlayerItemOwner) {
        // Released without a lock held.
        let old = state.withLock { state -> [ItemID: PlayerItem] in
            guard state.hasReleased else { return [:] }
            let old = state.items
            state.items = old.filter { state.engine.knows($0.key) || $0.value.isOwned(by: owner) }
            state.hasReleased = state.items.count > state.engine.state.items.count
            return old
        }
        withExtendedLifetime(old) {}
    }

    // MARK: Changes

    /// Changes the engine and notifies observers of the properties that change.
    ///
    /// - Parameter change: May run more than once, because the state can change between the attempts.
    func update(
        for owner: any PlayerItemOwner, _ change: (inout PlayerEngine) -> [EngineAction]
    ) -> Commit {
        var commit = Commit()
        guard var announced = attempt(change, announced: [], owner, &commit) else { return commit }
        let events = events.withLock { $0 }
        while true {
            var missed: [PlayerEngine.Property]?
            events.change(announced) { missed = attempt(change, announced: announced, owner, &commit) }
            guard let missed else { return commit }
            announced = missed
        }
    }

    /// Tries a change on a copy, and makes it if it alters only announced properties. Releases removed items
    /// at once, because an observer may re-insert them.
    ///
    /// - Returns: The properties to announce first; `nil` if the change was made.
    private func attempt(
        _ change: (inout PlayerEngine) -> [EngineAction], announced: [PlayerEngine.Property],
        _ owner: any PlayerItemOwner, _ commit: inout Commit
    ) -> [PlayerEngine.Property]? {
        state.withLock { state in
            var trial = state.engine
            let actions = change(&trial)
            let changed = state.engine.state.visible.differences(to: trial.state.visible)
            guard changed.allSatisfy(announced.contains) else { return changed }
            state.engine = trial
            (commit.actions, commit.isSettled) = (actions, trial.isSettled)
            for action in actions {
                if case .rateChanged(let reason) = action { state.rateReasons.append(reason) }
                guard case .release(let id, let place) = action else { continue }
                commit.kept.append(state.items[id]?.letGo(by: owner, startingAt: place))
                state.hasReleased = true
            }
            return nil
        }
    }

    // MARK: Reports

    /// Carries out an action on an item or an observer.
    ///
    /// - Returns: `false` for other actions, which are the caller's.
    func carryOut(_ action: EngineAction, for owner: any PlayerItemOwner) -> Bool {
        switch action {
        case .publish(let id, let state, _):
            guard let item = object(id) else { break }
            // A removed item may be another player's by now. That it failed is true in any case.
            let isFree = item.owner == nil && state.status == .failed
            if item.owner === owner || isFree { item.publish(state) }
        case .post(let id, let notice): object(id)?.post(notice)
        case .showTitles(let id, let titles): object(id)?.titlesBecame(titles)
        case .stopLine(let id): object(id)?.stopLine(at: owner.now)
        case .resetStartTime(let id): object(id)?.startTime = .zero
        case .release: break
        case .complete(let request, let isDone): complete(request, isDone)
        case .rateChanged: reportRates()
        case .editWasLate: events.withLock { $0 }.editWasLate()
        case .place(let places):
            let placed = places.compactMap { place in
                object(place.item).map { PlacedItem(item: $0, start: place.start) }
            }
            events.withLock { $0 }.placed(placed)
        case .warn(let id, let warning):
            if let item = object(id) { events.withLock { $0 }.warned(item, warning) }
        default: return false
        }
        return true
    }

    private func complete(_ request: RequestID, _ isDone: Bool) {
        guard let completion = state.withLock({ $0.completions.removeValue(forKey: request) }) else { return }
        main.async { completion(isDone) }
    }

    /// Reports rate changes in order, even if several threads made them.
    private func reportRates() {
        rateOrder.tell { _ in
            let reasons = state.withLock { state in
                defer { state.rateReasons = [] }
                return state.rateReasons
            }
            for reason in reasons { events.withLock { $0 }.rateDidChange(reason) }
        }
    }
}
