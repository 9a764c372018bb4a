import CoreMedia

// The items: what the program wants to be played, and what lies on the timeline.
extension PlayerCore {
    /// - Returns: `false`, and nothing changes, if the item belongs to a player already, or `place` is none of ours.
    @discardableResult
    package func insert(_ item: PlayerItem, after place: PlayerItem?) -> Bool {
        let isHere = place == nil || items.contains { $0 === place }
        guard isHere, item.adopt(by: self) else { return false }
        item.beginAnew(at: clock.now)
        update { shared in
            let index = shared.items.firstIndex { $0 === place }.map { $0 + 1 } ?? shared.items.count
            shared.items.insert(item, at: index)
            if index == 0 { shared.headBecame(item) }
        }
        needsTurn()
        return true
    }

    package func remove(_ item: PlayerItem) {
        guard items.contains(where: { $0 === item }) else { return }
        let place = placeOfLeaving(item)
        let seek = updateItems { $0.removeAll { $0 === item } }
        item.letGo(by: self, startingAt: place)
        seek?.end(false)
    }

    /// Who is put in again goes on where it was.
    private func placeOfLeaving(_ item: PlayerItem) -> CMTime {
        guard currentItem === item else { return item.startTime }
        let (time, end) = (currentTime, item.end)
        return end.isNumeric && time >= end ? .zero : time
    }

    package func removeAllItems() {
        let all = items
        let place = all.first.map(placeOfLeaving)
        let seek = updateItems { $0 = [] }
        for (index, item) in all.enumerated() {
            item.letGo(by: self, startingAt: index == 0 ? place ?? .zero : item.startTime)
        }
        seek?.end(false)
    }

