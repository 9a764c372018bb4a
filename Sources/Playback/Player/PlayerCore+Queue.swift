import Codecs
import CoreMedia

// The items: the program's queue, and the items scheduled on the timeline.
extension PlayerCore {
    /// Inserts an item behind `place`, or at the end of the queue if `place` is `nil`.
    ///
    /// - Returns: `false`, and nothing changes, if the item belongs to a player already or `place` is not in
    ///   the queue.
    @discardableResult
    package func insert(_ item: PlayerItem, after place: PlayerItem?) -> Bool {
        let isHere = place == nil || items.contains { $0 === place }
        guard isHere, item.adopt(by: self) else { return false }
        item.beginAnew()
        update { shared in
            let behind = place.flatMap { place in shared.items.firstIndex { $0 === place } }
            let index = behind.map { $0 + 1 } ?? shared.items.count
            shared.items.insert(item, at: index)
            if index == 0 { shared.headBecame(item) }
            // A failed item stayed current only because it had no successor.
            while shared.items.count > 1, shared.endAction == .advance,
                shared.items[0].state.status == .failed
            { shared.take(at: 0, .zero) }
        }
        needsTurn()
        return true
    }

    /// Removes an item; an item that is re-inserted resumes where it left off.
    package func remove(_ item: PlayerItem) {
        let now = timeline.currentTime
        update { shared in
            if let index = shared.items.firstIndex(where: { $0 === item }) { shared.take(at: index, now) }
        }
        needsTurn()
    }

    /// Empties the queue.
    package func removeAllItems() {
        let now = timeline.currentTime
        update { shared in
            guard !shared.items.isEmpty else { return }
            for item in shared.items.dropFirst() { shared.left.items.append((item, item.startTime)) }
            shared.items.removeSubrange(1...)
            shared.take(at: 0, now)
        }
        needsTurn()
    }

    /// Replaces the current item; `nil` only removes it.
    ///
    /// - Returns: `false`, and nothing changes, if the item belongs to a player already.
    @discardableResult
    package func replaceCurrentItem(with item: PlayerItem?) -> Bool {
        if item === currentItem { return true }
        if let item {
            guard item.adopt(by: self) else { return false }
            item.beginAnew()
        }
        let now = timeline.currentTime
        update { shared in
            if !shared.items.isEmpty { shared.take(at: 0, now) }
            guard let item else { return }
            shared.items.insert(item, at: 0)
            shared.headBecame(item)
        }
        needsTurn()
        return true
    }

    /// Removes the current item, so that the next item plays.
    package func advanceToNextItem() {
        guard let item = currentItem else { return }
        remove(item)
    }

    // MARK: On the queue

    /// Reconciles the timeline with the queue and the items' wishes.
    func layOut() {
        guard !isSplicing else { return }
        dropFailed()
        let (head, wanted) = shared.withLock { ($0.items.first, $0.items.prefix(laid.count + 1)) }
        if laid.first?.item !== head { layHead(Array(wanted)) }
        let common = zip(laid, wanted).enumerated().prefix { index, pair in
            pair.0.item === pair.1 && (index == 0 || pair.0.place == max(.zero, pair.1.startTime))
        }.count
        if common < laid.count, common > 0 { return splice(at: common) }
        if laid.count > 1, endAction != .advance { return splice(at: 1) }
        for index in laid.indices where laid[index].limit != wishedEnd(of: laid[index]) {
            return moveEnd(of: index)
        }
        changePitch()
        changeStreams()
    }

    /// Drops items that failed before they became audible, if the queue advances by itself.
    private func dropFailed() {
        while let failed = shared.withLock({ shared -> PlayerItem? in
            guard shared.endAction == .advance, shared.items.count > 1 else { return nil }
            let next = shared.items.dropFirst(laid.count).first
            return [shared.items[0], next].compactMap(\.self).first { $0.state.status == .failed }
        }) { drop(failed) }
    }

    /// Feeds sound again if it was enqueued at a rate other than 1 with another pitch treatment.
    private func changePitch() {
        for index in laid.indices where laid[index].pitch != laid[index].item.wishes.pitch {
            laid[index].pitch = laid[index].item.wishes.pitch
            guard laid[index].hasSound, timeline.startedRate != 0, timeline.startedRate != 1 else { continue }
            return index == 0 ? refillUnseen() : splice(at: index)
        }
    }

