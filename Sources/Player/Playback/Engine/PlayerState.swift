import CoreMedia
import TuttiCodecs
import TuttiMediaTime

/// The part of a player that a program sees and changes: transport, queue, status, pending requests.
///
/// Each wish of the program is one mutating method. Its effects on completions and removed items are left in
/// ``effects``.
struct PlayerState: Sendable {
    private(set) var machine = TransportMachine()
    /// The queued items, the current one first.
    private(set) var items: [QueuedItem] = []
    /// Incremented by each change of the queue.
    private(set) var itemsRevision = 0
    var endAction: PlayerEngine.EndAction
    private(set) var status = PlayerEngine.Status.unknown
    private(set) var error: (any Error)?
    private(set) var seeking = Seeking()
    private var prerolling = Preroll()
    /// Host time at which the next start must be heard; `nil` if no instant was requested.
    private(set) var appointment: HostTime?
    /// Timeline time of the current item's time 0; `nil` until the item is scheduled.
    var headStart: CMTime?
    /// The time to which the driver is setting the timeline; `nil` once the timeline has it. ``headStart`` belongs to this
    /// time already.
    var pendingTime: CMTime?
    /// The rate last reported.
    private var reportedRate: Float = 0
    /// The cause of the rate change that is reported next.
    var rateReason = PlayerEngine.RateReason.asked
    /// The number of items that have changed, those included that were removed since.
    private var changeCount = 0
    /// Completed requests and released items of the current change.
    private var effects: [EngineAction] = []

    init(endAction: PlayerEngine.EndAction) { self.endAction = endAction }

    // MARK: Observable parts

    /// The observable part of the state.
    struct Visible: Equatable, Sendable {
        var currentItem: ItemID?
        var itemsRevision: Int
        var machine: TransportMachine
        var status: PlayerEngine.Status

        /// Returns the properties that differ in a later state, in notification order.
        func differences(to later: Self) -> [PlayerEngine.Property] {
            var changed: [PlayerEngine.Property] = []
            if currentItem != later.currentItem { changed.append(.currentItem) }
            if itemsRevision != later.itemsRevision { changed.append(.items) }
            if machine.rate != later.machine.rate { changed.append(.rate) }
            if machine.control != later.machine.control { changed.append(.timeControlStatus) }
            if machine.reason != later.machine.reason { changed.append(.reasonForWaitingToPlay) }
            if status != later.status { changed += [.status, .error] }
            return changed
        }
    }

    var visible: Visible {
        Visible(currentItem: items.first?.id, itemsRevision: itemsRevision, machine: machine, status: status)
    }

    /// The audible time of the current item, or the target of a pending seek; 0 without an item.
    ///
    /// - Parameter time: The timeline's time.
    func currentTime(_ time: CMTime) -> CMTime {
        guard let item = items.first else { return .zero }
        if let seek = seeking.pending, seek.target.isNumeric { return seek.target }
        guard let headStart else { return item.startTime }
        let place = max(.zero, (pendingTime ?? time) - headStart)
        return item.end.isNumeric ? min(place, item.end) : place
    }

    // MARK: Items

    func index(of id: ItemID) -> Int? { items.indices.first { items[$0].id == id } }

    func item(_ id: ItemID) -> QueuedItem? { index(of: id).map { items[$0] } }

    /// Changes an item, if the queue has it.
    mutating func withItem(_ id: ItemID, _ change: (inout QueuedItem) -> Void) {
        guard let index = index(of: id) else { return }
        let hadChanged = items[index].change != .none
        change(&items[index])
        if !hadChanged, items[index].change != .none { changeCount += 1 }
    }

    /// Stores a changed copy of an item. Queues are long: one that has not changed is not copied.
    mutating func store(_ item: QueuedItem) { if item.change != .none { withItem(item.id) { $0 = item } } }

    /// Inserts an item behind `place`, or at the end of the queue if `place` is `nil` or gone.
    mutating func insert(_ item: QueuedItem, after place: ItemID?) {
        let index = place.flatMap(index).map { $0 + 1 } ?? items.count
        change { $0.insert(item, at: index) }
        if index == 0 { headChanged() }
        // A failed item stayed current only because it had no successor.
        while items.count > 1, endAction == .advance, items[0].hasFailed { take(at: 0, .zero) }
    }