    /// Puts another item in the place of the current one.
    @discardableResult
    package func replaceCurrentItem(with item: PlayerItem?) -> Bool {
        let old = currentItem
        if item === old { return true }
        if let item {
            guard item.adopt(by: self) else { return false }
            item.beginAnew(at: clock.now)
        }
        let place = old.map(placeOfLeaving) ?? .zero
        let seek = updateItems { items in
            if let old { items.removeAll { $0 === old } }
            if let item { items.insert(item, at: 0) }
        }
        old?.letGo(by: self, startingAt: place)
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
            shared.seek = nil
            shared.headBecame(shared.items.first)
        }
        needsTurn()
        return currentItem === head ? nil : seek
    }

    // MARK: On the queue

    /// Brings what lies on the timeline to what is wanted.
    func layOut() {
        guard !isSplicing else { return }
        let (head, wanted) = shared.withLock { ($0.items.first, $0.items.prefix(laid.count + 1)) }
        if laid.first?.item !== head { layHead(Array(wanted)) }
        let common = zip(laid, wanted).enumerated().prefix { index, pair in
            pair.0.item === pair.1 && (index == 0 || pair.0.place == max(.zero, pair.1.startTime))
        }.count
        if common < laid.count, common > 0 { return splice(at: common) }
        for index in laid.indices where laid[index].limit != wishedEnd(of: laid[index]) {
            return moveEnd(of: index)
        }
    }

    private func layHead(_ wanted: [PlayerItem]) {
        hasEnded = false
        begunSeek = nil
        refillEnd = nil
        laid.first?.item.stopLine(at: clock.now)
        if let head = wanted.first, let index = laid.firstIndex(where: { $0.item === head }),
            laid[index].place == max(.zero, head.startTime)
        {
            // It is in the outputs already: only time moves.
            for one in laid[..<index] { one.feed.close() }
            laid.removeFirst(index)
            return jump(to: laid[0].start + laid[0].place)
        }
        let wasLaid = !laid.isEmpty
        closeLaid(from: 0)
        if wasLaid { takeBackEverything() }
        // A failed one stays where it is, and silent.
        guard let head = wanted.first, head.state.status != .failed else {
            cancelPendingSeeks()
            shared.withLock { $0.headStart = nil }
            if appliedRate != 0 { hold(at: .invalid) }
            return
        }
        // Whole seconds: sums with any sample rate are exact.
        let base = CMTime(seconds: timeline.currentTime.seconds.rounded(.up), preferredTimescale: 1)
        lay(head, at: base)
        headChanged()
        hold(at: base + laid[0].place)
    }

    /// - Parameter join: timeline time of the first sound that is heard of it.
    func layNext(_ item: PlayerItem, at join: CMTime) { lay(item, at: join - max(.zero, item.startTime)) }

    private func lay(_ item: PlayerItem, at start: CMTime) {
        let place = max(.zero, item.startTime)
        var one = takePrepared(item, from: place) ?? open(item, from: place)
        (one.start, one.end, one.heard) = (start, start + place, place)
        one.limit = wishedEnd(of: one)
        laid.append(one)
    }

    private func open(_ item: PlayerItem, from place: CMTime) -> LaidItem {
        let feed = item.makeFeed()
        var one = LaidItem(item: item, feed: feed, start: .zero, place: place, end: place)
        if place > .zero {
            feed.seek(to: place)
            one.seekCount = feed.state.seekCount
        }
        feed.start { [weak self] in self?.needsTurn() }
        return one
    }

    private func takePrepared(_ item: PlayerItem, from place: CMTime) -> LaidItem? {
        guard let one = prepared, one.item === item, one.place == place else { return nil }
        prepared = nil
        return one
    }

    /// Opens the item that is laid next while the one before it is still being given, so that no server is waited for.
    func prepareNext() {
        let next = laid.last.flatMap { $0.isComplete || $0.feed.state.isAtEnd ? nextItem : nil }
        let place = next.map { max(.zero, $0.startTime) } ?? .zero
        if let one = prepared, one.item !== next || one.place != place {
            one.feed.close()
            prepared = nil
        }
        guard let next, prepared == nil else { return }
        let one = open(next, from: place)
        one.feed.read(until: place + Self.preparedTime)
        prepared = one
    }

    /// As much as an address needs for a start.
    private static let preparedTime = CMTime(value: 2, timescale: 1)

    private func closeLaid(from index: Int) {
        for one in laid[index...] { one.feed.close() }
        laid.removeSubrange(index...)
    }

    /// What lies there from an item on is void.
    private func splice(at index: Int) {
        let void = laid[index]
        closeLaid(from: index)
        if void.end > void.start + void.place { takeBack(from: void.start + void.place) }
    }

    /// The program wants an item to end elsewhere than when it was given.
    private func moveEnd(of index: Int) {
        let one = laid[index]
        let (old, new) = (one.limit, wishedEnd(of: one))
        laid[index].limit = new
        if let new, new < one.end {
            closeLaid(from: index + 1)
            (laid[index].end, laid[index].isComplete) = (new, true)
            takeBack(from: new)
        } else if one.isComplete, old == one.end, one.feed.state.facts?.isSeekable == true {
            // It goes on beyond the former end.
            closeLaid(from: index + 1)
            one.feed.seek(to: one.end - one.start)
            (laid[index].isComplete, laid[index].seekCount) = (false, one.feed.state.seekCount)
            if index == 0 { hasEnded = false }
            takeBack(from: one.end)
        }
    }

    /// The outputs drop what they have from `time` on while they play on, or everything if that comes too late.
    private func takeBack(from time: CMTime) {
        isSplicing = true
        stopGiving()
        let queue = renderQueue
        Task { [weak self] in
            let isDone = await queue.flush(from: time)
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
        let gone = laid.removeFirst()
        gone.feed.close()
        gone.item.stopLine(at: clock.now)
        guard !laid.isEmpty else { return shared.withLock { $0.headStart = nil } }
        headChanged()
        publishLine(isJump: true)
    }

    func headChanged() {
        guard let head = laid.first else { return }
        shared.withLock { $0.headStart = head.start }
        renderQueue.pitch = head.item.wishes.pitch
    }

    /// Time goes on at another place, with what the outputs have.
    func jump(to time: CMTime) {
        headChanged()
        laid[0].heard = time - laid[0].start
        timeline.setRate(isKeepingStill ? 0 : appliedRate, time: time, hostTime: nil)
        if isKeepingStill { appliedRate = 0 }
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
        refillEnd = nil
        if let facts = head.feed.state.facts, !facts.isSeekable { return beginAnew() }
        closeLaid(from: 1)
        takeBackEverything()
        laid[0].feed.seek(to: place)
        (laid[0].isComplete, laid[0].isBroken, laid[0].heard) = (false, false, place)
        laid[0].seekCount = laid[0].feed.state.seekCount
        laid[0].end = laid[0].start + place
        laid[0].limit = wishedEnd(of: laid[0])
        hold(at: laid[0].end)
    }

    /// What cannot be read again, as a live stream, goes on with what comes now.
    private func beginAnew() {
        closeLaid(from: 0)
        takeBackEverything()
        layHead(items)
    }

    /// The outputs have lost what they had from `time` on: on another output, at another rate.
    func outputsLostSound(from time: CMTime) {
        guard laid.contains(where: { $0.end > time }) else { return }
        refillUnseen()
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
        (headStart, appointment) = (nil, nil)
        guard let item else { return machine.itemBecame(.none, BufferLevels()) }
        let state = item.state
        let now: TransportMachine.Item =
            switch state.status {
            case .readyToPlay: .ready
            case .unknown: .loading
            case .failed: .failed
            }
        machine.itemBecame(now, state.levels, onlyRate: state.facts?.onlyRate)
    }
}
