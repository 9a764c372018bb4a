import CoreMedia

// The items: what the program wants to be played, and what lies on the timeline.
extension PlayerCore {
    /// - Returns: `false`, and nothing changes, if the item belongs to a player already, or `place` is none of ours.
    @discardableResult
    package func insert(_ item: PlayerItem, after place: PlayerItem?) -> Bool {
        let isHere = place == nil || items.contains { $0 === place }
        guard isHere, item.adopt(by: self) else { return false }
        update { shared in
            let index = shared.items.firstIndex { $0 === place }.map { $0 + 1 } ?? shared.items.count
            shared.items.insert(item, at: index)
            if index == 0 { shared.headStart = nil }
            if index == 0 { shared.machine.itemBecame(.loading, BufferLevels()) }
        }
        needsTurn()
        return true
    }

    package func remove(_ item: PlayerItem) {
        guard items.contains(where: { $0 === item }) else { return }
        let seek = updateItems { $0.removeAll { $0 === item } }
        item.letGo()
        seek?.end(false)
    }

    package func removeAllItems() {
        let all = items
        let seek = updateItems { $0 = [] }
        for item in all { item.letGo() }
        seek?.end(false)
    }

    /// Puts another item in the place of the current one.
    @discardableResult
    package func replaceCurrentItem(with item: PlayerItem?) -> Bool {
        let old = currentItem
        if item === old { return true }
        if let item, !item.adopt(by: self) { return false }
        let seek = updateItems { items in
            if !items.isEmpty { items.removeFirst() }
            if let item { items.insert(item, at: 0) }
        }
        old?.letGo()
        seek?.end(false)
        return true
    }

    package func advanceToNextItem() {
        guard let item = currentItem else { return }
        remove(item)
    }

    /// - Returns: the seek that ends because its item is gone.
    private func updateItems(_ change: @Sendable (inout [PlayerItem]) -> Void) -> Seek? {
        let seek = shared.withLock { $0.seek }
        let head = currentItem
        update { shared in
            let before = shared.items.first
            change(&shared.items)
            guard shared.items.first !== before else { return }
            (shared.seek, shared.headStart) = (nil, nil)
            shared.headBecame(shared.items.first)
        }
        needsTurn()
        return currentItem === head ? nil : seek
    }

    // MARK: On the queue

    /// Brings what lies on the timeline to what is wanted.
    func layOut() {
        guard !isSplicing else { return }
        let wanted = items
        if laid.first?.item !== wanted.first { layHead(wanted) }
        let common = zip(laid, wanted).prefix { $0.item === $1 }.count
        if common < laid.count, common > 0 { splice(at: common) }
    }

    private func layHead(_ wanted: [PlayerItem]) {
        hasEnded = false
        begunSeek = nil
        if let head = wanted.first, let place = laid.firstIndex(where: { $0.item === head }) {
            // It is in the outputs already: only time moves.
            for one in laid[..<place] { one.feed.close() }
            laid.removeFirst(place)
            return jump(to: laid[0].start)
        }
        for one in laid { one.feed.close() }
        let wasLaid = !laid.isEmpty
        laid = []
        if wasLaid { takeBackEverything() }
        // A failed one stays where it is, and silent.
        guard let head = wanted.first, head.state.status != .failed else {
            if appliedRate != 0 { hold(at: .invalid) }
            return
        }
        // Whole seconds: sums with any sample rate are exact.
        let base = CMTime(seconds: timeline.currentTime.seconds.rounded(.up), preferredTimescale: 1)
        let place = max(.zero, head.startTime)
        lay(head, at: base, from: place)
        hold(at: base + place)
    }

