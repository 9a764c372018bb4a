import CoreMedia
import TuttiMediaTime
import TuttiSystemIO

@testable import Playback

/// A bare player engine in a virtual world: its actions are carried out at once, without a queue.
///
/// Used on one thread.
final class EnginePlayer: SimulatedPlayer, @unchecked Sendable {
    private(set) var engine: PlayerEngine
    let timeline: PlaybackTimeline
    private let renderQueue: RenderQueue
    private let executor: ActionExecutor
    private let world: VirtualWorld
    private let slot: Int
    private let lateness: Duration
    private var objects: [ItemID: PlayerItem] = [:]
    private var events = PlayerDriver.Events()
    private var completions: [RequestID: @Sendable (Bool) -> Void] = [:]
    private var requestCount = 0
    private var isDue = false
    private var isSuspended = false
    /// Called before and after each action, as another thread may look at any time.
    var onAction: () -> Void = {}

    init(
        _ world: VirtualWorld, route: any OutputRoute, endAction: PlayerEngine.EndAction, lateness: Duration
    ) {
        (self.world, self.lateness, slot) = (world, lateness, world.makeSlot())
        engine = PlayerEngine(endAction: endAction)
        renderQueue = RenderQueue(route: route)
        timeline = PlaybackTimeline(machine: SystemMachine(clock: world))
        executor = ActionExecutor(renderQueue: renderQueue, timeline: timeline)
        _ = timeline.add(renderQueue)
        var queueEvents = RenderQueue.Events()
        queueEvents.automaticallyFlushed = { [weak self] time, done in
            self?.input { $0.outputEvents.lostSound(from: time) }
            done()
        }
        queueEvents.changeStatus = { [weak self] change in
            change()
            self?.isDue = true
        }
        renderQueue.setEvents(queueEvents)
        var timelineEvents = PlaybackTimeline.Events()
        timelineEvents.lineDidChange = { [weak self] _ in self?.isDue = true }
        timeline.setEvents(timelineEvents)
    }

    func setEvents(_ events: PlayerDriver.Events) { self.events = events }

    // MARK: State

    var now: HostTime { world.now }
    var state: PlayerState { engine.state }
    var items: [PlayerItem] { engine.state.items.compactMap { objects[$0.id] } }
    var currentItem: PlayerItem? { engine.state.items.first.flatMap { objects[$0.id] } }
    var currentTime: CMTime { engine.state.currentTime(timeline.currentTime) }

    // MARK: Wishes

    private func input(_ change: (inout PlayerEngine) -> Void) {
        change(&engine)
        isDue = true
    }

    private func wish(_ change: (inout PlayerState) -> Void) {
        isDue = true
        let actions = update { engine in
            engine.wish(change)
            return engine.takeActions()
        }
        for action in actions { carryOut(action) }
    }

    private func update(_ change: (inout PlayerEngine) -> [EngineAction]) -> [EngineAction] {
        var trial = engine
        let actions = change(&trial)
        let changed = engine.state.visible.differences(to: trial.state.visible)
        let commit = { [self] in
            engine = trial
            for case .release(let id, let place) in actions {
                _ = objects[id]?.letGo(by: self, startingAt: place)
            }
        }
        if changed.isEmpty { commit() } else { events.change(changed, commit) }
        return actions
    }

    private func request(
        _ completion: @escaping @Sendable (Bool) -> Void, _ change: (inout PlayerState, RequestID) -> Void
    ) {
        requestCount += 1
        let request = RequestID(value: requestCount)
        completions[request] = completion
        wish { change(&$0, request) }
    }

    private func adopt(_ item: PlayerItem) -> QueuedItem? {
        guard item.adopt(by: self) else { return nil }
        item.beginAnew()
        objects[item.id] = item
        return item.queued
    }

    var endAction: PlayerEngine.EndAction {
        get { engine.state.endAction }
        set { wish { $0.endAction = newValue } }
    }

    func settingsChanged(of item: PlayerItem) {
        wish { state in
            state.withItem(item.id) { ($0.wishes, $0.startTime) = (item.wishes, item.startTime) }
        }
    }

