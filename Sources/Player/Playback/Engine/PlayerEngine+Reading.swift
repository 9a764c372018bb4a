import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// The items' feeds: what they have found, how far they are to read, and from where anew.
extension PlayerEngine {
    /// Learns from the feeds of all items.
    mutating func observeFeeds() {
        for index in schedule.items.indices {
            beginAtStart(index)
            guard var item = state.item(schedule.items[index].item) else { continue }
            let source = schedule.feed(schedule.items[index])
            let playhead = index == 0 ? currentTime - schedule.items[0].start : nil
            reports += schedule.items[index].observe(source, &item, playhead: playhead)
            state.store(item)
        }
        guard let next = schedule.prepared, var item = state.item(next.item) else { return }
        let source = schedule.feed(next)
        reports += schedule.prepared?.observe(source, &item, playhead: nil) ?? []
        state.store(item)
    }

    /// Starts a live stream at its current sound, whatever start time the program set.
    private mutating func beginAtStart(_ index: Int) {
        let one = schedule.items[index]
        guard one.place > .zero, !one.hasSound, schedule.feed(one).facts?.isLive == true else { return }
        state.withItem(one.item) { $0.startTime = .zero }
        reports.append(.resetStartTime(one.item))
        schedule.items[index].beginAtStart()
        if index == 0 { state.headStart = schedule.items[0].start }
    }

    /// Reports items whose first sound has come. The player's status changes before the item's, because an
    /// observer of the item's status may preroll.
    mutating func becomeReady() {
        for index in schedule.items.indices where becomeReady(schedule.items[index], isHead: index == 0) {
            return
        }
        if let next = schedule.prepared { _ = becomeReady(next, isHead: false) }
    }

    /// - Returns: whether observers must see the change before the next one.
    private mutating func becomeReady(_ one: ScheduledItem, isHead: Bool) -> Bool {
        let source = schedule.feed(one)
        guard source.facts != nil, source.hasSound, let item = state.item(one.item), !item.hasFailed else {
            return false
        }
        if isHead, state.status == .unknown {
            state.becomeReady()
            return true
        }
        if item.state.readyAt == nil {
            state.itemCanPlay(one.item, at: now)
            return isHead
        }
        guard isHead, !state.machine.isItemReady else { return false }
        state.itemIsReady()
        return true
    }

    /// Tells each feed how far to read: beyond the outputs' sound, or as far as the program wants.
    mutating func readAhead() {
        for index in schedule.items.indices {
            let one = schedule.items[index]
            let view = one.reading(state.item(one.item), schedule.feed(one), playhead: playhead(one))
            if let until = schedule.items[index].readAhead.next(view) { schedule.read(index, until: until) }
        }
    }

    // MARK: Reading anew

    /// Reads and feeds everything again.
    ///
    /// - Parameter place: item time in the first item; `nil` for the playhead.
    mutating func readAnew(from place: CMTime? = nil) {
        guard let head = schedule.head else { return }
        let place = place ?? min(max(.zero, currentTime - head.start), head.end - head.start)
        buffering.refill.stop()
        if schedule.feed(head).facts?.isLive == true { return beginAnew() }
        close(from: 1)
        outputs.flush()
        schedule.readAnew(from: place, state.item(head.item))
        hold(at: schedule.items[0].end)
    }

    /// Reopens a live stream, which cannot be read again, at its current sound.
    private mutating func beginAnew() {
        close(from: 0)
        outputs.flush()
        scheduleHead(state.items.first)
    }
}
