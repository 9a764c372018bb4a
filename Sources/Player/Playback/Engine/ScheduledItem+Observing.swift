import CoreMedia
import TuttiCodecs
import TuttiMediaTime

// Learns from a feed, and reports what observers of the item want to know.
extension ScheduledItem {
    /// Learns from a state of the feed.
    ///
    /// - Parameter playhead: Item time that is heard; `nil` unless the item is the first one.
    /// - Returns: The actions that report it.
    mutating func observe(
        _ feed: ItemFeedState, _ item: inout QueuedItem, playhead: CMTime?
    ) -> [EngineAction] {
        var actions = report.observeTransfer(feed, &item)
        actions += report.observeWarnings(feed, of: item.id)
        if feed.list != nil, item.state.list == nil {
            item.state.list = feed.list
            item.noteChange()
        }
        if let playhead { actions += report.observeTitles(feed, &item, playhead: playhead) }
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

    private static func seekable(_ facts: ItemFacts, _ duration: CMTime) -> CMTimeRange? {
        guard facts.isSeekable, duration.isNumeric else { return nil }
        return CMTimeRange(start: .zero, duration: duration)
    }
}