    func insert(_ item: PlayerItem, after place: PlayerItem?) -> Bool {
        guard let queued = adopt(item) else { return false }
        wish { $0.insert(queued, after: place?.id) }
        return true
    }

    func replaceCurrentItem(with item: PlayerItem?) -> Bool {
        let queued = item.flatMap(adopt)
        if item != nil, queued == nil { return false }
        wish { $0.replaceFirst(with: queued, timeline.currentTime) }
        return true
    }

    func remove(_ item: PlayerItem) { wish { $0.remove(item.id, timeline.currentTime) } }
    func removeAllItems() { wish { $0.removeAll(timeline.currentTime) } }
    func advanceToNextItem() { if let item = currentItem { remove(item) } }
    func setRate(_ rate: Float) { wish { $0.setRate(rate, at: nil) } }
    func playImmediately(_ rate: Float) { wish { $0.playImmediately(rate) } }
    func interrupt() { wish { $0.transport(because: .interrupted) { $0.pause() } } }
    func cancelPendingSeeks() { wish { $0.cancelSeek() } }

    func setAutomaticallyWaits(_ waits: Bool) {
        wish { $0.transport { $0.setAutomaticallyWaits(waits) } }
    }

    func seek(to time: CMTime, completion: @escaping @Sendable (Bool) -> Void) {
        _ = seek(to: time, of: nil, completion: completion)
    }

    func seek(
        to time: CMTime, of item: PlayerItem?, completion: @escaping @Sendable (Bool) -> Void
    ) -> Bool {
        if let item, item !== currentItem { return false }
        request(completion) { $0.seek(to: time, of: item?.id, $1, at: world.now) }
        return true
    }

    // MARK: Work

    func suspend() { isSuspended = true }
    func resume() { isSuspended = false }

    func finishWork() -> Bool {
        if isSuspended { return true }
        for _ in 0..<5000 {
            if isDue {
                isDue = false
                guard reconcile() else { return false }
            } else if engine.outputs.isRequesting, renderQueue.isReadyForMoreData {
                deliver()
            } else {
                return true
            }
        }
        return false
    }

    private func reconcile() -> Bool {
        for _ in 0..<5000 {
            let moment = executor.moment(at: world.now)
            for action in update({ $0.step(moment) }) { carryOut(action) }
            guard engine.isSettled else { continue }
            objects = objects.filter { engine.knows($0.key) }
            setAlarm()
            return true
        }
        return false
    }

    private func setAlarm() {
        guard let deadline = engine.deadline else { return world.clear(slot) }
        world.set(slot, after: max(.zero, deadline.since(world.now)) + lateness) { [weak self] in
            self?.isDue = true
        }
    }

    private func deliver() {
        isDue = true
        while renderQueue.isReadyForMoreData {
            let (delivery, actions) = engine.deliver(executor.moment(at: world.now))
            for action in actions { carryOut(action) }
            switch delivery {
            case .take(let feed): if !executor.give(from: feed, { engine.place($0, $1) }) { return }
            case .again: break
            case .stop: return
            }
        }
    }

    private func carryOut(_ action: EngineAction) {
        onAction()
        defer { onAction() }
        switch action {
        case .open(let feed, let id, let selection, let place):
            guard let item = objects[id] else { break }
            executor.open(feed, item, selection, from: place) { [weak self] in self?.isDue = true }
        // The work loop polls the queue's readiness.
        case .request, .pauseRequests: break
        case .endOfData: renderQueue.route.endOfData()
        case .splice(let time, let generation):
            renderQueue.flush(from: time) { [weak self] isDone in
                self?.input { $0.outputEvents.spliced(isDone, generation: generation) }
            }
        case .publish(let id, let state, _): objects[id]?.publish(state)
        case .post(let id, let notice): objects[id]?.post(notice)
        case .resetStartTime(let id): objects[id]?.startTime = .zero
        case .complete(let request, let isDone): completions.removeValue(forKey: request)?(isDone)
        case .editWasLate: events.editWasLate()
        default: _ = executor.carryOut(action)
        }
    }
}