    /// Removes an item; an item that is re-inserted resumes where it left off.
    ///
    /// - Parameter time: The timeline's time.
    mutating func remove(_ id: ItemID, _ time: CMTime) {
        if let index = index(of: id) { take(at: index, time) }
    }

    /// Removes items that failed before they became audible, if the queue advances by itself.
    ///
    /// - Parameters:
    ///   - count: The number of items, the current one first, that can have failed.
    ///   - time: The timeline's time.
    mutating func removeFailed(inFirst count: Int, _ time: CMTime) {
        while endAction == .advance, items.count > 1,
            let failed = items.prefix(count).first(where: \.hasFailed)
        { remove(failed.id, time) }
    }

    /// Empties the queue.
    mutating func removeAll(_ time: CMTime) {
        guard !items.isEmpty else { return }
        for item in items.dropFirst() { effects.append(.release(item.id, at: item.startTime)) }
        change { $0.removeSubrange(1...) }
        take(at: 0, time)
    }

    /// Replaces the current item; `nil` only removes it.
    mutating func replaceFirst(with item: QueuedItem?, _ time: CMTime) {
        if !items.isEmpty { take(at: 0, time) }
        guard let item else { return }
        change { $0.insert(item, at: 0) }
        headChanged()
    }

    /// Ends the first item, which was heard to its end.
    mutating func advance(_ time: CMTime) {
        // The queue is empty: later items play only after a new start.
        if items.count == 1 { machine.pause() }
        take(at: 0, time)
    }

    private mutating func take(at index: Int, _ time: CMTime) {
        let item = items[index]
        change { $0.remove(at: index) }
        guard index == 0 else { return effects.append(.release(item.id, at: item.startTime)) }
        var place = headStart.map { max(.zero, (pendingTime ?? time) - $0) } ?? item.startTime
        if item.end.isNumeric, place >= item.end { place = .zero }
        effects.append(.release(item.id, at: place))
        headChanged()
    }

    private mutating func change(_ body: (inout [QueuedItem]) -> Void) {
        body(&items)
        itemsRevision += 1
    }

    /// Makes the first item the current one; its sound may be in the outputs already.
    private mutating func headChanged() {
        cancelSeek()
        cancelPreroll()
        (headStart, appointment) = (nil, nil)
        informMachine()
    }

    /// Reports the state of the current item to the transport.
    private mutating func informMachine() {
        guard let item = items.first else { return machine.itemBecame(.none, BufferLevels()) }
        let now: TransportMachine.Item =
            switch item.state.status {
            case .readyToPlay: .ready
            case .unknown: .loading
            case .failed: .failed
            }
        machine.itemBecame(now, item.state.levels, onlyRate: item.state.facts?.onlyRate)
    }

    // MARK: Sources of the items

    /// The source of an item is being opened; it has no sound yet.
    mutating func itemWasOpened(_ id: ItemID, at now: HostTime) {
        withItem(id) { item in
            item.set(\.openedAt, item.state.openedAt ?? now)
            item.set(\.levels, BufferLevels())
        }
    }

    /// The source of an item has given its first sound.
    mutating func itemCanPlay(_ id: ItemID, at now: HostTime) {
        withItem(id) { item in
            item.set(\.readyAt, now)
            item.set(\.status, .readyToPlay)
        }
    }

    /// The source of an item is closed, and what was read is gone.
    mutating func itemWasClosed(_ id: ItemID) {
        withItem(id) { item in
            guard !item.hasFailed else { return }
            item.set(\.levels, BufferLevels())
            item.set(\.loaded, nil)
        }
    }

    /// All sound at hand of an item was heard before its end.
    mutating func itemRanDry(_ id: ItemID) {
        withItem(id) { item in
            item.set(\.levels, BufferLevels())
            item.set(\.stallCount, item.state.stallCount + 1)
        }
    }

