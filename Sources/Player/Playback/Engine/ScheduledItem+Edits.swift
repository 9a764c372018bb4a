import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// Changes of an item whose sound is being read or given already. Times are item times.
extension ScheduledItem {
    /// The sound that the feed is to read.
    var selection: FeedSelection {
        var selection = FeedSelection(stream: stream)
        guard crossfade != nil, !isCrossfadeLate else { return selection }
        (selection.crossfade, selection.mix) = (crossfade, mix)
        return selection
    }

    /// Takes over the volumes that the program set.
    ///
    /// - Returns: The time from which the sound changes; `nil` if it does not.
    mutating func changeMix(to new: ItemMix, of info: MediaInfo?) -> CMTime? {
        let old = mix.curve(of: info) ?? VolumeCurve()
        mix = new
        return (new.curve(of: info) ?? VolumeCurve()).firstDifference(from: old)
    }

    /// Takes over the crossfade that the program set.
    ///
    /// - Parameters:
    ///   - itemEnd: The item's end; not numeric while unknown.
    ///   - soonest: The first time at which other sound can be heard.
    /// - Returns: The time from which the sound changes; `nil` if it does not.
    mutating func changeCrossfade(to new: Crossfade?, itemEnd: CMTime, soonest: CMTime) -> CMTime? {
        let old = crossfade
        crossfade = new
        guard itemEnd.isNumeric else { return .zero }
        let overlap = new.map { itemEnd - $0.duration }
        let former = isCrossfadeLate ? nil : old.map { itemEnd - $0.duration }
        // Only the volume is another one: the overlap may continue from its middle.
        let isSame =
            new != nil && new?.next == old?.next && new?.start == old?.start && new?.duration == old?.duration
        if !isSame {
            // An overlap begins at its beginning, or not at all.
            let given = end - start
            isCrossfadeLate = overlap.map { given > $0 && $0 < soonest } ?? false
        }
        return [isCrossfadeLate ? nil : overlap, former].compactMap(\.self).min()
    }

    /// Returns the first time from which the outputs' sound can be given again; `nil` if all of it stays as it is.
    ///
    /// - Parameters:
    ///   - place: The time from which the sound has changed.
    ///   - soonest: The first time at which other sound can be heard.
    func firstResendable(from place: CMTime, soonest: CMTime, _ facts: ItemFacts?) -> CMTime? {
        guard hasSound, phase != .heard, phase != .failed, let facts, facts.isSeekable else { return nil }
        var from = max(max(place, self.place), soonest)
        // A whole frame of the source, so that the new sound begins exactly where the old one ends.
        if let rate = facts.info?.sampleRate.hertz {
            from = from.convertScale(CMTimeScale(rate), method: .roundTowardPositiveInfinity)
        }
        guard from.isNumeric, start + from < end else { return nil }
        return from
    }
}
