import CoreMedia
import MediaTime

/// The items on the timeline, end to end, each at the measured end of its predecessor; and the feeds that read
/// them.
struct Schedule: Sendable {
    /// The scheduled items. The first one is audible.
    var items: [ScheduledItem] = []
    /// The successor of ``items``, opened in advance.
    var prepared: ScheduledItem?
    private var lastFeed = 0
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

    // MARK: Opening and closing

    /// Schedules an item at a timeline time.
    ///
    /// - Returns: whether its source had to be opened, because it was not prepared.
    mutating func append(_ item: QueuedItem, at start: CMTime) -> Bool {
        let ready = takePrepared(item)
        var one = ready ?? open(item)
        one.schedule(at: start, item)
        items.append(one)
        return ready == nil
    }

    private mutating func open(_ item: QueuedItem) -> ScheduledItem {
        lastFeed += 1
        let one = ScheduledItem(item: item, feed: FeedID(value: lastFeed))
        actions.append(
            .open(one.feed, item.id, stream: one.stream, from: one.place > .zero ? one.place : nil))
        return one
    }

    private mutating func takePrepared(_ item: QueuedItem) -> ScheduledItem? {
        guard let one = prepared, isPrepared(one, item) else { return nil }
        prepared = nil
        return one
    }

    private func isPrepared(_ one: ScheduledItem, _ item: QueuedItem?) -> Bool {
        one.item == item?.id && one.place == item?.place && one.stream == item?.wishes.stream
    }

    /// Opens the successor while its predecessor is still being fed, so that playback does not wait for a
    /// server.
    ///
    /// - Returns: whether a source was opened.
    mutating func prepare(_ next: QueuedItem?) -> Bool {
        if let one = prepared, !isPrepared(one, next) {
            actions.append(.close(one.feed))
            prepared = nil
        }
        guard let next, prepared == nil else { return false }
        var one = open(next)
        one.readAhead.restart(until: one.place + Self.preparedTime)
        actions.append(.read(one.feed, until: one.place + Self.preparedTime))
        prepared = one
        return true
    }

    /// Sound to prefetch: the start level of an address.
    private static let preparedTime = CMTime(value: 2, timescale: 1)

    /// Drops the items from `index` on.
    ///
    /// - Returns: the dropped items.
    @discardableResult
    mutating func close(from index: Int) -> [ItemID] {
        let gone = items[index...]
        items.removeSubrange(index...)
        for one in gone { actions.append(.close(one.feed)) }
        return gone.map(\.item)
    }

    /// Drops the items before `index`, which are not heard any more.
    mutating func close(before index: Int) {
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

    mutating func read(_ index: Int, until time: CMTime) {
        actions.append(.read(items[index].feed, until: time))
    }

    /// Selects another stream of the first item, for the next time it is read anew.
    mutating func select(stream: Int?) {
        items[0].stream = stream
        items[0].duration.restart()
        actions.append(.select(items[0].feed, stream: stream))
    }
}