    /// Fails an item for good. The queue drops the item if it advances by itself.
    mutating func failItem(_ id: ItemID, _ error: MediaError) {
        withItem(id) { item in
            item.state.fail(error)
            item.change = .ordered
        }
    }

    // MARK: Transport

    /// Sets the requested rate; 0 pauses.
    ///
    /// - Parameter host: Host time at which the start is to be heard; `nil` for as soon as possible.
    mutating func setRate(_ rate: Float, at host: HostTime?) {
        cancelPreroll()
        appointment = rate == 0 ? nil : host
        machine.setRate(rate)
    }

    /// Starts with the sound at hand, without waiting for more.
    mutating func playImmediately(_ rate: Float) {
        cancelPreroll()
        appointment = nil
        machine.playImmediately(rate)
    }

    /// Changes the transport.
    mutating func transport(
        because reason: PlayerEngine.RateReason = .asked, _ change: (inout TransportMachine) -> Void
    ) {
        rateReason = reason
        change(&machine)
    }

    /// The current item was heard to its end, and stays current.
    mutating func itemHasEnded() {
        let stays = endAction == .none
        transport(because: .ended) { $0.itemEnded(staysAtRate: stays) }
    }

    /// Reports that the current item is ready to play.
    mutating func itemIsReady() { informMachine() }

    /// Stops at the current item, which failed, and keeps the time at which it was last heard.
    mutating func itemHasFailed() {
        let start = headStart
        rateReason = .failed
        headChanged()
        headStart = start
    }

    mutating func becomeReady() { if status == .unknown { status = .readyToPlay } }

    /// Fails the player, whose sound cannot be rendered.
    mutating func fail(_ error: any Error) {
        (status, self.error) = (.failed, error)
        transport(because: .failed) { $0.pause() }
    }

    mutating func appointmentIsKept() { appointment = nil }

    // MARK: Seeks and prerolls

    /// Requests a seek of the current item to `time`. A later seek, or another item, completes it with
    /// `false`.
    mutating func seek(to time: CMTime, of id: ItemID?, _ request: RequestID, at now: HostTime) {
        cancelPreroll()
        guard time == .positiveInfinity || time.isNumeric, let head = items.first, id == nil || head.id == id,
            !head.hasFailed
        else { return complete(request, false) }
        complete(seeking.ask(for: max(.zero, time), request, at: now), false)
    }

    mutating func beginSeek(to target: CMTime) { seeking.begin(to: target) }

    mutating func restartSeek() { seeking.restart() }

    mutating func endSeek(isDone: Bool) { complete(seeking.end(), isDone) }

    mutating func cancelSeek() { endSeek(isDone: false) }

    /// Requests to be told when a start would be heard at once.
    mutating func preroll(_ request: RequestID) {
        cancelPreroll()
        guard !items.isEmpty else { return complete(request, false) }
        prerolling.begin(request)
    }

    /// Whether a preroll waits only for the outputs.
    var isPrerolled: Bool { prerolling.isPending && items.first?.state.levels.isEnough == true }

    mutating func endPreroll(isDone: Bool) { complete(prerolling.end(), isDone) }

    mutating func cancelPreroll() { endPreroll(isDone: false) }

    /// Whether ``takeEffects()`` has something to return.
    var hasEffects: Bool { changeCount > 0 || !effects.isEmpty || machine.rate != reportedRate }

    /// Returns the rate change, completed requests, released items and changed items, and forgets them.
    mutating func takeEffects() -> [EngineAction] {
        if machine.rate != reportedRate { effects.append(.rateChanged(rateReason)) }
        (reportedRate, rateReason) = (machine.rate, .asked)
        defer { (effects, changeCount) = ([], 0) }
        guard changeCount > 0 else { return effects }
        // Queues are long, and what changes stands at their beginning.
        for index in items.indices where items[index].change != .none {
            let item = items[index]
            effects.append(.publish(item.id, item.state, isOrdered: item.change == .ordered))
            items[index].change = .none
            changeCount -= 1
            if changeCount == 0 { break }
        }
        return effects
    }

    private mutating func complete(_ request: RequestID?, _ isDone: Bool) {
        if let request { effects.append(.complete(request, isDone)) }
    }
}
