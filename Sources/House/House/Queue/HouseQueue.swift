import TuttiMusicLibrary

/// The queue of a zone: its entries, the current one, and the order in which they play. A value; it plays nothing.
///
/// Entries have an order that users see and edit, and an order of playing, which differs while the queue is shuffled.
struct HouseQueue: Sendable {
    /// The most entries of one queue: a large library's tracks, in a few megabytes.
    static let limit = 20_000

    /// The entries in the order that users see.
    private(set) var entries: [QueueEntry] = []
    /// The identities in the order of playing.
    private(set) var order: [EntryID] = []
    /// The current entry; `nil` before the first play, and in an empty queue.
    private(set) var currentID: EntryID?
    private(set) var isShuffled = false
    var repeatMode = RepeatMode.off
    /// The number of the last change of the entries.
    private(set) var revision: UInt64 = 0
    /// The places of the entries in ``entries``.
    private var places: [EntryID: Int] = [:]

    init() {}

    /// Makes a queue as it was stored. Ignores what does not fit together.
    init(
        entries: [QueueEntry], order: [EntryID], current: EntryID?, isShuffled: Bool, repeatMode: RepeatMode,
        revision: UInt64
    ) {
        self.entries = Array(entries.prefix(Self.limit))
        (self.isShuffled, self.repeatMode, self.revision) = (isShuffled, repeatMode, revision)
        index()
        let known = Set(order)
        let isWhole = known.count == order.count && order.count == self.entries.count
        self.order = isShuffled && isWhole && order.allSatisfy { places[$0] != nil } ? order : plainOrder
        currentID = current.flatMap { places[$0] == nil ? nil : $0 }
    }

    // MARK: Reading

    var isEmpty: Bool { entries.isEmpty }
    var current: QueueEntry? { currentID.flatMap { entry($0) } }
    /// The place of the current entry among ``entries``.
    var currentPlace: Int? { currentID.flatMap { places[$0] } }

    func entry(_ id: EntryID) -> QueueEntry? { places[id].map { entries[$0] } }
    func contains(_ id: EntryID) -> Bool { places[id] != nil }

