import CoreMedia

/// The last edit that gives sound of the first item again while it plays, until the outputs have answered.
struct Resends: Sendable {
    /// Sound of the first item that is taken back and given again.
    struct Resending: Equatable, Sendable {
        var feed: FeedID
        /// Item time from which the sound has changed.
        var place: CMTime
        /// Timeline time after the item's last sound in the outputs, if these cannot give it back.
        var end: CMTime
        /// Seconds between the playhead and the first new sound.
        var margin: Double
    }

    /// Enough for speakers with deep buffers, and for this machine's devices.
    static let shortMargin = 1.5
    /// Enough for every speaker, also one that plays early by its delay.
    static let longMargin = 3.5

    private var last: Resending?

    /// Takes an edit; `nil` for one that is not tried again.
    mutating func begin(_ resending: Resending?) { last = resending }

    /// Forgets the edit: it is done, or another one has come.
    mutating func forget() { last = nil }

    /// The outputs could not give the sound back in time.
    ///
    /// - Returns: The edit to try again, farther from the playhead; `nil` for none.
    mutating func retry(head: ScheduledItem?) -> Resending? {
        guard var resending = last.take(), resending.margin < Self.longMargin, head?.feed == resending.feed
        else { return nil }
        resending.margin = Self.longMargin
        return resending
    }
}
