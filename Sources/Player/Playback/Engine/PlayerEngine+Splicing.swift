import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// Edits of what the outputs hold: these drop queued sound from a time on, and get other sound.
extension PlayerEngine {
    /// Drops scheduled items from `index` on.
    mutating func splice(at index: Int) {
        let void = schedule.items[index]
        resends.forget()
        schedule.close(from: index, &state)
        if void.hasSound { outputs.splice(from: void.join) } else { outputs.lostSuccessor() }
    }

    /// Applies a change of the end that the program set for a scheduled item.
    ///
    /// - Returns: Whether the outputs are edited.
    mutating func moveEnd(of index: Int, _ item: QueuedItem) -> Bool {
        let one = schedule.items[index]
        let (old, new) = (one.limit, one.wishedEnd(item))
        schedule.items[index].limit = new
        resends.forget()
        if let new, new < one.end {
            // The end of data is signalled when the item completes again.
            cut(index, at: new)
            return true
        }
        guard one.isComplete, old == one.end, schedule.feed(one).facts?.isSeekable == true else {
            return false
        }
        // The item continues beyond its former end. The cut alone would not open one that was heard.
        schedule.items[index].reopen(at: one.end)
        cut(index, at: one.end, readingFrom: one.end - one.start)
        return true
    }

    /// Takes back the sound of an item from a timeline time on, and all that follows it.
    ///
    /// - Parameter place: Item time at which the feed continues; `nil` leaves the feed as it is.
    private mutating func cut(_ index: Int, at time: CMTime, readingFrom place: CMTime? = nil) {
        schedule.close(from: index + 1, &state)
        if let place { schedule.seek(index, to: place) }
        schedule.items[index].shorten(to: time)
        outputs.splice(from: time)
    }

    /// Applies a change of the volumes that the program set for a scheduled item.
    ///
    /// - Returns: Whether the outputs are edited.
    mutating func changeMix(of index: Int, _ item: QueuedItem) -> Bool {
        guard schedule.items[index].mix != item.wishes.mix else { return false }
        let info = schedule.feed(schedule.items[index]).facts?.info
        let place = schedule.items[index].changeMix(to: item.wishes.mix, of: info)
        let isCrossfaded = schedule.items[index].crossfade != nil
        if isCrossfaded { schedule.select(index) }
        guard let place else { return false }
        return isCrossfaded ? readAgain(index, from: place) : resend(index, from: place)
    }

    /// Applies a change of the crossfade that the program set for a scheduled item.
    ///
    /// - Returns: Whether the outputs are edited.
    mutating func changeCrossfade(of index: Int, _ item: QueuedItem) -> Bool {
        guard schedule.items[index].crossfade != item.wishes.crossfade else { return false }
        let isPlaying = index == 0 && outputs.appliedRate != 0
        let soonest =
            isPlaying ? currentTime - schedule.items[0].start + Self.seconds(Resends.shortMargin) : .zero
        let place = schedule.items[index].changeCrossfade(
            to: item.wishes.crossfade, itemEnd: item.end, soonest: soonest)
        schedule.select(index)
        guard let place else { return false }
        return readAgain(index, from: place)
    }

    /// Reads sound of an item again from a place on: what the outputs have of it, and what its feed has read ahead.
    ///
    /// - Returns: Whether the outputs are edited.
    private mutating func readAgain(_ index: Int, from place: CMTime) -> Bool {
        if resend(index, from: place) { return true }
        let one = schedule.items[index]
        let source = schedule.feed(one)
        let given = max(one.end - one.start, one.place)
        guard one.isOpen, source.facts?.isSeekable ?? true, given <= place else { return false }
        if source.facts == nil || source.loadedEnd > place || source.isAtEnd {
            schedule.seek(index, to: given)
        }
        return false
    }

    /// Takes sound of a scheduled item back, and gives it again as it is to be now. Sound that is about to be heard,
    /// and that of a source that cannot seek, stays as it is.
    ///
    /// - Parameters:
    ///   - place: Item time from which the sound has changed.
    ///   - margin: Seconds from the moving playhead on that stay.
    /// - Returns: Whether the outputs are edited.
    private mutating func resend(
        _ index: Int, from place: CMTime, margin: Double = Resends.shortMargin
    ) -> Bool {
        let one = schedule.items[index]
        let kept = Self.seconds(margin * Double(outputs.appliedRate))
        let soonest = index == 0 ? currentTime - one.start + kept : one.place
        guard let from = one.firstResendable(from: place, soonest: soonest, schedule.feed(one).facts) else {
            return false
        }
        if index > 0, from <= one.place {
            splice(at: index)
            return true
        }
        cut(index, at: one.start + from, readingFrom: from)
        resends.begin(
            index == 0
                ? Resends.Resending(feed: one.feed, place: place, end: one.end, margin: margin) : nil)
        return true
    }

    private static func seconds(_ seconds: Double) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: 1_000_000)
    }

    /// Handles what the outputs have told since the last step.
    mutating func noticeOutputEvents() {
        if let time = outputEvents.takeLoss(), schedule.items.contains(where: { $0.end > time }) {
            refillUnseen()
        }
        for answer in outputEvents.takeAnswers() { spliced(answer.isDone, generation: answer.generation) }
    }

    /// Handles the outputs' answer to an edit. Rebuffers if the edit was too late.
    private mutating func spliced(_ isDone: Bool, generation: Int) {
        guard outputs.spliced(isDone, generation: generation) else { return }
        if isDone { return resends.forget() }
        if resendLater() { return }
        reports.actions.append(.editWasLate)
        guard let head = schedule.head else { return }
        guard schedule.feed(head).facts?.isLive == true else {
            refillUnseen()
            return
        }
        // The outputs play a live stream to its end, because it cannot be read again.
        outputs.tail = .stale
        schedule.withLast { $0.drained(at: $0.end) }
    }

    /// Tries again farther from the playhead.
    ///
    /// - Returns: Whether the outputs are edited.
    private mutating func resendLater() -> Bool {
        guard let resending = resends.retry(head: schedule.head) else { return false }
        let end = schedule.items[0].end
        // The outputs still have all sound that they had.
        schedule.items[0].end = resending.end
        if resend(0, from: resending.place, margin: resending.margin) { return true }
        schedule.items[0].end = end
        return false
    }
}
