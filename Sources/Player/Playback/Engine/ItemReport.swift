import CoreMedia
import TuttiCodecs
import TuttiMediaTime

/// The facts of an item's source that observers have been told.
struct ItemReport: Sendable {
    /// When observers were last notified of the loaded range.
    var loadedAt: HostTime?
    /// When the loaded range became void, as by a seek, though observers know one.
    private var voidAt: HostTime?
    /// Revision and failure count of the transfer log.
    private var revision = -1
    private var failures = 0
    /// Number of the source's warnings.
    private var warnings = 0
    /// Number of titles, and the time of the last one.
    private var titles = 0
    private var lastTitle: CMTime?

    /// Compares the loaded range with the one that observers know.
    mutating func compare(_ range: CMTimeRange?, told: CMTimeRange?, at now: HostTime) {
        voidAt = range == nil && told != nil ? voidAt ?? now : nil
    }

    /// When `range` may be told: not too often, and a void one only if it stays void.
    func rangeTime(_ range: CMTimeRange?) -> HostTime? {
        (range == nil ? voidAt : loadedAt)?.advanced(by: Self.loadedInterval)
    }

    private static let loadedInterval = Duration.milliseconds(250)

    // MARK: News of the feed

    /// Reports new requests and failed requests.
    mutating func observeTransfer(_ feed: ItemFeedState, _ item: inout QueuedItem) -> [EngineAction] {
        guard let transfer = feed.transfer, transfer.log.revision != revision else { return [] }
        let isFirst = revision < 0
        revision = transfer.log.revision
        item.state.transfer = transfer
        item.noteChange()
        var actions: [EngineAction] = isFirst ? [.post(item.id, .transferBegan)] : []
        let failures = transfer.log.totals.failureCount
        if failures > self.failures {
            self.failures = failures
            actions.append(.post(item.id, .transferFailed))
        }
        return actions
    }

    /// Reports new warnings of an item's source.
    mutating func observeWarnings(_ feed: ItemFeedState, of item: ItemID) -> [EngineAction] {
        let (told, count) = (warnings, feed.warnings.count)
        guard told != count else { return [] }
        warnings = count
        // A lower count means that the source was reopened.
        return feed.warnings.dropFirst(told < count ? told : 0).map { .warn(item, $0) }
    }

    /// Publishes the title that is audible now.
    mutating func observeTitles(
        _ feed: ItemFeedState, _ item: inout QueuedItem, playhead: CMTime
    ) -> [EngineAction] {
        let title = feed.titles.last { $0.time <= playhead }?.title
        let isOther = title != nil && title != item.state.title
        if isOther { item.set(\.title, title) }
        let isNew = (titles, lastTitle) != (feed.titles.count, feed.titles.last?.time)
        guard isOther || isNew else { return [] }
        (titles, lastTitle) = (feed.titles.count, feed.titles.last?.time)
        return [.showTitles(item.id, feed.titles.map { ($0.time, $0.title) })]
    }
}
