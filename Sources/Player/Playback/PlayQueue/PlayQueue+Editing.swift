/// Edits of the entries.
extension PlayQueue {
    /// Inserts entries. Ignores those whose id the queue has already.
    ///
    /// A shuffled queue plays entries at the end at random places after the current one. The caller makes entries
    /// that are to be played at once the current ones.
    ///
    /// - Throws: ``PlayQueueError/full(limit:)`` if the queue would be too long, ``PlayQueueError/noSuchEntry(_:)`` if
    ///   the entry to insert before is gone. The queue has not changed then.
    public mutating func insert(
        _ new: [Entry], at place: PlayQueuePlace<Entry.ID>
    ) throws(PlayQueueError<Entry.ID>) {
        var random = SystemRandomNumberGenerator()
        try insert(new, at: place, using: &random)
    }

    /// Inserts entries, by these random numbers. Ignores those whose id the queue has already.
    ///
    /// A shuffled queue plays entries at the end at random places after the current one. The caller makes entries
    /// that are to be played at once the current ones.
    ///
    /// - Throws: ``PlayQueueError/full(limit:)`` if the queue would be too long, ``PlayQueueError/noSuchEntry(_:)`` if
    ///   the entry to insert before is gone. The queue has not changed then.
    public mutating func insert(
        _ new: [Entry], at place: PlayQueuePlace<Entry.ID>, using random: inout some RandomNumberGenerator
    ) throws(PlayQueueError<Entry.ID>) {
        var known = Set<Entry.ID>()
        let new = new.filter {
            (place == .replace || !contains($0.id)) && known.insert($0.id).inserted
        }
        guard entries.count + new.count <= limit || place == .replace && new.count <= limit else {
            throw .full(limit: limit)
        }
        if place == .replace { clear() }
        let target = try target(of: place)
        let (count, ids) = (entries.count, new.map(\.id))
        entries.insert(contentsOf: new, at: target)
        revision += 1
        if target == count, !isShuffled {
            // Adding at the end costs as much as is added.
            order += ids
            for (place, id) in ids.enumerated() { places[id] = count + place }
            return
        }
        index()
        guard isShuffled else { return order = plainOrder }
        let now = currentID.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        switch place {
        case .next, .now: order.insert(contentsOf: ids, at: now)
        case .before(let id):
            order.insert(contentsOf: ids, at: order.firstIndex(of: id) ?? order.count)
        case .replace: order = ids.prefix(1) + ids.dropFirst().shuffled(using: &random)
        case .end: order = order[..<now] + (order[now...] + ids).shuffled(using: &random)
        }
    }

    private func target(of place: PlayQueuePlace<Entry.ID>) throws(PlayQueueError<Entry.ID>) -> Int {
        switch place {
        case .end, .replace: return entries.count
        case .next, .now: return currentPlace.map { $0 + 1 } ?? 0
        case .before(let id):
            guard let place = places[id] else { throw .noSuchEntry(id) }
            return place
        }
    }

    /// Removes entries; ids that are gone already are ignored. A removed current entry gives its turn to the next one
    /// that stays; at the end of the queue, to none.
    ///
    /// - Returns: Whether the current entry was removed.
    @discardableResult
    public mutating func remove(_ ids: some Sequence<Entry.ID>) -> Bool {
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
    /// - Throws: ``PlayQueueError/noSuchEntry(_:)`` if the entry to move before is gone. The queue has not changed then.
    public mutating func move(
        _ ids: [Entry.ID], before target: Entry.ID?
    ) throws(PlayQueueError<Entry.ID>) {
        if let target, places[target] == nil { throw .noSuchEntry(target) }
        var seen: Set<Entry.ID> = []
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
        from target: Entry.ID?, in ids: [Entry.ID], moving: Set<Entry.ID>
    ) -> Entry.ID? {
        guard let target, let start = ids.firstIndex(of: target) else { return nil }
        return ids[start...].first { !moving.contains($0) }
    }

    /// Removes all entries.
    public mutating func clear() {
        guard !entries.isEmpty else { return }
        (entries, order, currentID, places) = ([], [], nil, [:])
        revision += 1
    }
}