    /// Reads the outputs' sound again from the newly selected stream.
    private func changeStreams() {
        for index in laid.indices where laid[index].stream != laid[index].item.wishes.stream {
            guard index == 0 else { return splice(at: index) }
            laid[0].stream = laid[0].item.wishes.stream
            laid[0].measuredDuration = nil
            laid[0].feed.select(stream: laid[0].stream)
            return refillUnseen()
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
            // The outputs have the item's sound already: only time jumps.
            for one in laid[..<index] { one.feed.close() }
            laid.removeFirst(index)
            return jump(to: laid[0].start + laid[0].place)
        }
        let wasLaid = !laid.isEmpty
        closeLaid(from: 0)
        // Also for sound already heard: the next start may be at another rate.
        if wasLaid || timeline.startedRate != 0 { takeBackEverything() }
        // A failed item stays current, and silent.
        guard let head = wanted.first, head.state.status != .failed else {
            cancelPendingSeeks()
            shared.withLock { $0.headStart = nil }
            if appliedRate != 0 { hold(at: .invalid) }
            return
        }
        // In whole seconds, sums are exact at any sample rate.
        let base = CMTime(seconds: timeline.currentTime.seconds.rounded(.up), preferredTimescale: 1)
        lay(head, at: base)
        headChanged()
        hold(at: base + laid[0].place)
        // An item that was ready once has no sound at hand now.
        if !laid[0].feed.state.hasSound { update { $0.machine.mustRefill() } }
    }

    /// - Parameter join: timeline time of the item's first audible sample.
    func layNext(_ item: PlayerItem, at join: CMTime) { lay(item, at: join - max(.zero, item.startTime)) }

    private func lay(_ item: PlayerItem, at start: CMTime) {
        let place = max(.zero, item.startTime)
        var one = takePrepared(item, from: place) ?? open(item, from: place)
        (one.start, one.end, one.heard) = (start, start + place, place)
        one.pitch = item.wishes.pitch
        one.limit = wishedEnd(of: one)
        laid.append(one)
    }

    private func open(_ item: PlayerItem, from place: CMTime) -> LaidItem {
        let (feed, now) = (item.makeFeed(), clock.now)
        item.update { ($0.openedAt, $0.levels) = ($0.openedAt ?? now, BufferLevels()) }
        var one = LaidItem(item: item, feed: feed, start: .zero, place: place, end: place)
        one.stream = item.wishes.stream
        feed.select(stream: one.stream)
        if place > .zero {
            feed.seek(to: place)
            one.seekCount = feed.state.seekCount
        }
        feed.start { [weak self] in self?.needsTurn() }
        return one
    }

    private func takePrepared(_ item: PlayerItem, from place: CMTime) -> LaidItem? {
        guard let one = prepared, one.item === item, one.place == place, one.stream == item.wishes.stream
        else {
            return nil
        }
        prepared = nil
        return one
    }

    /// Opens the successor while its predecessor is still being fed, so that playback does not wait for a
    /// server.
    func prepareNext() {
        let next = laid.last.flatMap { $0.isComplete || $0.feed.state.isAtEnd ? nextItem : nil }
        let place = next.map { max(.zero, $0.startTime) } ?? .zero
        if let one = prepared, one.item !== next || one.place != place || one.stream != next?.wishes.stream {
            one.feed.close()
            prepared = nil
        }
        guard let next, prepared == nil else { return }
        let one = open(next, from: place)
        one.feed.read(until: place + Self.preparedTime)
        prepared = one
    }

    /// Sound to prefetch: the start level of an address.
    private static let preparedTime = CMTime(value: 2, timescale: 1)

    private func closeLaid(from index: Int) {
        for one in laid[index...] {
            one.feed.close()
            guard one.item.owner === self, one.item.state.status != .failed else { continue }
            one.item.update { ($0.levels, $0.loaded) = (BufferLevels(), nil) }
        }
        laid.removeSubrange(index...)
    }

    /// Drops scheduled items from `index` on.
    private func splice(at index: Int) {
        let void = laid[index]
        closeLaid(from: index)
        if void.hasSound { takeBack(from: void.join) } else { isEndUntold = true }
    }

    /// Applies a change of the end that the program set for a scheduled item.
    private func moveEnd(of index: Int) {
        let one = laid[index]
        let (old, new) = (one.limit, wishedEnd(of: one))
        laid[index].limit = new
        if let new, new < one.end {
            closeLaid(from: index + 1)
            // The end of data is signalled when the item completes again.
            (laid[index].end, laid[index].isComplete) = (new, false)
            takeBack(from: new)
        } else if one.isComplete, old == one.end, one.feed.state.facts?.isSeekable == true {
            // The item continues beyond its former end.
            closeLaid(from: index + 1)
            one.feed.seek(to: one.end - one.start)
            (laid[index].isComplete, laid[index].seekCount) = (false, one.feed.state.seekCount)
            if index == 0 { hasEnded = false }
            takeBack(from: one.end)
        }
    }

