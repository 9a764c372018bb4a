import CoreMedia
import TuttiCodecs
import TuttiMediaTime

/// The source of one item's sound, read ahead of playback. Times are item times.
///
/// Any thread; no call blocks.
package protocol ItemFeed: AnyObject, Sendable {
    /// Begins to read. Calls `changed` on any thread after each change of ``state``.
    func start(changed: @escaping @Sendable () -> Void)

    /// A snapshot of the reading.
    var state: ItemFeedState { get }

    /// Requests sound up to `time`; the feed reads no further.
    func read(until time: CMTime)

    /// Removes and returns the next buffer, with presentation times in item time; `nil` while none is ready.
    func take() -> CMSampleBuffer?

    /// Continues at `time`. Drops buffers that were read but not taken.
    func seek(to time: CMTime)

    /// Chooses what to read. Takes effect at the next opening or seek.
    func select(_ selection: FeedSelection)

    /// Ends reading. No call of `changed` begins afterwards.
    func close()
}

extension ItemFeed {
    /// Does nothing: the source has one stream.
    package func select(_ selection: FeedSelection) {}
}

/// The sound that a feed reads.
package struct FeedSelection: Hashable, Sendable {
    /// Index of the file's stream; `nil` leaves the choice to the file.
    package var stream: Int?
    /// The crossfade at the item's end; `nil` for none.
    package var crossfade: Crossfade?
    /// The item's own volumes, which a crossfade applies.
    package var mix = ItemMix()

    /// Makes the choice of one stream.
    package init(stream: Int? = nil) { self.stream = stream }
}

/// A snapshot of an item's reading.
package struct ItemFeedState: Sendable {
    /// `nil` until the source is open.
    package var facts: ItemFacts?
    /// The error that ended reading.
    package var error: MediaError?
    /// The seek generation; the members below belong to the latest seek.
    package var seekCount = 0
    /// Start of the contiguous range read since that seek, taken or not.
    package var loadedStart = CMTime.zero
    /// End of that range.
    package var loadedEnd = CMTime.zero
    /// Reading reached the item's end, which is ``loadedEnd``.
    package var isAtEnd = false
    /// The crossfade at the item's end, once it was read.
    package var crossfaded: Crossfade?
    /// Number of buffers read but not taken.
    package var waitingCount = 0
    /// Reading pauses: no further sound is wanted, or the byte limit is reached.
    package var isResting = false
    /// Seconds of sound received per second of the present transfer; `nil` while unknown.
    package var fillRate: Double?
    /// Seconds of the longest wait for a piece of sound in ``fillRate``.
    package var longestWait = 0.0
    /// Host time of the last sound, or of the beginning of its reading, while more is awaited; `nil` while reading pauses.
    package var awaitedSince: HostTime?
    /// Oddities of the source met so far.
    package var warnings: [MediaWarning] = []
    /// The latest titles of a live stream, each with the item time at which the title begins.
    package var titles: [(time: CMTime, title: TimedTitle)] = []
    /// The transfer of the bytes; `nil` for files.
    package var transfer: MediaTransfer?
    /// The playlist behind the item's address; `nil` if the source is not a playlist.
    package var list: ItemList?

    /// Makes the state of a feed that has not begun.
    package init() {}

    /// Whether any sound of the latest seek was read, or the end reached.
    package var hasSound: Bool { loadedEnd > loadedStart || isAtEnd }
}

/// A playlist instead of sound: the item plays the first entry that opens.
package struct ItemList: Sendable {
    /// The playlist's entries, in order.
    package var entries: [PlaylistFile.Entry]
    /// Errors of the leading entries, which cannot be played.
    package var failures: [MediaError]

    /// Makes a playlist with the errors of its leading entries.
    package init(entries: [PlaylistFile.Entry], failures: [MediaError] = []) {
        (self.entries, self.failures) = (entries, failures)
    }
}

/// Properties of an item, known once its source is open.
package struct ItemFacts: Sendable {
    /// `nil` only in tests.
    package var info: MediaInfo?
    /// Indefinite for a live stream, and if unknown.
    package var duration: CMTime
    /// Whether ``duration`` is only an estimate.
    var isDurationGuessed = false
    /// Whether the player can seek to any time, or only within the sound at hand.
    package var isSeekable: Bool
    /// Whether the source is a live stream.
    package var isLive: Bool
    /// Whether the source is an address and not a file.
    package var isRemote: Bool

    mutating func dropArtwork() { info = info?.withoutArtwork }

    /// The only rate of a live stream, which arrives in real time; `nil` for any rate.
    var onlyRate: Float? { isLive ? 1 : nil }

    /// Makes properties without ``info``; an indefinite duration makes a live stream.
    package init(duration: CMTime, isSeekable: Bool, isRemote: Bool) {
        (self.duration, self.isSeekable, self.isRemote) = (duration, isSeekable, isRemote)
        isLive = !duration.isNumeric
    }

    /// Takes the properties of an opened source.
    package init(info: MediaInfo, isRemote: Bool) {
        self.info = info
        self.isRemote = isRemote
        let scale = CMTimeScale(info.sampleRate.hertz)
        isDurationGuessed = info.isFrameCountGuessed
        duration = info.wholeFrameCount.map { CMTime(value: $0, timescale: scale) } ?? .indefinite
        (isSeekable, isLive) = (info.isSeekable && !info.isLive, info.isLive)
    }
}
