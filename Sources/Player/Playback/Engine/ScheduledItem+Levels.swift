import CoreMedia
import TuttiMediaTime

/// The circumstances in which an item's sound is measured.
struct GaugeContext {
    let now: HostTime
    /// Item time that is heard, or at which the item will begin.
    let playhead: CMTime
    /// Whether the item is the first one, and time runs.
    let isRunning: Bool
    /// Sound seconds per second.
    let rate: Float
    /// Whether the outputs want more.
    let isOutputReady: Bool
}

extension GaugeContext {
    /// The circumstances of a scheduled item.
    ///
    /// - Parameter rate: The rate that the program wants.
    init(
        of one: ScheduledItem, in schedule: Schedule, _ outputs: Outputs, rate: Float, at now: HostTime
    ) {
        let isHead = one.feed == schedule.head?.feed
        self.init(
            now: now, playhead: schedule.playhead(one, at: outputs.time(at: now)),
            isRunning: isHead && outputs.isRunning(at: now), rate: rate,
            isOutputReady: outputs.seen.isReady)
    }
}

// The sound at hand, and what follows for the item's levels.
extension ScheduledItem {
    /// Measures the sound at hand, and updates the item's ranges and figures.
    ///
    /// - Returns: The levels, which the caller applies.
    mutating func measureLevels(
        _ feed: ItemFeedState, _ item: inout QueuedItem, _ context: GaugeContext
    ) -> BufferLevels {
        let gauge = gauge(feed, item, context)
        updateFigures(&item, gauge, context)
        let (range, now) = (loadedRange(feed), context.now)
        report.compare(range, told: item.state.loaded, at: now)
        if range != item.state.loaded, gauge.isComplete || report.rangeTime(range).map({ $0 <= now }) ?? true
        {
            item.set(\.loaded, range, isOrdered: false)
            if range != nil { report.loadedAt = now }
        }
        let levels = gauge.levels(after: item.state.levels)
        shortSince = levels.isEmpty || levels.isLikelyToKeepUp ? nil : shortSince ?? now
        return levels
    }

    /// When the sound at hand suffices for playback although no more arrives; `nil` if it does not, or does already.
    func likelyDeadline(
        _ feed: ItemFeedState, _ item: QueuedItem, _ context: GaugeContext
    ) -> HostTime? {
        guard shortSince != nil, !item.hasFailed else { return nil }
        let seconds = gauge(feed, item, context).secondsUntilLikely
        // Rounding must not make the same instant come twice.
        return seconds.map { context.now.advanced(by: .seconds($0 + 0.001)) }
    }

    private mutating func updateFigures(
        _ item: inout QueuedItem, _ gauge: BufferGauge, _ context: GaugeContext
    ) {
        let playhead = context.playhead
        let given = max(0, (end - start - playhead).seconds)
        countPlayed(to: playhead)
        figures = ItemFigures(
            playhead: playhead, inSource: max(0, gauge.secondsAhead - given), inOutput: given,
            played: figures.played)
        // Between changes, the figures follow from the line.
        let isExpected = item.state.figures.advanced(to: playhead).isClose(to: figures)
        if !isExpected || !context.isRunning { item.set(\.figures, figures, isOrdered: false) }
    }

    /// Counts the sound up to item time `playhead` as heard.
    mutating func countPlayed(to playhead: CMTime) {
        figures.played += max(0, (playhead - heardEnd).seconds)
        heardEnd = max(heardEnd, playhead)
    }

    /// When the loaded range may be told again, if it has changed.
    func loadedDeadline(_ feed: ItemFeedState, _ item: QueuedItem) -> HostTime? {
        let range = loadedRange(feed)
        guard !item.hasFailed, range != item.state.loaded else { return nil }
        return report.rangeTime(range)
    }

    private func loadedRange(_ feed: ItemFeedState) -> CMTimeRange? {
        guard isCurrent(feed), feed.loadedEnd > feed.loadedStart else { return nil }
        return CMTimeRange(start: feed.loadedStart, end: feed.loadedEnd)
    }

    // MARK: The gauge