    /// Returns the entries that play from the current one on, at most `count`; entries that cannot be played are left
    /// out. A repetition lists entries again.
    func upcoming(_ count: Int) -> [QueueEntry] {
        guard let start = currentID.flatMap({ order.firstIndex(of: $0) }) ?? order.indices.first,
            count > 0
        else { return [] }
        if repeatMode == .one, let entry = entry(order[start]), entry.failure == nil {
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

    private func playable(_ ids: ArraySlice<EntryID>, _ count: Int) -> [QueueEntry] {
        Array(ids.lazy.compactMap { entry($0) }.filter { $0.failure == nil }.prefix(count))
    }

    /// Returns the entry after the current one, as a user's "next" finds it: repetition of one entry does not hold it.
    var following: EntryID? { neighbour(by: 1) }
    /// Returns the entry before the current one.
    var preceding: EntryID? { neighbour(by: -1) }

    private func neighbour(by step: Int) -> EntryID? {
        guard let start = currentID.flatMap({ order.firstIndex(of: $0) }) else { return order.first }
        var place = start + step
        for _ in order.indices {
            if !order.indices.contains(place) {
                guard repeatMode == .all else { return nil }
                place = step > 0 ? 0 : order.count - 1
            }
            if entry(order[place])?.failure == nil { return order[place] }
            place += step
        }
        return nil
    }

    // MARK: Playing

    /// Makes an entry the current one; `nil` for none.
    mutating func setCurrent(_ id: EntryID?) {
        guard let id else { return currentID = nil }
        if contains(id) { currentID = id }
    }

    /// Notes that an entry cannot be played; `nil` lets it be tried again.
    mutating func setFailure(_ failure: String?, of id: EntryID) {
        guard let place = places[id], entries[place].failure != failure else { return }
        entries[place].failure = failure
        revision += 1
    }

    /// Lets all entries be tried again.
    mutating func clearFailures() {
        for entry in entries where entry.failure != nil { setFailure(nil, of: entry.id) }
    }

    /// Makes an entry the current one by a user's choice. A shuffled queue plays the entries before it later.
    mutating func jump(to id: EntryID) {
        guard contains(id), id != currentID else { return }
        if isShuffled {
            order.removeAll { $0 == id }
            order.insert(id, at: currentID.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)
        }
        currentID = id
    }

    /// Completes what is known of a track, once its file was opened.
    mutating func complete(_ id: EntryID, _ change: (inout PlayableTrack) -> Void) {
        guard let place = places[id] else { return }
        var track = entries[place].track
        change(&track)
        guard track != entries[place].track else { return }
        entries[place].track = track
        revision += 1
    }

    /// Sets whether the entries play in random order. The current entry stays, and the others follow it.
    mutating func setShuffled(_ isOn: Bool, using random: inout some RandomNumberGenerator) {
        guard isOn != isShuffled else { return }
        isShuffled = isOn
        order = plainOrder
        guard isOn else { return }
        order.shuffle(using: &random)
        guard let currentID, let place = order.firstIndex(of: currentID) else { return }
        order.swapAt(0, place)
    }

    // MARK: Editing

    /// Inserts entries.
    ///
    /// - Throws: `limit` if the queue would be too long, `notFound` if the entry to insert before is gone.
    mutating func insert(
        _ new: [QueueEntry], at place: QueuePlace, using random: inout some RandomNumberGenerator
    ) throws(HouseError) {
        guard entries.count + new.count <= Self.limit || place == .replace && new.count <= Self.limit else {
            throw HouseError(.limit, "A queue holds \(Self.limit) entries; remove some first.")
        }
        if place == .replace { clear() }
        let target = try target(of: place)
        entries.insert(contentsOf: new, at: target)
        revision += 1
        index()
        guard isShuffled else { return order = plainOrder }
        let ids = new.map(\.id)
        let now = currentID.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        switch place {
        case .next, .now: order.insert(contentsOf: ids, at: now)
        case .before(let id):
            order.insert(contentsOf: ids, at: order.firstIndex(of: id) ?? order.count)
        case .replace: order = ids.prefix(1) + ids.dropFirst().shuffled(using: &random)
        case .end: order = order[..<now] + (order[now...] + ids).shuffled(using: &random)
        }
    }

    private func target(of place: QueuePlace) throws(HouseError) -> Int {
        switch place {
        case .end, .replace: return entries.count
        case .next, .now: return currentPlace.map { $0 + 1 } ?? 0
        case .before(let id):
            guard let place = places[id] else { throw Self.missing(id) }
            return place
        }
    }

    /// Removes entries; ids that are gone already are ignored. A removed current entry gives its turn to the next one
    /// that stays; at the end of the queue, to none.
    ///
    /// - Returns: whether the current entry was removed.
    @discardableResult
    mutating func remove(_ ids: some Sequence<EntryID>) -> Bool {
        let gone = Set(ids).filter { places[$0] != nil }
        guard !gone.isEmpty else { return false }
        let isCurrentGone = currentID.map { gone.contains($0) } ?? false
        if isCurrentGone, let start = currentID.flatMap({ order.firstIndex(of: $0) }) {
            let rest = order[start...] + (repeatMode == .all ? order[..<start] : [])
            currentID = rest.first { !gone.contains($0) }
        }
        entries.removeAll { gone.contains($0.id) }
        order.removeAll { gone.contains($0) }
        revision += 1
        index()
        return isCurrentGone
    }

    /// Moves entries, in the given order, before another one; `nil` for the end. Ids that are gone are ignored.
    ///
    /// A shuffled queue plays them next to each other there, too.
    ///
    /// - Throws: `notFound` if the entry to move before is gone.
    mutating func move(_ ids: [EntryID], before target: EntryID?) throws(HouseError) {
        if let target, places[target] == nil { throw Self.missing(target) }
        var seen: Set<EntryID> = []
        let moved = ids.filter { places[$0] != nil && seen.insert($0).inserted }
        guard !moved.isEmpty else { return }
        let before = Self.stayer(from: target, in: entries.map(\.id), moving: seen)
        let after = Self.stayer(from: target, in: order, moving: seen)
        let new = moved.compactMap { entry($0) }
        entries.removeAll { seen.contains($0.id) }
        let place = before.flatMap { id in entries.firstIndex { $0.id == id } } ?? entries.count
        entries.insert(contentsOf: new, at: place)
        order.removeAll { seen.contains($0) }
        order.insert(contentsOf: moved, at: after.flatMap { order.firstIndex(of: $0) } ?? order.count)
        revision += 1
        index()
        if !isShuffled { order = plainOrder }
    }

    /// Returns the first entry from `target` on that is not itself moved.
    private static func stayer(
        from target: EntryID?, in ids: [EntryID], moving: Set<EntryID>
    ) -> EntryID? {
        guard let target, let start = ids.firstIndex(of: target) else { return nil }
        return ids[start...].first { !moving.contains($0) }
    }

    /// Removes all entries.
    mutating func clear() {
        guard !entries.isEmpty else { return }
        (entries, order, currentID, places) = ([], [], nil, [:])
        revision += 1
    }

    // MARK: Details

    private var plainOrder: [EntryID] { entries.map(\.id) }

    private mutating func index() {
        places = Dictionary(
            entries.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    static func missing(_ id: EntryID) -> HouseError {
        HouseError(.notFound, "The queue has no entry \(id); somebody may have removed it.")
    }
}
