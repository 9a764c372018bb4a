import CoreMedia
import Dispatch
import Foundation
import MediaTime
import Synchronization
import SystemIO

/// Plays items one after the other through one render queue: what stands behind `AVPlayer` and `AVQueuePlayer`.
///
/// What a program asks for is seen at once and carried out on the player's queue: each turn looks at what is wanted and
/// at what is there, and makes the one the other. Items lie one behind the other on the timeline, each where the one
/// before it really ended. Any thread.
package final class PlayerCore: @unchecked Sendable {
    // Safe to share: the variables under "On the queue" are touched on `queue` only; the rest is immutable, or behind
    // a lock.

    package enum Property: String, Sendable, CaseIterable {
        case currentItem, items, rate, timeControlStatus, reasonForWaitingToPlay, status, error
    }

    package enum EndAction: Sendable { case advance, pause, none }

    package enum Status: Int, Sendable { case unknown, readyToPlay, failed }

    /// Why the rate is another.
    package enum RateReason: Sendable { case asked, failed, interrupted, ended }

    package struct Events: Sendable {
        /// Runs the change of these properties that it is given, and tells observers around it.
        package var change: @Sendable ([Property], () -> Void) -> Void = { $1() }
        package var rateDidChange: @Sendable (RateReason) -> Void = { _ in }
        /// An edit came too late to be without a gap.
        package var editWasLate: @Sendable () -> Void = {}

        package init() {}
    }

    struct Shared: Sendable {
        var machine = TransportMachine()
        var items: [PlayerItem] = [] {
            didSet { itemsRevision += 1 }
        }
        /// Counts changes of the items.
        var itemsRevision = 0
        /// What a change has left behind, for after it was made.
        var left = Leftovers()
        var endAction: EndAction
        var status = Status.unknown
        var error: (any Error)?
        var seek: Seek?
        var seekCount = 0
        var burst = SeekBurst()
        var preroll: Preroll?
        /// The start that has to be heard at an instant.
        var appointment: HostTime?
        var isTurnQueued = false
        /// Why the rate became another, each time, until it is told.
        var rateReasons: [RateReason] = []
        /// Timeline time of the current item's time 0; `nil` until it lies there.
        var headStart: CMTime?
    }

    let shared: Mutex<Shared>
    private let events = Mutex(Events())
    package let renderQueue: RenderQueue
    package let timeline: PlaybackTimeline
    package let queue = DispatchQueue(label: "tutti.player", qos: .userInitiated)
    let clock: any HostClock
    private let alarm: any PlayerAlarm
    let observers = PlayerObservers()
    let lineOrder = TellingOrder()
    private let rateOrder = TellingOrder()
    let news = Watchers<PlayerNews>()

    // MARK: On the queue

    /// Items whose sound goes, or has gone, to the render queue; the first one is heard.
    var laid: [LaidItem] = []
    /// The item behind those, which is opened before it is needed.
    var prepared: LaidItem?
    var appliedRate: Float = 0
    /// What the outputs had is read again, which is not to be seen from outside until then.
    var refillEnd: HostTime?
    var isRequesting = false
    /// The outputs are taking sound back; until they have, none is given.
    var isSplicing = false
    /// The outputs have got sound since they had none.
    var hasGiven = false
    /// What comes now is too late for the outputs: they play to the end of what they have.
    var isClosing = false
    /// What was to follow is gone: should nothing else follow, the outputs are to be told so.
    var isEndUntold = false
    /// What was to follow is still in the outputs, and is dropped where it would begin.
    var dropsRestAtEnd = false
    /// The place that was asked for and is being read.
    var begunSeek: Int?
    /// The current item was heard to its end, which has been told.
    var hasEnded = false
    /// What was told of the timeline.
    var toldPlaces: [PlacedItem] = []
    /// Over the first item's source.
    var watch = PlayheadWatch()
    /// When the alarm calls for a turn.
    var nextTurn: HostTime?
    /// Until then the fill rate is looked at.
    var evaluationEnd: HostTime?

    /// - Parameter alarm: calls for a turn later; `nil` is the real one.
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

    package func setEvents(_ events: Events) { self.events.withLock { $0 = events } }

    func tell(_ body: (Events) -> Void) { body(events.withLock { $0 }) }

    // MARK: Turns

    func onQueue(_ body: @escaping @Sendable (PlayerCore) -> Void) {
        queue.async { [weak self] in
            guard let self else { return }
            body(self)
            self.turn()
        }
    }

    /// Something is other than it was.
    func needsTurn() {
        let isFirst = shared.withLock { shared in
            defer { shared.isTurnQueued = true }
            return !shared.isTurnQueued
        }
        if isFirst { queue.async { [weak self] in self?.turn() } }
    }

    /// The next turn comes no later than this.
    func wake(after pause: Duration) {
        let due = clock.now.advanced(by: pause)
        // A later one must not take the place of one that is due, again and again.
        if let nextTurn, nextTurn <= due { return }
        nextTurn = due
        alarm.set(after: pause) { [weak self] in self?.turn() }
    }

    /// For tests: returns when everything that was asked for has been carried out.
    func settle() { queue.sync { turn() } }

    // MARK: State

    /// Runs a change and tells who observes what of it is seen.
    ///
    /// - Parameter change: may be run more than once: on what others make of the state meanwhile.
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

    /// In the order of the changes, also where two threads made them.
    private func tellRates() {
        rateOrder.tell { _ in
            let reasons = shared.withLock { shared in
                defer { shared.rateReasons = [] }
                return shared.rateReasons
            }
            for reason in reasons { tell { $0.rateDidChange(reason) } }
        }
    }

    /// Makes a change if no more than `announced` is seen of it. Items that left are free at once: who is told of it may
    /// put them in again.
    ///
    /// - Returns: what must be announced first; `nil` if the change was made.
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

    /// In the order in which they are told.
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

    package var machine: TransportMachine { shared.withLock { $0.machine } }
    package var items: [PlayerItem] { shared.withLock { $0.items } }
    package var currentItem: PlayerItem? { shared.withLock { $0.items.first } }
    package var status: Status { shared.withLock { $0.status } }
    package var error: (any Error)? { shared.withLock { $0.error } }

    package var endAction: EndAction {
        get { shared.withLock { $0.endAction } }
        set {
            shared.withLock { $0.endAction = newValue }
            needsTurn()
        }
    }

    // MARK: Transport

    package func setRate(_ rate: Float) { setRate(rate, appointment: nil) }

    /// - Parameter appointment: when it is to be heard.
    private func setRate(_ rate: Float, appointment: HostTime?) {
        cancelPreroll()
        shared.withLock { $0.appointment = rate == 0 ? nil : appointment }
        update { $0.machine.setRate(rate) }
        needsTurn()
    }

    package func playImmediately(_ rate: Float) {
        cancelPreroll()
        shared.withLock { $0.appointment = nil }
        update { $0.machine.playImmediately(rate) }
        needsTurn()
    }

    package func setAutomaticallyWaits(_ waits: Bool) {
        update { $0.machine.setAutomaticallyWaits(waits) }
        needsTurn()
    }

    /// Silence, because somebody else took the outputs or the sound of the whole machine.
    package func interrupt() {
        update(because: .interrupted) { $0.machine.pause() }
        needsTurn()
    }

    /// Item `time` is heard when the host clock reads `host`.
    package func setRate(_ rate: Float, time: CMTime, host: HostTime?) {
        if time.isNumeric { seek(to: time) { _ in } }
        setRate(rate, appointment: host)
    }

    /// The current item's time that is being heard; 0 without one.
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

/// What a change of the player's state has left behind.
struct Leftovers {
    /// Items that left, and where they would go on.
    var items: [(item: PlayerItem, place: CMTime)] = []
    /// What was asked for the item that was current.
    var seek: Seek?
    var preroll: Preroll?
    /// What the items were known by.
    var kept: [(any AnyObject & Sendable)?] = []

    func end() {
        seek?.end(false)
        preroll?.end(false)
    }
}

/// An item on the timeline.
struct LaidItem {
    let item: PlayerItem
    let feed: any ItemFeed
    /// Timeline time of the item's time 0.
    var start: CMTime
    /// Where in the item it begins.
    var place: CMTime
    /// Timeline time after the last sample that the render queue has of it.
    var end: CMTime
    /// Where the program wants it to end, as far as was seen: timeline time.
    var limit: CMTime?
    /// The render queue has all of it.
    var isComplete = false
    /// ``end`` as it was when the sound ran out: what is left of it is heard with what follows.
    var dryEnd: CMTime?
    /// Up to where it was heard, in its own time.
    var heard = CMTime.zero
    /// How its sound was given.
    var pitch = PitchTreatment.kept
    /// The stream that its feed was told to read.
    var stream: Int?
    /// How long it was found to be.
    var measuredDuration: CMTime?
    /// How long it is at the least, where its source can only guess.
    var leastDuration: CMTime?
    /// When it was told last how far it is loaded.
    var toldLoadedAt: HostTime?
    /// Of the feed: what was read for another place is not what is wanted.
    var seekCount = 0
    /// Of the transfer log: what has been told.
    var toldRevision = -1
    var toldFailures = 0
    /// Of the source's warnings: how many have been told.
    var toldWarnings = 0
    /// The feed's error, once what came before it has been given.
    var isBroken = false

    /// Timeline time of its first sound that is heard.
    var join: CMTime { start + place }

    /// The render queue has some of it.
    var hasSound: Bool { end > join }

    /// Nobody knows how long it is.
    var isDurationGuessed: Bool { measuredDuration == nil && feed.state.facts?.isDurationGuessed == true }
}