    func gauge(_ feed: ItemFeedState, _ item: QueuedItem, _ context: GaugeContext) -> BufferGauge {
        let isThere = isCurrent(feed)
        let expected = item.end
        let end = duration.isGuessed(feed) ? item.wishes.numericEnd ?? .indefinite : expected
        var gauge = BufferGauge()
        let first = max(context.playhead, feed.loadedStart)
        gauge.secondsAhead =
            isThere && !isDry(feed) ? max(0, (min(feed.loadedEnd, end) - first).seconds) : 0
        gauge.isComplete = isThere && (feed.isAtEnd || reaches(end, feed, item))
        // A failed source delivers no more: plays the sound at hand.
        gauge.isAtLimit =
            isThere && feed.facts != nil && (isFilled(feed, item, context) || feed.error != nil)
        (gauge.fillRate, gauge.longestWait) = (feed.fillRate, feed.longestWait)
        gauge.secondsSilent = feed.awaitedSince.map { context.now.since($0).inSeconds }
        gauge.secondsShort = shortSince.map { context.now.since($0).inSeconds } ?? 0
        gauge.rate = max(1, Double(context.rate))
        gauge.speed = context.rate > 0 ? Double(context.rate) : 1
        gauge.startLevel = feed.facts?.isRemote == false ? Self.fileStartLevel : Self.startLevel
        if expected.isNumeric, end.isNumeric || expected > feed.loadedEnd {
            gauge.secondsMissing = max(0, (expected - feed.loadedEnd).seconds)
        }
        return gauge
    }

    /// Whether nothing has come since an underrun. If the source failed, the remaining sound plays out without
    /// a successor.
    private func isDry(_ feed: ItemFeedState) -> Bool {
        guard case .feeding(let dryEnd?) = phase else { return false }
        return end == dryEnd && feed.waitingCount == 0 && feed.error == nil
    }

    /// Whether the sound at hand reaches the item's end. A seek to the very end waits for the source's end of
    /// data.
    private func reaches(_ end: CMTime, _ feed: ItemFeedState, _ item: QueuedItem) -> Bool {
        guard end.isNumeric, feed.loadedEnd >= end else { return false }
        return feed.loadedEnd > feed.loadedStart || isAtWishedEnd(item)
    }

    /// Whether the wanted amount is at hand. Hysteresis: the level holds until half of the read-ahead is
    /// gone.
    private func isFilled(_ feed: ItemFeedState, _ item: QueuedItem, _ context: GaugeContext) -> Bool {
        if feed.isResting, item.wishes.forwardBufferDuration > 0 || !context.isOutputReady { return true }
        guard item.state.levels.isFull else { return false }
        let (wanted, least) = reading(item, feed, playhead: context.playhead).wanted
        return feed.loadedEnd >= wanted - CMTimeMultiplyByRatio(least, multiplier: 1, divisor: 2)
    }

    /// Item times at which the moving playhead alone changes anything: levels, title, duration, read-ahead.
    func moments(_ feed: ItemFeedState, _ item: QueuedItem, _ context: GaugeContext) -> [CMTime] {
        let playhead = context.playhead
        let reading = reading(item, feed, playhead: playhead)
        var times = [duration.deadline(feed), isOpen ? readAhead.deadline(reading) : nil].compactMap(\.self)
        if let title = feed.titles.first(where: { $0.time > playhead }) { times.append(title.time) }
        let gauge = gauge(feed, item, context)
        guard !gauge.isComplete, gauge.secondsAhead > 0 else { return times }
        let end = playhead + Self.time(gauge.secondsAhead)
        times.append(end)
        // A level holds as long as its mark is reached.
        if item.state.levels.isLikelyToKeepUp {
            times.append(end - Self.time(gauge.keepUpMark) + Self.passingMargin)
        }
        if item.state.levels.isFull, item.wishes.forwardBufferDuration > 0 {
            let half = CMTimeMultiplyByRatio(reading.wanted.length, multiplier: 1, divisor: 2)
            times.append(end - half + Self.passingMargin)
        }
        return times
    }

    private static func time(_ seconds: Double) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: 1_000_000_000)
    }

    /// Seconds; more for an address, whose next bytes may be late.
    private static let startLevel = 2.0
    private static let fileStartLevel = 0.5
}
