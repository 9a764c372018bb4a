import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// Learns from a feed, and reports what observers of the item want to know.
extension ScheduledItem {
    /// Learns from a state of the feed.
    ///
    /// - Parameter playhead: item time that is heard; `nil` unless the item is the first one.
    /// - Returns: the actions that report it.
    mutating func observe(
        _ feed: ItemFeedState, _ item: inout QueuedItem, playhead: CMTime?
    ) -> [EngineAction] {
        var actions = observeTransfer(feed, &item)
        actions += reportWarnings(feed)
        if feed.list != nil, item.state.list == nil {
            item.state.list = feed.list
            item.noteChange()
        }
        if let playhead { actions += observeTitles(feed, &item, playhead: playhead) }
        guard let facts = feed.facts else { return actions }
        sourceOpened()
        duration.measure(facts, feed, playhead: playhead)
        if item.state.facts == nil || item.state.facts?.info?.streamIndex != facts.info?.streamIndex {
            item.state.facts = facts
            item.change = .ordered
        }
        let duration = duration.value(facts)
        item.set(\.duration, duration)
        item.set(\.seekable, Self.seekable(facts, duration))
        return actions
    }

    /// Reports new requests and failed requests.
    private mutating func observeTransfer(
        _ feed: ItemFeedState, _ item: inout QueuedItem
    ) -> [EngineAction] {
        guard let transfer = feed.transfer, transfer.log.revision != report.revision else { return [] }
        let isFirst = report.revision < 0
        report.revision = transfer.log.revision
        item.state.transfer = transfer
        item.noteChange()
        var actions: [EngineAction] = isFirst ? [.post(self.item, .transferBegan)] : []
        let failures = transfer.log.totals.failureCount
        if failures > report.failures {
            report.failures = failures
            actions.append(.post(self.item, .transferFailed))
        }
        return actions
    }

    private mutating func reportWarnings(_ feed: ItemFeedState) -> [EngineAction] {
        let (told, count) = (report.warnings, feed.warnings.count)
        guard told != count else { return [] }
        report.warnings = count
        // A lower count means that the source was reopened.
        return feed.warnings.dropFirst(told < count ? told : 0).map { .warn(item, $0) }
    }

    /// Publishes the title that is audible now.
    private mutating func observeTitles(
        _ feed: ItemFeedState, _ item: inout QueuedItem, playhead: CMTime
    ) -> [EngineAction] {
        let title = feed.titles.last { $0.time <= playhead }?.title
        let isOther = title != nil && title != item.state.title
        if isOther { item.set(\.title, title) }
        let isNew = (report.titles, report.lastTitle) != (feed.titles.count, feed.titles.last?.time)
        guard isOther || isNew else { return [] }
        (report.titles, report.lastTitle) = (feed.titles.count, feed.titles.last?.time)
        return [.showTitles(self.item, feed.titles.map { ($0.time, $0.title) })]
    }

    private static func seekable(_ facts: ItemFacts, _ duration: CMTime) -> CMTimeRange? {
        guard facts.isSeekable, duration.isNumeric else { return nil }
        return CMTimeRange(start: .zero, duration: duration)
    }
}
