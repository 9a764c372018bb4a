import CoreMedia
import TuttiMediaTime

/// The items on the timeline, end to end, each at the measured end of its predecessor; the feeds that read them; and
/// the edits of their sound.
struct Schedule: Sendable {
    /// The scheduled items. The first one is audible.
    var items: [ScheduledItem] = []
    /// The successor of ``items``, opened in advance.
    var prepared: ScheduledItem?
    private var lastFeed = 0
    /// The states of the open feeds, as last sampled.
    var feeds: [FeedID: ItemFeedState] = [:]
    var resends = Resends()
    var actions: [EngineAction] = []

    var head: ScheduledItem? { items.first }
    var last: ScheduledItem? { items.last }

    /// Whether the outputs have sound of any item.
    var hasSound: Bool { items.contains(where: \.hasSound) }

    /// Whether an item's source is open or opening.
    func has(_ id: ItemID) -> Bool { prepared?.item == id || items.contains { $0.item == id } }

    mutating func withLast(_ change: (inout ScheduledItem) -> Void) {
        if !items.isEmpty { change(&items[items.count - 1]) }
    }

    // MARK: The queue

    /// Returns the index of the first scheduled item that the queue does not want in its place; `nil` if it wants all
    /// of them. The first item must be the queue's.
    func firstUnwanted(in state: PlayerState) -> Int? {
        let queue = state.items
        for index in items.indices {
            guard index < queue.count, items[index].item == queue[index].id else { return index }
            if index > 0, items[index].startTime != queue[index].place { return index }
        }
        return items.count > 1 && state.endAction != .advance ? 1 : nil
    }

    /// Returns the item of the queue to schedule next.
    func next(in state: PlayerState) -> QueuedItem? {
        let (queue, count) = (state.items, items.count)
        guard state.endAction == .advance, count > 0, count < queue.count, last?.item == queue[count - 1].id
        else { return nil }
        return queue[count]
    }

    // MARK: Opening and closing

    /// Schedules an item at a timeline time. Its source is opened unless it was prepared.
    mutating func append(
        _ item: QueuedItem, at start: CMTime, lead: CMTime, _ state: inout PlayerState, _ now: HostTime
    ) {
        let ready = takePrepared(item, lead)
        var one = ready ?? open(item, lead, &state, now)
        one.schedule(at: start, item)
        items.append(one)
    }

    /// Schedules the next item of the queue at the end of the last one.
    ///
    /// - Returns: Whether there is one.
    mutating func appendNext(_ state: inout PlayerState, at now: HostTime) -> Bool {
        guard let last, let item = next(in: state) else { return false }
        let lead = self.lead(of: item)
        append(item, at: last.end - item.place - lead, lead: lead, &state, now)
        return true
    }

    private mutating func open(
        _ item: QueuedItem, _ lead: CMTime, _ state: inout PlayerState, _ now: HostTime
    ) -> ScheduledItem {
        lastFeed += 1
        let one = ScheduledItem(item: item, feed: FeedID(value: lastFeed), lead: lead)
        actions.append(
            .open(one.feed, item.id, one.selection, from: one.place > .zero ? one.place : nil))
        state.itemWasOpened(item.id, at: now)
        return one
    }

    private mutating func takePrepared(_ item: QueuedItem, _ lead: CMTime) -> ScheduledItem? {
        guard let one = prepared, isPrepared(one, item, lead) else { return nil }
        prepared = nil
        return one
    }

    private func isPrepared(_ one: ScheduledItem, _ item: QueuedItem?, _ lead: CMTime) -> Bool {
        one.item == item?.id && one.startTime == item?.place && one.lead == lead
            && one.stream == item?.wishes.stream
            && one.crossfade == item?.wishes.crossfade
    }

    /// Opens the successor while its predecessor is still being fed, so that playback does not wait for a
    /// server.
    mutating func prepareNext(_ state: inout PlayerState, at now: HostTime) {
        let isDue = last.map { $0.isComplete || feed($0).isAtEnd } ?? false
        let item = isDue ? next(in: state) : nil
        let lead = item.map { self.lead(of: $0) } ?? .zero
        if let one = prepared, !isPrepared(one, item, lead) {
            actions.append(.close(one.feed))
            prepared = nil
        }
        guard let item, prepared == nil else { return }
        var one = open(item, lead, &state, now)
        one.readAhead.restart(until: one.place + Self.preparedTime)
        actions.append(.read(one.feed, until: one.place + Self.preparedTime))
        prepared = one
    }

    /// Sound to prefetch: the start level of an address.
    private static let preparedTime = CMTime(value: 2, timescale: 1)

    /// Drops the items from `index` on.
    mutating func close(from index: Int, _ state: inout PlayerState) {
        let gone = items[index...]
        items.removeSubrange(index...)
        for one in gone {
            actions.append(.close(one.feed))
            state.itemWasClosed(one.item)
        }
    }

    /// Drops the first item, which was heard.
    mutating func closeHead() { close(before: 1) }

    /// Makes an item the first one, if the outputs get it from its beginning already.
    ///
    /// - Returns: Whether they do.
    mutating func skip(to item: QueuedItem) -> Bool {
        guard let index = items.firstIndex(where: { $0.item == item.id }),
            items[index].startTime == item.place,
            items[index].lead == .zero
        else { return false }
        close(before: index)
        return true
    }

    /// Drops the items before `index`, which are not heard any more.
    private mutating func close(before index: Int) {
        for one in items[..<index] { actions.append(.close(one.feed)) }
        items.removeFirst(index)
    }

    // MARK: Reading

    mutating func seek(_ index: Int, to place: CMTime) {
        items[index].seeks()
        actions.append(.seek(items[index].feed, to: place))
    }

    /// Reads the first item anew from item time `place`.
    mutating func readAnew(from place: CMTime, _ item: QueuedItem?) {
        items[0].readAnew(from: place, item)
        actions.append(.seek(items[0].feed, to: place))
    }
}
