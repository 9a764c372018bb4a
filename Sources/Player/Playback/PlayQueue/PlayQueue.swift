/// A queue of entries to play: its entries, the current one, and the order in which they play. A value; it plays nothing.
///
/// Entries have an order that users see and edit, and an order of playing, which differs while the queue is shuffled.
/// Edits name entries by their ids, so that an edit of a list that has changed meanwhile does not meet another entry.
public struct PlayQueue<Entry: PlayQueueEntry>: Sendable {
    /// The limit of a queue that names none: a large library's tracks, in a few megabytes.
    public static var defaultLimit: Int { 20_000 }

    /// The most entries of this queue.
    public let limit: Int
    /// The entries in the order that users see.
    public internal(set) var entries: [Entry]
    /// The identities in the order of playing.
    public internal(set) var order: [Entry.ID] = []
    /// The identity of the current entry; `nil` before the first play, and in an empty queue.
    public internal(set) var currentID: Entry.ID?
    /// Whether the entries play in random order.
    public private(set) var isShuffled: Bool
    /// The order after the last entry.
    public var repeatMode: PlayQueueRepeatMode
    /// The number of the last change of the entries.
    public internal(set) var revision: UInt64
    /// The places of the entries in ``entries``.
    var places: [Entry.ID: Int] = [:]

    /// Makes a queue, empty or as it was stored. Ignores what does not fit together, entries beyond the limit, and a second
    /// entry of one id.
    ///
    /// - Parameters:
    ///   - entries: The entries in the order that users see, each with an id of its own.
    ///   - order: The identities in the order of playing, for a shuffled queue.
    ///   - current: The current entry.
    ///   - isShuffled: Whether the entries play in the given order.
    ///   - repeatMode: The order after the last entry.
    ///   - revision: The number of the last change of the entries.
    ///   - limit: The most entries.
    public init(
        entries: [Entry] = [], order: [Entry.ID] = [], current: Entry.ID? = nil, isShuffled: Bool = false,
        repeatMode: PlayQueueRepeatMode = .off, revision: UInt64 = 0, limit: Int = Self.defaultLimit
    ) {
        var known = Set<Entry.ID>()
        self.entries = Array(entries.filter { known.insert($0.id).inserted }.prefix(max(0, limit)))
        (self.isShuffled, self.repeatMode, self.revision) = (isShuffled, repeatMode, revision)
        self.limit = limit
        index()
        let isWhole = Set(order).count == order.count && order.count == self.entries.count
        self.order = isShuffled && isWhole && order.allSatisfy { places[$0] != nil } ? order : plainOrder
        currentID = current.flatMap { places[$0] == nil ? nil : $0 }
    }

    // MARK: Reading

    /// Whether the queue has no entries.
    public var isEmpty: Bool { entries.isEmpty }
    /// The current entry; `nil` before the first play, and in an empty queue.
    public var current: Entry? { currentID.flatMap { entry($0) } }
    /// The place of the current entry among ``entries``.
    public var currentPlace: Int? { currentID.flatMap { places[$0] } }

    /// Returns the entry of an id; `nil` if the queue does not have it.
    public func entry(_ id: Entry.ID) -> Entry? { places[id].map { entries[$0] } }
    /// Returns whether the queue has an entry of this id.
    public func contains(_ id: Entry.ID) -> Bool { places[id] != nil }

    /// Returns the entries that play from the current one on, at most `count`; entries that cannot be played are left
    /// out. A repetition lists entries again. Before the first play, the order begins with its first entry.
    public func upcoming(_ count: Int) -> [Entry] {
        guard let start = currentID.flatMap({ order.firstIndex(of: $0) }) ?? order.indices.first,
            count > 0
        else { return [] }
        if repeatMode == .one, let entry = entry(order[start]), entry.isPlayable {
            return Array(repeating: entry, count: count)
        }
        var found = playable(order[start...], count)
        guard repeatMode != .off else { return found }
        var isMore = true
        while found.count < count, isMore {
            let round = playable(order[...], count - found.count)
            isMore = !round.isEmpty
            found += round
        }
        return found
    }

    private func playable(_ ids: ArraySlice<Entry.ID>, _ count: Int) -> [Entry] {
        Array(ids.lazy.compactMap { entry($0) }.filter { $0.isPlayable }.prefix(count))
    }

    /// The entry after the current one, as a user's "next" finds it: repetition of one entry does not hold it. `nil`
    /// after the last one; the first entry if none is current.
    public var following: Entry.ID? { neighbour(by: 1) }
    /// The entry before the current one. `nil` before the first one; the first entry if none is current.
    public var preceding: Entry.ID? { neighbour(by: -1) }

    private func neighbour(by step: Int) -> Entry.ID? {
        guard let start = currentID.flatMap({ order.firstIndex(of: $0) }) else { return order.first }
        var place = start + step
        for _ in order.indices {
            if !order.indices.contains(place) {
                guard repeatMode == .all else { return nil }
                place = step > 0 ? 0 : order.count - 1
            }
            if entry(order[place])?.isPlayable == true { return order[place] }
            place += step
        }
        return nil
    }

    // MARK: Playing

    /// Makes an entry the current one; `nil` for none. Ignores an id that is gone.
    public mutating func setCurrent(_ id: Entry.ID?) {
        guard let id else { return currentID = nil }
        if contains(id) { currentID = id }
    }

    /// Makes an entry the current one by a user's choice. A shuffled queue plays the entries before it later. Ignores
    /// an id that is gone.
    public mutating func jump(to id: Entry.ID) {
        guard contains(id), id != currentID else { return }
        if isShuffled {
            order.removeAll { $0 == id }
            order.insert(id, at: currentID.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)
        }
        currentID = id
    }

    /// Changes an entry, as when its file was opened or cannot be played. Ignores an id that is gone; an entry that
    /// stays equal leaves ``revision`` as it is.
    ///
    /// - Precondition: The change keeps the entry's id.
    public mutating func update(_ id: Entry.ID, _ change: (inout Entry) -> Void) {
        guard let place = places[id] else { return }
        var entry = entries[place]
        change(&entry)
        guard entry != entries[place] else { return }
        precondition(entry.id == id, "the change of an entry must keep its id")
        entries[place] = entry
        revision += 1
    }

    /// Sets whether the entries play in random order. The current entry stays, and the others follow it.
    public mutating func setShuffled(_ isOn: Bool) {
        var random = SystemRandomNumberGenerator()
        setShuffled(isOn, using: &random)
    }

    /// Sets whether the entries play in random order, by these random numbers. The current entry stays, and the others
    /// follow it.
    public mutating func setShuffled(_ isOn: Bool, using random: inout some RandomNumberGenerator) {
        guard isOn != isShuffled else { return }
        isShuffled = isOn
        order = plainOrder
        guard isOn else { return }
        order.shuffle(using: &random)
        guard let currentID, let place = order.firstIndex(of: currentID) else { return }
        order.swapAt(0, place)
    }

    // MARK: Details

    var plainOrder: [Entry.ID] { entries.map(\.id) }

    mutating func index() {
        places = Dictionary(
            entries.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
