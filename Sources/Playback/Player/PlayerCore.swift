import CoreMedia
import Dispatch
import Foundation
import MediaTime
import Synchronization
import SystemIO

/// The engine of `AVPlayer` and `AVQueuePlayer`: plays items in sequence through one render queue.
///
/// Any thread. A request changes the observable state at once. The player's queue carries the request out:
/// each turn reconciles the timeline with the wanted state. Items lie end to end on the timeline, each at the
/// measured end of its predecessor.
package final class PlayerCore: @unchecked Sendable {
    // Safe to share: only `queue` touches the variables under "On the queue"; all others are immutable or
    // behind a lock.

    /// An observable property of the player.
    package enum Property: String, Sendable, CaseIterable {
        case currentItem, items, rate, timeControlStatus, reasonForWaitingToPlay, status, error
    }

    /// The player's action at the end of an item.
    package enum EndAction: Sendable { case advance, pause, none }

    /// The player's status, as `AVPlayer.status`.
    package enum Status: Int, Sendable { case unknown, readyToPlay, failed }

    /// The cause of a rate change.
    package enum RateReason: Sendable { case asked, failed, interrupted, ended }

    /// Callbacks of the player, called on any thread without a lock held.
    package struct Events: Sendable {
        /// Runs the given change of these properties and notifies observers before and after it.
        package var change: @Sendable ([Property], () -> Void) -> Void = { $1() }
        /// Reports each change of the rate, in order.
        package var rateDidChange: @Sendable (RateReason) -> Void = { _ in }
        /// An edit missed its deadline, so playback has a gap.
        package var editWasLate: @Sendable () -> Void = {}

        package init() {}
    }

    struct Shared: Sendable {
        var machine = TransportMachine()
        var items: [PlayerItem] = [] {
            didSet { itemsRevision += 1 }
        }
        /// Incremented by each change of ``items``.
        var itemsRevision = 0
        /// Work of the current change that runs after the lock is released.
        var left = Leftovers()
        var endAction: EndAction
        var status = Status.unknown
        var error: (any Error)?
        var seek: Seek?
        var seekCount = 0
        var burst = SeekBurst()
        var preroll: Preroll?
        /// Host time at which the next start must be heard; `nil` if no instant was requested.
        var appointment: HostTime?
        var isTurnQueued = false
        /// Causes of rate changes, oldest first, that observers have not been notified of.
        var rateReasons: [RateReason] = []
        /// Timeline time of the current item's time 0; `nil` until the item is scheduled.
        var headStart: CMTime?
    }

    let shared: Mutex<Shared>
    private let events = Mutex(Events())
    /// The queue that receives the sound of all items.
    package let renderQueue: RenderQueue
    /// The timeline of ``renderQueue``.
    package let timeline: PlaybackTimeline
    /// The player's queue, on which turns run.
    package let queue = DispatchQueue(label: "tutti.player", qos: .userInitiated)
    let clock: any HostClock
    private let alarm: any PlayerAlarm
    let observers = PlayerObservers()
    let lineOrder = NotificationSerializer()
    private let rateOrder = NotificationSerializer()
    let news = Watchers<PlayerNews>()

    // MARK: On the queue

    /// Scheduled items, whose sound goes or has gone to the render queue. The first item is audible.
    var laid: [LaidItem] = []
    /// The successor of ``laid``, opened in advance.
    var prepared: LaidItem?
    var appliedRate: Float = 0
    /// Hides rebuffering from observers until this time.
    var refillEnd: HostTime?
    var isRequesting = false
    /// The outputs are dropping queued sound; feeding is suspended until they are done.
    var isSplicing = false
    /// The render queue received sound since its last flush or underrun.
    var hasGiven = false
    /// New sound would arrive too late, so the outputs play out what they have.
    var isClosing = false
    /// The successor was removed. Unless another item follows, the render queue still needs the end of data.
    var isEndUntold = false
    /// The outputs still hold a removed successor; the player flushes its sound at the join.
    var dropsRestAtEnd = false
    /// Id of the seek in progress.
    var begunSeek: Int?
    /// The current item played to its end, and observers were notified.
    var hasEnded = false
    /// Placements last reported to observers.
    var toldPlaces: [PlacedItem] = []
    /// Detects a starved first item.
    var watch = PlayheadWatch()
    /// Deadline of the pending alarm.
    var nextTurn: HostTime?
    /// Deadline of the buffering-rate evaluation.
    var evaluationEnd: HostTime?

    /// - Parameter alarm: schedules later turns; `nil` for a timer on the player's queue.
    package init(
        renderQueue: RenderQueue, endAction: EndAction = .pause, clock: any HostClock = SystemClock(),
        alarm: (any PlayerAlarm)? = nil
    ) {
        self.renderQueue = renderQueue
        self.clock = clock
        self.alarm = alarm ?? DispatchAlarm(queue: queue)
        timeline = PlaybackTimeline(clock: clock)
        shared = Mutex(Shared(endAction: endAction))
        _ = timeline.add(renderQueue)
        listen()
    }

    deinit {
        for one in laid { one.feed.close() }
        prepared?.feed.close()
        for item in shared.withLock({ $0.items }) { _ = item.letGo(by: self, startingAt: .zero) }
        alarm.cancel()
        renderQueue.setPlaying(false)
        _ = timeline.remove(renderQueue)
    }

    private func listen() {
        var queueEvents = RenderQueue.Events()
        queueEvents.automaticallyFlushed = { [weak self] time, done in
            self?.onQueue { $0.outputsLostSound(from: time) }
            done()
        }
        queueEvents.changeStatus = { [weak self] change in
            change()
            self?.onQueue { $0.rendererChanged() }
        }
        queueEvents.halted = { [weak self] in self?.interrupt() }
        renderQueue.setEvents(queueEvents)
        var timelineEvents = PlaybackTimeline.Events()
        timelineEvents.rateDidChange = { [weak self] in self?.onQueue { $0.timelineRateChanged() } }
        timelineEvents.lineDidChange = { [weak self] isJump in self?.publishLine(isJump: isJump) }
        timeline.setEvents(timelineEvents)
    }

    /// Replaces the callbacks.
    package func setEvents(_ events: Events) { self.events.withLock { $0 = events } }

    func tell(_ body: (Events) -> Void) { body(events.withLock { $0 }) }

    // MARK: Turns

    /// Runs `body`, then a turn, on the player's queue.
    func onQueue(_ body: @escaping @Sendable (PlayerCore) -> Void) {
        queue.async { [weak self] in
            guard let self else { return }
            body(self)
            self.turn()
        }
    }

    /// Schedules a turn; coalesces with a pending one.
    func needsTurn() {
        let isFirst = shared.withLock { shared in
            defer { shared.isTurnQueued = true }
            return !shared.isTurnQueued
        }
        if isFirst { queue.async { [weak self] in self?.turn() } }
    }

    /// Schedules a turn `pause` from now, unless an earlier one is pending.
    func wake(after pause: Duration) {
        let due = clock.now.advanced(by: pause)
        // Repeated later deadlines must not postpone the pending one.
        if let nextTurn, nextTurn <= due { return }
        nextTurn = due
        alarm.set(after: pause) { [weak self] in self?.turn() }
    }

    /// Runs a turn and waits for it. For tests.
    func settle() { queue.sync { turn() } }

    // MARK: State

    /// Runs a change and notifies observers of the properties that it changes.
    ///
    /// - Parameter change: may run more than once, because the state can change between the attempts.
    func update(because reason: RateReason = .asked, _ change: @Sendable (inout Shared) -> Void) {
        var left = Leftovers()
        guard var announced = apply(change, because: reason, seeing: [], &left) else { return left.end() }
        while true {
            var missed: [Property]?
            tell { events in
                events.change(announced) {
                    missed = apply(change, because: reason, seeing: announced, &left)
                }
            }
            guard let missed else { break }
            announced = missed
        }
        if announced.contains(.rate) { tellRates() }
        left.end()
    }

    /// Reports rate changes in order, even if several threads made them.
    private func tellRates() {
        rateOrder.tell { _ in
            let reasons = shared.withLock { shared in
                defer { shared.rateReasons = [] }
                return shared.rateReasons
            }
            for reason in reasons { tell { $0.rateDidChange(reason) } }
        }
    }

    /// Makes a change if it alters only the properties in `announced`. Detaches removed items at once,
    /// because an observer may re-insert them.
    ///
    /// - Returns: the properties to announce first; `nil` if the change was made.
    private func apply(
        _ change: @Sendable (inout Shared) -> Void, because reason: RateReason, seeing announced: [Property],
        _ left: inout Leftovers
    ) -> [Property]? {
        shared.withLock { shared in
            var trial = shared
            change(&trial)
            let changed = Self.differences(shared, trial)
            guard changed.allSatisfy(announced.contains) else { return changed }
            left = trial.left
            trial.left = Leftovers()
            if changed.contains(.rate) { trial.rateReasons.append(reason) }
            shared = trial
            for (item, place) in left.items { left.kept.append(item.letGo(by: self, startingAt: place)) }
            return nil
        }
    }

    /// Lists the changed properties in notification order.
    private static func differences(_ a: Shared, _ b: Shared) -> [Property] {
        var changed: [Property] = []
        if a.items.first !== b.items.first { changed.append(.currentItem) }
        if a.itemsRevision != b.itemsRevision { changed.append(.items) }
        if a.machine.rate != b.machine.rate { changed.append(.rate) }
        if a.machine.control != b.machine.control { changed.append(.timeControlStatus) }
        if a.machine.reason != b.machine.reason { changed.append(.reasonForWaitingToPlay) }
        if a.status != b.status { changed += [.status, .error] }
        return changed
    }

    /// A snapshot of the transport state.
    package var machine: TransportMachine { shared.withLock { $0.machine } }
    /// The queued items, the current one first.
    package var items: [PlayerItem] { shared.withLock { $0.items } }
    /// The first item of the queue.
    package var currentItem: PlayerItem? { shared.withLock { $0.items.first } }
    package var status: Status { shared.withLock { $0.status } }
    /// The error if ``status`` is `failed`.
    package var error: (any Error)? { shared.withLock { $0.error } }

    /// The action at the end of an item.
    package var endAction: EndAction {
        get { shared.withLock { $0.endAction } }
        set {
            shared.withLock { $0.endAction = newValue }
            needsTurn()
        }
    }

    // MARK: Transport

    /// Sets the requested rate; 0 pauses.
    package func setRate(_ rate: Float) { setRate(rate, appointment: nil) }

    /// - Parameter appointment: host time at which the start is to be heard; `nil` for as soon as possible.
    private func setRate(_ rate: Float, appointment: HostTime?) {
        cancelPreroll()
        shared.withLock { $0.appointment = rate == 0 ? nil : appointment }
        update { $0.machine.setRate(rate) }
        needsTurn()
    }

    /// Starts with the sound at hand, without waiting for more.
    package func playImmediately(_ rate: Float) {
        cancelPreroll()
        shared.withLock { $0.appointment = nil }
        update { $0.machine.playImmediately(rate) }
        needsTurn()
    }

    /// Sets whether a start waits until playback is likely to keep up.
    package func setAutomaticallyWaits(_ waits: Bool) {
        update { $0.machine.setAutomaticallyWaits(waits) }
        needsTurn()
    }

    /// Pauses, because another player took the outputs or the machine's sound was interrupted.
    package func interrupt() {
        update(because: .interrupted) { $0.machine.pause() }
        needsTurn()
    }

    /// Starts so that item time `time` is heard at host time `host`.
    package func setRate(_ rate: Float, time: CMTime, host: HostTime?) {
        if time.isNumeric { seek(to: time) { _ in } }
        setRate(rate, appointment: host)
    }

    /// The audible time of the current item, or the target of a pending seek; 0 without an item.
    package var currentTime: CMTime {
        let (seek, start, item) = shared.withLock { ($0.seek, $0.headStart, $0.items.first) }
        guard let item else { return .zero }
        if let seek, seek.target.isNumeric { return seek.target }
        guard let start else { return item.startTime }
        let time = max(.zero, timeline.currentTime - start)
        let end = item.end
        return end.isNumeric ? min(time, end) : time
    }
}