    func lay(_ item: PlayerItem, at start: CMTime, from place: CMTime = .zero) {
        let feed = item.makeFeed()
        var one = LaidItem(item: item, feed: feed, start: start, end: start + place)
        if place > .zero {
            feed.seek(to: place)
            one.seekCount = feed.state.seekCount
        }
        laid.append(one)
        let now = clock.now
        item.update { $0.openedAt = $0.openedAt ?? now }
        feed.start { [weak self] in self?.needsTurn() }
        if laid.count == 1 { headChanged() }
    }

    /// What lies there from an item on is void.
    private func splice(at index: Int) {
        let void = laid[index]
        for one in laid[index...] { one.feed.close() }
        laid.removeSubrange(index...)
        guard void.end > void.start + max(.zero, void.item.startTime) else { return }
        isSplicing = true
        stopGiving()
        renderQueue.flush(from: void.start + max(.zero, void.item.startTime)) { [weak self] isDone in
            self?.onQueue { core in
                core.isSplicing = false
                if isDone { return }
                core.tell { $0.editWasLate() }
                core.refill()
            }
        }
    }

    /// The first item is heard no more; the next one is.
    func dropHead() {
        laid.removeFirst().feed.close()
        if !laid.isEmpty { headChanged() }
    }

    func headChanged() {
        guard let head = laid.first else { return }
        shared.withLock { $0.headStart = head.start }
        renderQueue.pitch = head.item.wishes.pitch
        publishLine(isJump: true)
    }

    /// Time goes on at another place, with what the outputs have.
    func jump(to time: CMTime) {
        timeline.setRate(appliedRate, time: time, hostTime: nil)
        headChanged()
    }

    /// Time stands, from now on or at another place.
    func hold(at time: CMTime) {
        appliedRate = 0
        timeline.setRate(0, time: time, hostTime: nil)
    }

    func takeBackEverything() {
        stopGiving()
        renderQueue.flush()
    }

    /// Reads and gives everything from where the playhead is anew.
    func refill() {
        guard let head = laid.first else { return }
        refill(from: min(max(.zero, timeline.currentTime - head.start), head.end - head.start))
    }

    /// - Parameter place: of the first item.
    func refill(from place: CMTime) {
        guard let head = laid.first else { return }
        if let facts = head.feed.state.facts, !facts.isSeekable { return beginAnew() }
        for one in laid.dropFirst() { one.feed.close() }
        laid.removeSubrange(1...)
        takeBackEverything()
        laid[0].feed.seek(to: place)
        (laid[0].isComplete, laid[0].isBroken) = (false, false)
        laid[0].seekCount = laid[0].feed.state.seekCount
        laid[0].end = laid[0].start + place
        hold(at: laid[0].end)
        publishLine(isJump: true)
    }

    /// What cannot be read again, as a live stream, goes on with what comes now.
    private func beginAnew() {
        for one in laid { one.feed.close() }
        laid = []
        takeBackEverything()
        layHead(items)
    }

    /// The outputs have lost what they had from `time` on: on another output, at another rate.
    func outputsLostSound(from time: CMTime) {
        guard laid.contains(where: { $0.end > time }) else { return }
        refill()
    }

    /// Somebody else stopped time: a newer player took the speakers, or the outputs are gone.
    func timelineRateChanged() {
        guard timeline.rate == 0, appliedRate != 0 else { return }
        appliedRate = 0
        update(because: .interrupted) { $0.machine.pause() }
    }

    func rendererChanged() {
        guard renderQueue.status == .failed, let error = renderQueue.error, let head = laid.first else {
            return
        }
        head.item.post(.failedToPlayToEnd(error))
        update(because: .failed) { shared in
            (shared.status, shared.error) = (.failed, error)
            shared.machine.pause()
        }
    }
}

extension PlayerCore.Shared {
    /// Another item is the current one; its sound may be in the outputs already.
    mutating func headBecame(_ item: PlayerItem?) {
        guard let item else { return machine.itemBecame(.none, BufferLevels()) }
        let state = item.state
        machine.itemBecame(state.status == .readyToPlay ? .ready : .loading, state.levels)
    }
}
