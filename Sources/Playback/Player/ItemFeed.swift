import Codecs
import CoreMedia

/// Where the sound of one item comes from, ahead of what is played. Times are the item's own.
///
/// Any thread; no call waits.
package protocol ItemFeed: AnyObject, Sendable {
    /// Begins to read; `changed` is called on any thread whenever ``state`` has.
    func start(changed: @escaping @Sendable () -> Void)

    var state: ItemFeedState { get }

    /// Sound is wanted up to this time; none is read beyond it.
    func read(until time: CMTime)

    /// The next buffer in order, its presentation times being the item's; `nil` while none is there.
    func take() -> CMSampleBuffer?

    /// Goes on with the sound at `time`: what was read and not taken is dropped.
    func seek(to time: CMTime)

    /// Chooses the file's stream that is read; `nil` leaves it to the file. Takes effect with the next opening, or the next
    /// seek.
    func select(stream: Int?)

    /// Ends reading; no call of `changed` begins after it.
    func close()
}

extension ItemFeed {
    package func select(stream: Int?) {}
}

/// How far the reading of an item is.
package struct ItemFeedState: Sendable {
    /// `nil` until the source is open.
    package var facts: ItemFacts?
    /// Why there will be no more.
    package var error: MediaError?
    /// Counts seeks; what is below is of the last one.
    package var seekCount = 0
    /// What was read since, taken or not, is in one piece from here ...
    package var loadedStart = CMTime.zero
    /// ... to here.
    package var loadedEnd = CMTime.zero
    /// All up to the item's end was read: ``loadedEnd`` is the end.
    package var isAtEnd = false
    /// Buffers that were read and not taken.
    package var waitingCount = 0
    /// Nothing is read because as much as was wanted, or as may be held, is there.
    package var isResting = false
    package var fillRate: Double?
    /// What was odd about the source so far.
    package var warnings: [MediaWarning] = []
    /// What a live stream says that it plays, by the item time from which on it does; the latest few.
    package var titles: [(time: CMTime, title: TimedTitle)] = []
    /// How the bytes come; `nil` for files.
    package var transfer: MediaTransfer?
    /// Where the source turned out to be a list.
    package var list: ItemList?

    package init() {}

    package var hasSound: Bool { loadedEnd > loadedStart || isAtEnd }
}

/// A list in the place of sound: an item plays its first entry that can be opened.
package struct ItemList: Sendable {
    package var entries: [PlaylistFile.Entry]
    /// Why the first ones cannot be played.
    package var failures: [MediaError]

    package init(entries: [PlaylistFile.Entry], failures: [MediaError] = []) {
        (self.entries, self.failures) = (entries, failures)
    }
}

/// What is known of an item once its source is open.
package struct ItemFacts: Sendable {
    /// `nil` only where a test stands for the source.
    package var info: MediaInfo?
    /// Indefinite for a live stream, and where nobody knows.
    package var duration: CMTime
    /// It is longer or shorter than ``duration`` for all that is known.
    var isDurationGuessed = false
    /// Whether any time can be sought, or only what is at hand.
    package var isSeekable: Bool
    /// Sound that comes as it is made.
    package var isLive: Bool
    /// Behind an address, not in a file.
    package var isRemote: Bool

    mutating func dropArtwork() { info = info?.withoutArtwork }

    /// Sound that comes as it is made is heard as fast as it comes.
    var onlyRate: Float? { isLive ? 1 : nil }

    package init(duration: CMTime, isSeekable: Bool, isRemote: Bool) {
        (self.duration, self.isSeekable, self.isRemote) = (duration, isSeekable, isRemote)
        isLive = !duration.isNumeric
    }

    package init(info: MediaInfo, isRemote: Bool) {
        self.info = info
        self.isRemote = isRemote
        let scale = CMTimeScale(info.sampleRate.hertz)
        isDurationGuessed = info.isFrameCountGuessed
        duration = info.frameCount.map { CMTime(value: $0, timescale: scale) } ?? .indefinite
        (isSeekable, isLive) = (info.isSeekable && !info.isLive, info.isLive)
    }
}
