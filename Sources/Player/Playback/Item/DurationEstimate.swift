import CoreMedia

/// The duration of an item: measured at the end of its source, or estimated until then.
struct DurationEstimate: Sendable {
    private var measured: CMTime?
    /// Lower bound while the source can only estimate the duration: it grows with the sound read.
    private var least: CMTime?

    init(measured: CMTime? = nil) { self.measured = measured }

    /// Forgets the measurement, because another stream is read.
    mutating func restart() { measured = nil }

    /// Whether the duration is only an estimate.
    func isGuessed(_ feed: ItemFeedState) -> Bool {
        measured == nil && feed.facts?.isDurationGuessed == true
    }

    /// The duration to report for a source with these facts.
    func value(_ facts: ItemFacts) -> CMTime { measured ?? estimate(facts) }

    private func estimate(_ facts: ItemFacts) -> CMTime { max(facts.duration, least ?? .zero) }

    /// Limits a seek target to the item's end. Behind an estimated end there may be more sound.
    func reachable(_ target: CMTime, _ feed: ItemFeedState) -> CMTime {
        guard let duration = measured ?? feed.facts?.duration, duration.isNumeric,
            !isGuessed(feed) || !target.isNumeric
        else { return target }
        return min(target, duration)
    }

    /// Measures the duration at the end of the file, unless a seek went beyond the end and read nothing.
    mutating func measure(_ facts: ItemFacts, _ feed: ItemFeedState, playhead: CMTime?) {
        let isRead = feed.loadedEnd > feed.loadedStart
        if feed.isAtEnd, feed.loadedStart == .zero || isRead { measured = feed.loadedEnd }
        guard isRead, isGuessed(feed) else { return }
        let told = estimate(facts)
        let isDue = playhead.map { $0 + Self.step >= told } ?? false
        if feed.loadedEnd > told, isDue || feed.loadedEnd - told > Self.step { least = feed.loadedEnd }
    }

    /// Item time of the playhead at which the estimate has to grow; `nil` if none.
    func deadline(_ feed: ItemFeedState) -> CMTime? {
        guard let facts = feed.facts, isGuessed(feed) else { return nil }
        let told = estimate(facts)
        return feed.loadedEnd > told ? told - Self.step : nil
    }

    /// The step in which an estimate grows.
    private static let step = CMTime(value: 5, timescale: 1)
}
