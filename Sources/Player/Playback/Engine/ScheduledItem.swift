import CoreMedia
import TuttiCodecs
import TuttiMediaTime

/// Identifies one opening of an item's source.
struct FeedID: Hashable, Sendable {
    let value: Int
}

/// An item scheduled on the timeline, whose sound goes or has gone to the outputs.
struct ScheduledItem: Sendable {
    enum Phase: Equatable, Sendable {
        /// The source is not open yet.
        case opening
        /// The source is open, and the outputs have none of its sound.
        case ready
        /// The outputs have some sound of the item.
        ///
        /// `dryEnd` is the end of that sound at the last underrun. Samples before it that are not packed
        /// become audible with later sound.
        case feeding(dryEnd: CMTime?)
        /// The outputs have all sound of the item.
        case drained
        /// The item was heard to its end, and observers were notified. Only the first item.
        case heard
        /// The source failed, and the outputs have all sound before the failure.
        case failed
    }

    let item: ItemID
    let feed: FeedID
    private(set) var phase = Phase.opening
    /// Timeline time of the item's time 0.
    var start = CMTime.zero
    /// Item time of its first audible sample.
    var place: CMTime
    /// The length of its beginning that was mixed into the end of the item before.
    let lead: CMTime
    /// Timeline time after its last sample in the outputs.
    var end: CMTime
    /// Timeline time of the end that the program set, as last applied.
    var limit: CMTime?
    /// Item time up to which it was heard.
    var heardEnd = CMTime.zero
    /// Pitch treatment of the enqueued sound.
    var pitch = PitchTreatment.kept
    /// Index of the stream that the feed reads; `nil` leaves the choice to the file.
    var stream: Int?
    /// Volumes of the enqueued sound.
    var mix = ItemMix()
    /// The crossfade that the feed makes at the item's end.
    var crossfade: Crossfade?
    /// Whether a change of the crossfade came too late: the item ends without one.
    var isCrossfadeLate = false
    var duration = DurationEstimate()
    /// Generation of seeks expected of the feed; its older states are stale.
    var seekCount = 0
    var readAhead = ReadAhead()
    var report = ItemReport()
    var figures = ItemFigures()
    /// Host time since which there has been some sound at hand, but not enough.
    var shortSince: HostTime?

    init(item: QueuedItem, feed: FeedID, lead: CMTime = .zero) {
        (self.item, self.feed, self.lead) = (item.id, feed, lead)
        place = item.place + lead
        (end, stream, pitch) = (place, item.wishes.stream, item.wishes.pitch)
        (mix, crossfade) = (item.wishes.mix, item.wishes.crossfade)
        if place > .zero { seekCount = 1 }
        figures = item.state.figures
    }

    /// Timeline time of its first audible sample.
    var join: CMTime { start + place }

    /// Item time at which the program wants it to begin.
    var startTime: CMTime { place - lead }

    /// Whether the outputs have some sound of the item.
    var hasSound: Bool { end > join }

    /// Whether the outputs have all sound of the item.
    var isComplete: Bool { phase == .drained || phase == .heard }

    /// Whether the outputs will receive more sound of the item.
    var isOpen: Bool { !isComplete && phase != .failed }

    /// Whether a state belongs to the latest seek.
    func isCurrent(_ feed: ItemFeedState) -> Bool { feed.seekCount == seekCount }

    /// The view of the read-ahead, for item time `playhead`.
    func reading(_ item: QueuedItem?, _ feed: ItemFeedState, playhead: CMTime) -> ReadAhead.View {
        ReadAhead.View(
            item: item, feed: feed, isCurrent: isCurrent(feed), given: end - start, playhead: playhead)
    }

    // MARK: Transitions

    /// Schedules the item at a timeline time.
    mutating func schedule(at start: CMTime, _ item: QueuedItem) {
        (self.start, end, heardEnd, pitch) = (start, start + place, place, item.wishes.pitch)
        mix = item.wishes.mix
        limit = wishedEnd(item)
    }

    /// The item begins at time 0, whatever start time the program set.
    mutating func beginAtStart() { (start, place, heardEnd) = (end, .zero, .zero) }

    /// Takes the source as open.
    mutating func sourceOpened() { if phase == .opening { phase = .ready } }

    /// The outputs have sound up to `end`.
    mutating func gave(until end: CMTime) {
        self.end = max(self.end, end)
        if case .feeding = phase { return }
        phase = .feeding(dryEnd: nil)
    }

    /// Places a buffer, given in item time, which the outputs receive.
    mutating func give(
        _ start: CMTime, _ duration: CMTime, _ item: QueuedItem?, _ info: MediaInfo?
    ) -> EnginePlacement {
        let time = start + self.start
        var (end, trim) = (time + duration, CMTime?.none)
        let limit: CMTime? = item.map { wishedEnd($0) } ?? self.limit
        if let limit, end > limit { (trim, end) = (end - limit, max(time, limit)) }
        if end > time { gave(until: end) } else { self.end = max(self.end, end) }
        // Placed on the timeline only where it matters: most sound has no volume of its own.
        let volume = mix.curve(of: info)?.part(from: start, to: start + duration)?.moved(by: self.start)
        return EnginePlacement(
            time: time, trim: trim, isDropped: end <= time, pitch: pitch, volume: volume)
    }

    /// All sound at hand was heard before the item's end.
    mutating func ranDry() {
        if hasSound { phase = .feeding(dryEnd: end) }
        shortSince = nil
    }

    /// The outputs have all of the item, up to `end`.
    mutating func drained(at end: CMTime) { (phase, self.end) = (.drained, end) }

    /// The item was heard to its end, and observers learn it.
    mutating func wasHeard() { phase = .heard }

    /// The source failed, and the outputs have all sound before the failure.
    mutating func sourceFailed() { phase = .failed }

    /// Time jumps to a timeline time within the sound that the outputs have.
    mutating func jumped(to time: CMTime) {
        heardEnd = time - start
        if phase == .heard { phase = .drained }
    }

    /// The outputs drop the sound from `end` on.
    mutating func shorten(to end: CMTime) {
        // An item that was heard, or failed, is not fed again.
        if phase == .heard || phase == .failed { self.end = end } else { reopen(at: end) }
    }

    /// The item continues, although the outputs had all of it, or it was heard.
    mutating func reopen(at end: CMTime) {
        self.end = end
        phase = hasSound ? .feeding(dryEnd: nil) : .ready
    }

    /// Reads anew from item time `place`; the outputs have nothing.
    mutating func readAnew(from place: CMTime, _ item: QueuedItem?) {
        if phase != .opening { phase = .ready }
        (end, heardEnd) = (start + place, place)
        seeks()
        if let item { limit = wishedEnd(item) }
    }

    /// The feed is told to seek.
    mutating func seeks() {
        seekCount += 1
        shortSince = nil
        readAhead.restart()
    }

    // MARK: Ends

    /// Timeline time of the end that the program set.
    func wishedEnd(_ item: QueuedItem) -> CMTime? { item.wishes.numericEnd.map { start + $0 } }

    func isAtWishedEnd(_ item: QueuedItem?) -> Bool {
        (item.map(wishedEnd) ?? limit).map { end >= $0 } ?? false
    }

    /// Time after which a mark has certainly been passed.
    static let passingMargin = CMTime(value: 1, timescale: 1000)
}
