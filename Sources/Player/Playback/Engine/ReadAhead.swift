import CoreMedia

/// The read-ahead of one item: how far its feed is told to read, beyond the outputs' sound or as far as the
/// program wants. Times are item times.
struct ReadAhead: Sendable {
    /// The sound at one moment.
    struct View {
        let item: QueuedItem?
        let feed: ItemFeedState
        /// Whether ``feed`` belongs to the latest seek.
        let isCurrent: Bool
        /// The end of the outputs' sound.
        let given: CMTime
        let playhead: CMTime

        /// Whether the read-ahead follows the playhead.
        var isFollowing: Bool { (item?.wishes.forwardBufferDuration ?? 0) > 0 }

        /// The end of the read-ahead, and its length.
        var wanted: (end: CMTime, length: CMTime) {
            let wish = item?.wishes.forwardBufferDuration ?? 0
            guard wish > 0 else { return (given + ReadAhead.length, ReadAhead.length) }
            let length = CMTime(seconds: max(wish, ReadAhead.leastWish), preferredTimescale: 1000)
            return (playhead + length, length)
        }
    }

    /// The time up to which the feed was told to read since its last seek.
    private var told: CMTime?

    /// The feed was told to seek, and to read up to `time`.
    mutating func restart(until time: CMTime? = nil) { told = time }

    /// Returns the time up to which the feed must be told to read now; `nil` if it knows.
    mutating func next(_ view: View) -> CMTime? {
        var wanted = view.wanted.end
        if view.item?.wishes.keepsLiveStream == true, view.feed.facts?.isLive == true {
            wanted = wanted + Self.keptLiveTime
        }
        if let told {
            let known = view.isFollowing ? max(told, view.feed.loadedEnd) : told
            // A feed that is reading already is told of whole steps only.
            guard wanted > known, wanted >= told + (isReading(view) ? Self.step : .zero) else { return nil }
        }
        told = wanted
        return wanted
    }

    /// Whether a feed that follows the playhead still has something to read.
    private func isReading(_ view: View) -> Bool {
        guard view.isFollowing, view.isCurrent, let told else { return false }
        return view.feed.loadedEnd < told
    }

    /// The time of the playhead at which the read-ahead has to follow it; `nil` if it does not follow.
    func deadline(_ view: View) -> CMTime? {
        guard view.isFollowing, let told else { return nil }
        let next =
            isReading(view) ? told + Self.step : max(told, view.feed.loadedEnd) + ScheduledItem.passingMargin
        return next - view.wanted.length
    }

    /// The step in which a feed that is reading learns of more.
    private static let step = CMTime(value: 1, timescale: 2)
    /// Read-ahead beyond the outputs' sound.
    private static let length = CMTime(value: 12, timescale: 1)
    /// Read-ahead of a live stream, for a program that must not miss any of it during a pause.
    private static let keptLiveTime = CMTime(value: 600, timescale: 1)
    /// Seconds; no output starts with less.
    private static let leastWish = 2.0
}