/// Work that a state change leaves for after the lock is released.
struct Leftovers {
    /// Removed items, each with the item time at which a re-inserted item resumes.
    var items: [(item: PlayerItem, place: CMTime)] = []
    /// The pending seek of the former current item.
    var seek: Seek?
    var preroll: Preroll?
    /// The public objects of the removed items; released without a lock held.
    var kept: [(any AnyObject & Sendable)?] = []

    func end() {
        seek?.end(false)
        preroll?.end(false)
    }
}

/// An item scheduled on the timeline.
struct LaidItem {
    let item: PlayerItem
    let feed: any ItemFeed
    /// Timeline time of the item's time 0.
    var start: CMTime
    /// Item time of its first audible sample.
    var place: CMTime
    /// Timeline time after its last sample in the render queue.
    var end: CMTime
    /// Timeline time of the end that the program set, as last applied.
    var limit: CMTime?
    /// The render queue has all sound of the item.
    var isComplete = false
    /// ``end`` at the last underrun. Unpacked samples before ``end`` become audible with later sound.
    var dryEnd: CMTime?
    /// Item time up to which it was heard.
    var heard = CMTime.zero
    /// Pitch treatment of the enqueued sound.
    var pitch = PitchTreatment.kept
    /// Index of the stream that the feed reads; `nil` leaves the choice to the file.
    var stream: Int?
    /// Duration measured at the end of the source.
    var measuredDuration: CMTime?
    /// Lower bound of the duration while the source can only estimate it.
    var leastDuration: CMTime?
    /// When observers were last notified of the loaded range.
    var toldLoadedAt: HostTime?
    /// Seek generation expected of the feed; its older states are stale.
    var seekCount = 0
    /// Revision and failure count of the transfer log last reported.
    var toldRevision = -1
    var toldFailures = 0
    /// Number of the source's warnings reported so far.
    var toldWarnings = 0
    /// The feed failed, and all sound before the failure is in the render queue.
    var isBroken = false

    /// Timeline time of its first audible sample.
    var join: CMTime { start + place }

    /// Whether the render queue has some sound of the item.
    var hasSound: Bool { end > join }

    /// Whether the duration is only an estimate.
    var isDurationGuessed: Bool { measuredDuration == nil && feed.state.facts?.isDurationGuessed == true }
}
