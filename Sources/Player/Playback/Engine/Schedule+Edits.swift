import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// Edits of sound that the outputs hold, or that was read already. Each returns the timeline time from which the
// outputs give up their sound, to get other sound; `nil` if they keep all of it.
extension Schedule {
    /// Drops scheduled items from `index` on.
    mutating func drop(from index: Int, _ state: inout PlayerState) -> CMTime? {
        let void = items[index]
        resends.forget()
        close(from: index, &state)
        return void.hasSound ? void.join : nil
    }

    // MARK: Ends

    /// Applies the ends that the program set, up to the first edit.
    mutating func moveEnds(_ state: inout PlayerState) -> CMTime? {
        for index in items.indices {
            let item = state.items[index]
            if let time = moveEnd(of: index, item, &state) { return time }
        }
        return nil
    }

    private mutating func moveEnd(
        of index: Int, _ item: QueuedItem, _ state: inout PlayerState
    ) -> CMTime? {
        let one = items[index]
        let (old, new) = (one.limit, one.wishedEnd(item))
        guard old != new else { return nil }
        items[index].limit = new
        resends.forget()
        // The end of data is signalled when the item completes again.
        if let new, new < one.end { return cut(index, at: new, &state) }
        guard one.isComplete, old == one.end, feed(one).facts?.isSeekable == true else { return nil }
        // The item continues beyond its former end. The cut alone would not open one that was heard.
        items[index].reopen(at: one.end)
        return cut(index, at: one.end, &state, readingFrom: one.end - one.start)
    }

    /// Takes back the sound of an item from a timeline time on, and all that follows it.
    ///
    /// - Parameter place: Item time at which the feed continues; `nil` leaves the feed as it is.
    private mutating func cut(
        _ index: Int, at time: CMTime, _ state: inout PlayerState, readingFrom place: CMTime? = nil
    ) -> CMTime {
        close(from: index + 1, &state)
        if let place { seek(index, to: place) }
        items[index].shorten(to: time)
        return time
    }

    // MARK: Pitch and streams

    /// Takes over the pitch treatment that the program set for a scheduled item.
    ///
    /// - Parameter rate: The rate for which the outputs' sound was made; 0 if it can play at any rate.
    /// - Returns: Whether the item's sound has to be given again.
    mutating func changePitch(of index: Int, _ item: QueuedItem, at rate: Float) -> Bool {
        guard items[index].pitch != item.wishes.pitch else { return false }
        items[index].pitch = item.wishes.pitch
        return items[index].hasSound && rate != 0 && rate != 1
    }

    /// Selects the stream that the program set for a scheduled item. A later item is to be dropped instead.
    ///
    /// - Returns: Whether the item's sound has to be given again.
    mutating func changeStream(of index: Int, _ item: QueuedItem) -> Bool {
        guard items[index].stream != item.wishes.stream else { return false }
        guard index == 0 else { return true }
        items[0].stream = item.wishes.stream
        items[0].duration.restart()
        select(0)
        return true
    }

    // MARK: Volumes and crossfades

    /// Applies a change of the volumes, else of the crossfade, that the program set for a scheduled item.
    mutating func changeVolumes(
        of index: Int, _ item: QueuedItem, _ playhead: Playhead, _ state: inout PlayerState
    ) -> CMTime? {
        if let time = changeMix(of: index, item, playhead, &state) { return time }
        return changeCrossfade(of: index, item, playhead, &state)
    }

    private mutating func changeMix(
        of index: Int, _ item: QueuedItem, _ playhead: Playhead, _ state: inout PlayerState
    ) -> CMTime? {
        guard items[index].mix != item.wishes.mix else { return nil }
        let info = feed(items[index]).facts?.info
        let place = items[index].changeMix(to: item.wishes.mix, of: info)
        let isCrossfaded = items[index].crossfade != nil
        if isCrossfaded { select(index) }
        guard let place else { return nil }
        return isCrossfaded
            ? readAgain(index, from: place, playhead, &state) : resend(index, from: place, playhead, &state)
    }

    private mutating func changeCrossfade(
        of index: Int, _ item: QueuedItem, _ playhead: Playhead, _ state: inout PlayerState
    ) -> CMTime? {
        guard items[index].crossfade != item.wishes.crossfade else { return nil }
        let isPlaying = index == 0 && playhead.rate != 0
        let soonest =
            isPlaying ? playhead.time - items[0].start + Self.seconds(Resends.shortMargin) : .zero
        let place = items[index].changeCrossfade(
            to: item.wishes.crossfade, itemEnd: item.end, soonest: soonest)
        select(index)
        guard let place else { return nil }
        return readAgain(index, from: place, playhead, &state)
    }

    /// Tells an item's feed what to read, from the next time on that it is read anew.
    private mutating func select(_ index: Int) {
        actions.append(.select(items[index].feed, items[index].selection))
    }

    /// Reads sound of an item again from a place on: what the outputs have of it, and what its feed has read ahead.
    private mutating func readAgain(
        _ index: Int, from place: CMTime, _ playhead: Playhead, _ state: inout PlayerState
    ) -> CMTime? {
        if let time = resend(index, from: place, playhead, &state) { return time }
        let one = items[index]
        let given = max(one.end - one.start, one.place)
        guard one.isOpen, feed(one).facts?.isSeekable ?? true, given <= place else { return nil }
        // Also a feed that has not read up to the place has begun with the old selection.
        seek(index, to: given)
        return nil
    }

    // MARK: Resends

    /// Takes sound of a scheduled item back, and gives it again as it is to be now. Sound that is about to be heard,
    /// and that of a source that cannot seek, stays as it is.
    ///
    /// - Parameters:
    ///   - place: Item time from which the sound has changed.
    ///   - margin: Seconds from the moving playhead on that stay.
    private mutating func resend(
        _ index: Int, from place: CMTime, _ playhead: Playhead, _ state: inout PlayerState,
        margin: Double = Resends.shortMargin
    ) -> CMTime? {
        let one = items[index]
        let kept = Self.seconds(margin * Double(playhead.rate))
        let soonest = index == 0 ? playhead.time - one.start + kept : one.place
        guard let from = one.firstResendable(from: place, soonest: soonest, feed(one).facts) else {
            return nil
        }
        if index > 0, from <= one.place { return drop(from: index, &state) }
        let time = cut(index, at: one.start + from, &state, readingFrom: from)
        resends.begin(
            index == 0
                ? Resends.Resending(feed: one.feed, place: place, end: one.end, margin: margin) : nil)
        return time
    }

    /// Tries the last resend again, farther from the playhead, because the outputs could not give the sound back.
    mutating func resendLater(_ playhead: Playhead, _ state: inout PlayerState) -> CMTime? {
        guard let resending = resends.retry(head: head) else { return nil }
        let end = items[0].end
        // The outputs still have all sound that they had.
        items[0].end = resending.end
        let time = resend(0, from: resending.place, playhead, &state, margin: resending.margin)
        if time == nil { items[0].end = end }
        return time
    }

    private static func seconds(_ seconds: Double) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: 1_000_000)
    }
}
