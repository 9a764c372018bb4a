import CoreMedia
import Synchronization
import TuttiCodecs
import TuttiMediaTime
import TuttiSystemIO

/// The driver of a ``PlayerEngine``: carries out its actions on one serial queue, and accepts the wishes of
/// programs.
///
/// Any thread. A wish changes the observable state at once. The driver's queue carries the wish out: at each
/// event and each deadline of the engine, it steps the engine until the engine is settled.
package final class PlayerDriver: PlayerItemOwner, @unchecked Sendable {
    // Safe to share: only `queue` touches `executor` and `alarmTime`; all others are immutable or locked.

    /// Callbacks of the player, called on any thread without a lock held.
    package struct Events: Sendable {
        /// Runs the given change of these properties and notifies observers before and after it.
        package var change: @Sendable ([PlayerEngine.Property], () -> Void) -> Void = { $1() }
        /// Reports each change of the rate, in order.
        package var rateDidChange: @Sendable (PlayerEngine.RateReason) -> Void = { _ in }
        /// An edit missed its deadline, so playback has a gap.
        package var editWasLate: @Sendable () -> Void = {}
        /// Reports the scheduled items, whose sound the outputs have or are receiving; the audible item first.
        package var placed: @Sendable ([PlacedItem]) -> Void = { _ in }
        /// Reports a warning about an item that still plays.
        package var warned: @Sendable (PlayerItem, MediaWarning) -> Void = { _, _ in }

        /// Makes callbacks that do nothing.
        package init() {}
    }

    let shared: SharedEngine
    /// The queue that receives the sound of all items.
    package let renderQueue: RenderQueue
    /// The timeline of ``renderQueue``.
    package let timeline: PlaybackTimeline
    /// The player's queue, on which the engine is reconciled with the world.
    package let queue: SerialQueue
    let clock: any HostClock
    private let alarm: any WakeUp
    let observers = PlayerObservers()
    private let lineOrder = NotificationSerializer()
    private let isReconcileQueued = Mutex(false)
    private let executor: ActionExecutor
    /// Host time of the pending alarm.
    private var alarmTime: HostTime?

    /// - Parameters:
    ///   - alarm: Wakes the player at its deadlines; `nil` for a timer on the player's queue.
    ///   - machine: Time and queues.
    package init(
        renderQueue: RenderQueue, endAction: PlayerEngine.EndAction = .pause,
        alarm: (any WakeUp)? = nil, machine: any Machine
    ) {
        let queue = machine.makeQueue("tutti.player", qos: .userInitiated)
        (self.renderQueue, self.queue) = (renderQueue, queue)
        clock = machine
        self.alarm = alarm ?? QueueWakeUp(on: queue)
        timeline = PlaybackTimeline(machine: machine)
        executor = ActionExecutor(renderQueue: renderQueue, timeline: timeline)
        shared = SharedEngine(PlayerEngine(endAction: endAction), main: machine.main)
        _ = timeline.add(renderQueue)
        listen()
    }

    deinit {
        for item in shared.items { _ = item.letGo(by: self, startingAt: .zero) }
        alarm.cancel()
        renderQueue.setPlaying(false)
        _ = timeline.remove(renderQueue)
    }

    private func listen() {
        var queueEvents = RenderQueue.Events()
        queueEvents.automaticallyFlushed = { [weak self] time, done in
            self?.input { $0.outputEvents.lostSound(from: time) }
            done()
        }
        queueEvents.changeStatus = { [weak self] change in
            change()
            self?.needsReconcile()
        }
        queueEvents.halted = { [weak self] in self?.interrupt() }
        renderQueue.setEvents(queueEvents)
        var timelineEvents = PlaybackTimeline.Events()
        timelineEvents.rateDidChange = { [weak self] in self?.needsReconcile() }
        timelineEvents.lineDidChange = { [weak self] isJump in
            self?.publishLine(isJump: isJump)
            self?.needsReconcile()
        }
        timeline.setEvents(timelineEvents)
    }

    /// Replaces the callbacks.
    package func setEvents(_ events: Events) { shared.setEvents(events) }

    // MARK: Inputs

    /// Takes a wish of the program: changes the observable state, notifies observers, and reconciles soon.
    ///
    /// - Parameter change: May run more than once, because the state can change between the attempts.
    func wish(_ change: (inout PlayerState) -> Void) {
        let commit = shared.update(for: self) { engine in
            engine.wish(change)
            return engine.takeActions()
        }
        carryOut(commit)
        needsReconcile()
    }

    /// Gives the engine an input that changes nothing observable.
    func input(_ change: (inout PlayerEngine) -> Void) {
        shared.withEngine(change)
        needsReconcile()
    }

    // MARK: On the queue

    /// Schedules a reconciliation; coalesces with a pending one.
    private func needsReconcile() {
        let isFirst = isReconcileQueued.withLock { isQueued in
            defer { isQueued = true }
            return !isQueued
        }
        if isFirst { queue.async { [weak self] in self?.reconcile() } }
    }

    /// Steps the engine until it is settled.
    func reconcile() {
        isReconcileQueued.withLock { $0 = false }
        var isSettled = false
        while !isSettled {
            let moment = executor.moment(at: clock.now)
            let commit = shared.update(for: self) { $0.step(moment) }
            carryOut(commit)
            isSettled = commit.isSettled
        }
        shared.forgetItems(of: self)
        setAlarm()
    }

    /// Reconciles and waits for it. For tests.
    func settle() { queue.sync { reconcile() } }

    private func setAlarm() {
        let deadline = shared.withEngine(\.deadline)
        guard deadline != alarmTime else { return }
        alarmTime = deadline
        guard let deadline else { return alarm.cancel() }
        alarm.set(after: max(.zero, deadline.since(clock.now))) { [weak self] in
            self?.alarmTime = nil
            self?.reconcile()
        }
    }

    /// Feeds the render queue while it wants more.
    private func deliver() {
        delivery: while renderQueue.isReadyForMoreData {
            let moment = executor.moment(at: clock.now)
            let (delivery, actions) = shared.withEngine { $0.deliver(moment) }
            carryOut(SharedEngine.Commit(actions: actions))
            switch delivery {
            case .take(let feed):
                let isThere = executor.give(from: feed) { time, duration in
                    shared.withEngine { $0.place(time, duration) }
                }
                if !isThere { break delivery }
            case .again: break
            case .stop: break delivery
            }
        }
        needsReconcile()
    }

    private func carryOut(_ commit: SharedEngine.Commit) {
        for action in commit.actions where !shared.carryOut(action, for: self) {
            switch action {
            case .open(let feed, let item, let selection, let place):
                guard let item = shared.object(item) else { break }
                executor.open(feed, item, selection, from: place) { [weak self] in
                    self?.needsReconcile()
                }
            case .request: renderQueue.request(on: queue) { [weak self] in self?.deliver() }
            case .splice(let time, let generation):
                renderQueue.flush(from: time) { [weak self] isDone in
                    self?.input { $0.outputEvents.spliced(isDone, generation: generation) }
                }
            case .announceLine: publishLine(isJump: true)
            default: _ = executor.carryOut(action)
            }
        }
        withExtendedLifetime(commit.kept) {}
    }

    /// Publishes the timeline's line in the current item's time.
    private func publishLine(isJump: Bool) {
        lineOrder.tell(isJump: isJump) { isJump in
            let current = shared.current
            observers.publish(
                timeline.line, start: current.start, of: current.item, by: self, isJump: isJump)
        }
    }
}