    /// Flushes the outputs from `time` on while they play. Rebuffers if the edit is too late.
    private func takeBack(from time: CMTime) {
        (isSplicing, isClosing) = (true, false)
        stopGiving()
        renderQueue.flush(from: time) { [weak self] isDone in
            self?.onQueue { core in
                core.isSplicing = false
                if isDone { return (core.isEndUntold, core.dropsRestAtEnd) = (true, false) }
                core.tell { $0.editWasLate() }
                if core.laid.first?.feed.state.facts?.isLive == true { return core.dropRestAtEnd() }
                core.refillUnseen()
            }
        }
    }

    /// Lets the outputs play a live stream to its end, because it cannot be read again.
    private func dropRestAtEnd() {
        dropsRestAtEnd = true
        laid[laid.count - 1].isComplete = true
    }

    /// Ends the first item; its successor becomes the audible item.
    func dropHead() {
        let needsOtherRate = laid.count == 2 && awaitsOtherRate(laid[1])
        let gone = laid.removeFirst()
        gone.feed.close()
        gone.item.stopLine(at: clock.now)
        guard !laid.isEmpty else { return shared.withLock { $0.headStart = nil } }
        headChanged()
        if needsOtherRate { hold(at: laid[0].join) }
        publishLine(isJump: true)
    }

    func headChanged() {
        guard let head = laid.first else { return }
        shared.withLock { $0.headStart = head.start }
    }

    /// Jumps to `time`, within the sound that the outputs have.
    func jump(to time: CMTime) {
        headChanged()
        isClosing = false
        laid[0].heard = time - laid[0].start
        timeline.setRate(isKeepingStill ? 0 : appliedRate, time: time, hostTime: nil)
        if isKeepingStill { appliedRate = 0 }
    }

    /// Stops time, at `time` if it is numeric, else at the current time.
    func hold(at time: CMTime) {
        (appliedRate, isClosing) = (0, false)
        timeline.setRate(0, time: time, hostTime: nil)
    }

    /// Flushes the outputs and forgets the rate of their sound, so that new sound can play at any rate.
    func takeBackEverything() {
        stopGiving()
        (hasGiven, dropsRestAtEnd) = (false, false)
        renderQueue.flush()
        timeline.forgetRate()
    }

    /// Reads and feeds everything again from the playhead on.
    func refill() {
        guard let head = laid.first else { return }
        refill(from: min(max(.zero, timeline.currentTime - head.start), head.end - head.start))
    }

    /// - Parameter place: item time in the first item.
    func refill(from place: CMTime) {
        guard let head = laid.first else { return }
        refillEnd = nil
        if head.feed.state.facts?.isLive == true { return beginAnew() }
        closeLaid(from: 1)
        takeBackEverything()
        laid[0].feed.seek(to: place)
        (laid[0].isComplete, laid[0].isBroken, laid[0].heard) = (false, false, place)
        laid[0].seekCount = laid[0].feed.state.seekCount
        (laid[0].end, laid[0].dryEnd) = (laid[0].start + place, nil)
        laid[0].limit = wishedEnd(of: laid[0])
        hold(at: laid[0].end)
    }

    /// Reopens a live stream, which cannot be read again, at its current sound.
    private func beginAnew() {
        closeLaid(from: 0)
        takeBackEverything()
        layHead(items)
    }

    /// Reads again the sound that the outputs lost from `time` on, after a change of output or rate.
    func outputsLostSound(from time: CMTime) {
        guard laid.contains(where: { $0.end > time }) else { return }
        refillUnseen()
    }

    /// Handles a stop of time by a newer player that took the speakers, or by the loss of the outputs.
    ///
    /// ``interrupt()`` ran before, so there is nothing to report unless the program has restarted the player
    /// since.
    func timelineRateChanged() {
        guard timeline.rate == 0, appliedRate != 0 else { return }
        appliedRate = 0
        update(because: .interrupted) { $0.machine.pause() }
    }

    /// Fails the item of a buffer that could not be rendered, and feeds the other items again.
    private func bufferFailed(at time: CMTime, _ error: any Error) {
        // After a flush, the outputs accept sound again.
        takeBackEverything()
        // The buffer's item was removed meanwhile: feeds the other items again.
        guard let index = laid.firstIndex(where: { $0.end > time }) else { return refillUnseen() }
        let one = laid[index]
        let problem = MediaError.undecodable(name: one.item.state.facts?.info?.path ?? "", reason: "\(error)")
        if index == 0 { return fail(one, problem) }
        one.item.fail(problem)
        drop(one.item)
        refillUnseen()
    }

    func rendererChanged() {
        guard renderQueue.status == .failed, let error = renderQueue.error, let head = laid.first else {
            return
        }
        if let time = renderQueue.failureTime { return bufferFailed(at: time, error) }
        head.item.post(.failedToPlayToEnd(error))
        update(because: .failed) { shared in
            (shared.status, shared.error) = (.failed, error)
            shared.machine.pause()
        }
    }
}
