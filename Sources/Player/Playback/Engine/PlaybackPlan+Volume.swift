import CoreMedia

/// Sound of the first item that is taken back and given again while it plays.
struct Resending: Sendable {
    var feed: FeedID
    /// Item time from which the sound has changed.
    var place: CMTime
    /// Timeline time after the item's last sound in the outputs, if these cannot give it back.
    var end: CMTime
    /// Seconds between the playhead and the first new sound.
    var margin: Double

    /// Enough for speakers with deep buffers, and for this machine's devices.
    static let shortMargin = 1.5
    /// Enough for every speaker, also one that plays early by its delay.
    static let longMargin = 3.5
}

// Changes of an item's volume and of its end: the outputs give back the sound from then on.
extension PlaybackPlan {
    /// Applies a change of the volumes that the program set for a scheduled item.
    ///
    /// - Returns: whether the outputs are edited.
    mutating func changeMix(of index: Int, _ item: QueuedItem) -> Bool {
        let one = schedule.items[index]
        guard one.mix != item.wishes.mix else { return false }
        schedule.items[index].mix = item.wishes.mix
        if one.crossfade != nil { schedule.select(index) }
        let info = feed(one).facts?.info
        let old = one.mix.curve(of: info) ?? VolumeCurve()
        let new = item.wishes.mix.curve(of: info) ?? VolumeCurve()
        guard let place = new.firstDifference(from: old) else { return false }
        if one.crossfade != nil { return readAgain(index, from: place) }
        return resend(index, from: place)
    }

    /// Applies a change of the crossfade that the program set for a scheduled item.
    ///
    /// - Returns: whether the outputs are edited.
    mutating func changeCrossfade(of index: Int, _ item: QueuedItem) -> Bool {
        let (one, new) = (schedule.items[index], item.wishes.crossfade)
        guard one.crossfade != new else { return false }
        schedule.items[index].crossfade = new
        guard item.end.isNumeric else {
            schedule.select(index)
            return readAgain(index, from: .zero)
        }
        let isHead = index == 0 && outputs.appliedRate != 0
        let soonest = isHead ? currentTime - one.start + Self.seconds(Resending.shortMargin) : .zero
        let overlap = new.map { item.end - $0.duration }
        let former = one.isCrossfadeLate ? nil : one.crossfade.map { item.end - $0.duration }
        // An overlap begins at its beginning, or not at all.
        let isGiven = overlap.map { one.end - one.start > $0 } ?? false
        // Only the volume is another one: the overlap may continue from its middle.
        let isSame =
            new != nil && new?.next == one.crossfade?.next && new?.start == one.crossfade?.start
            && new?.duration == one.crossfade?.duration
        schedule.items[index].isCrossfadeLate =
            isSame ? one.isCrossfadeLate : isGiven && overlap.map { $0 < soonest } ?? false
        schedule.select(index)
        let isLate = schedule.items[index].isCrossfadeLate
        guard let place = [isLate ? nil : overlap, former].compactMap(\.self).min() else { return false }
        return readAgain(index, from: place)
    }

    private static func seconds(_ seconds: Double) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: 1_000_000)
    }

    /// Reads sound of an item again from a place on: what the outputs have of it, and what its feed has read ahead.
    ///
    /// - Returns: whether the outputs are edited.
    private mutating func readAgain(_ index: Int, from place: CMTime) -> Bool {
        if resend(index, from: place) { return true }
        let (one, state) = (schedule.items[index], feed(schedule.items[index]))
        let given = max(one.end - one.start, one.place)
        guard one.isOpen, state.facts?.isSeekable ?? true, given <= place else { return false }
        if state.facts == nil || state.loadedEnd > place || state.isAtEnd { schedule.seek(index, to: given) }
        return false
    }

    /// Takes sound of a scheduled item back, and gives it again as it is to be now. Sound that is about to be heard,
    /// and that of a source that cannot seek, stays as it is.
    ///
    /// - Parameters:
    ///   - place: item time from which the sound has changed.
    ///   - margin: seconds from the moving playhead on that stay.
    /// - Returns: whether the outputs are edited.
    mutating func resend(_ index: Int, from place: CMTime, margin: Double = Resending.shortMargin) -> Bool {
        let one = schedule.items[index]
        guard one.hasSound, one.phase != .heard, one.phase != .failed,
            let facts = feed(one).facts, facts.isSeekable
        else { return false }
        var from = max(place, one.place)
        if index == 0 {
            let kept = outputs.appliedRate == 0 ? 0 : margin * Double(outputs.appliedRate)
            from = max(from, currentTime - one.start + Self.seconds(kept))
        }
        // A whole frame of the source, so that the new sound begins exactly where the old one ends.
        if let rate = facts.info?.sampleRate.hertz {
            from = from.convertScale(CMTimeScale(rate), method: .roundTowardPositiveInfinity)
        }
        guard from.isNumeric, one.start + from < one.end else { return false }
        if index > 0, from <= one.place {
            splice(at: index)
            return true
        }
        close(from: index + 1)
        schedule.seek(index, to: from)
        schedule.items[index].shorten(to: one.start + from)
        outputs.splice(from: one.start + from)
        resending = index == 0 ? Resending(feed: one.feed, place: place, end: one.end, margin: margin) : nil
        return true
    }

    /// Tries again farther from the playhead: the outputs could not give the sound back in time.
    ///
    /// - Returns: whether the outputs are edited.
    mutating func resendLater() -> Bool {
        guard let resending = resending.take(), resending.margin < Resending.longMargin,
            let head = schedule.head, head.feed == resending.feed
        else { return false }
        // The outputs still have all sound that they had.
        schedule.items[0].end = resending.end
        if resend(0, from: resending.place, margin: Resending.longMargin) { return true }
        schedule.items[0].end = head.end
        return false
    }
}
