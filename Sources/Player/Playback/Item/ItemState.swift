import CoreMedia
import TuttiCodecs
import TuttiMediaTime

/// Identifies an item of a player, whatever players have the item.
package struct ItemID: Hashable, Sendable {
    let value: Int
}

/// The status of an item, as `AVPlayerItem.status`.
package enum ItemStatus: Int, Sendable {
    /// A case of `AVPlayerItem.Status`, by its name.
    case unknown, readyToPlay, failed
}

/// A snapshot of an item's state.
package struct ItemState: Sendable {
    /// Whether the item can play.
    package var status = ItemStatus.unknown
    /// The error if ``status`` is `failed`.
    package var error: MediaError?
    /// The properties of the source, once it is open.
    package var facts: ItemFacts?
    /// Indefinite while unknown, and for live streams.
    package var duration = CMTime.indefinite
    /// The buffer levels that observers see.
    package var levels = BufferLevels()
    /// The contiguous range of sound that was read, in item time.
    package var loaded: CMTimeRange?
    /// The range in which the player can seek, in item time.
    package var seekable: CMTimeRange?
    /// Seconds in the source, in the outputs and heard.
    package var figures = ItemFigures()
    /// Number of underruns in this playback.
    package var stallCount = 0
    /// The stream's title for the audible sound.
    package var title: TimedTitle?
    /// The transfer of the bytes; `nil` for files.
    package var transfer: MediaTransfer?
    /// The playlist behind the item's address; `nil` if the source is not a playlist.
    package var list: ItemList?
    /// Host time at which the opening began.
    package var openedAt: HostTime?
    /// Host time at which the item became ready to play.
    package var readyAt: HostTime?

    /// Seconds of sound enqueued and not heard, and of sound read but not enqueued.
    package var secondsAtHand: (inOutputs: Double, inSource: Double) { (figures.inOutput, figures.inSource) }
    /// Seconds of the item that were heard.
    package var secondsPlayed: Double { figures.played }

    /// Resets what belongs to one playback.
    mutating func beginAnew() {
        (levels, loaded, title, figures) = (BufferLevels(), nil, nil, ItemFigures())
        (stallCount, transfer, openedAt, readyAt) = (0, nil, nil, nil)
    }

    /// Fails the item for good.
    mutating func fail(_ error: MediaError) {
        (status, self.error, levels) = (.failed, error, BufferLevels())
    }
}

/// Seconds of an item in its source, in the outputs and heard, for a playhead at ``playhead``.
package struct ItemFigures: Equatable, Sendable {
    var playhead = CMTime.zero
    var inSource = 0.0
    var inOutput = 0.0
    var played = 0.0

    /// Whether all seconds differ by less than one thousandth.
    func isClose(to other: ItemFigures) -> Bool {
        abs(inSource - other.inSource) + abs(inOutput - other.inOutput) + abs(played - other.played) < 1e-3
    }

    /// Returns the figures at a later playhead of the same run.
    func advanced(to time: CMTime) -> ItemFigures {
        let passed = min(max(0, (time - playhead).seconds), inOutput)
        guard passed > 0 else { return self }
        return ItemFigures(
            playhead: time, inSource: inSource, inOutput: inOutput - passed, played: played + passed)
    }
}

/// The settings of the program for an item.
package struct ItemWishes: Sendable {
    /// Seconds to read ahead of the playhead; 0 leaves the choice to the route.
    package var forwardBufferDuration = 0.0
    /// Item time of the end; not numeric for the item's own end.
    package var endTime = CMTime.invalid
    /// Pitch treatment at rates other than 1.
    package var pitch = PitchTreatment.kept
    /// Index of the file's stream to play; `nil` leaves the choice to the file.
    package var stream: Int?
    /// The volumes of the item's tracks.
    package var mix = ItemMix()
    /// The next item, whose beginning sounds with this item's end; `nil` for none.
    package var crossfade: Crossfade?
    /// Whether to keep reading a live stream that is not consumed, as during a pause.
    package var keepsLiveStream = false

    var numericEnd: CMTime? { endTime.isNumeric && endTime > .zero ? endTime : nil }
}

/// An event of an item, posted once per occurrence.
package enum ItemNotice: Sendable {
    /// The item was heard to its end.
    case playedToEnd
    /// The item failed before its end.
    case failedToPlayToEnd(any Error)
    /// The sound at hand ran out before the end.
    case stalled
    /// A seek was carried out.
    case timeJumped
    /// The source was asked for its first bytes.
    case transferBegan
    /// A request to the source failed.
    case transferFailed
}

/// An item in a player's queue.
struct QueuedItem: Sendable {
    let id: ItemID
    /// The state to publish. Observers see it once the driver has carried out ``EngineAction/publish``.
    @Boxed var state = ItemState()
    var wishes = ItemWishes()
    /// Item time at which the next playback begins.
    var startTime = CMTime.zero
    /// The change of ``state`` since it was last published.
    var change = Change.none

    enum Change { case none, unordered, ordered }

    var hasFailed: Bool { state.status == .failed }

    /// Item time of the first audible sample.
    var place: CMTime { max(.zero, startTime) }

    /// Item time of the end, as set by the program or measured, whichever is earlier; indefinite while
    /// unknown.
    var end: CMTime { min(wishes.numericEnd ?? .positiveInfinity, state.duration) }

    /// Sets a part of the state, and notes the change if the part is another one.
    ///
    /// - Parameter isOrdered: Whether observers must see it before what follows.
    mutating func set<Value: Equatable>(
        _ part: WritableKeyPath<ItemState, Value>, _ value: Value, isOrdered: Bool = true
    ) {
        guard state[keyPath: part] != value else { return }
        state[keyPath: part] = value
        if isOrdered { change = .ordered } else { noteChange() }
    }

    /// Notes a change that may be published later.
    mutating func noteChange() { if change == .none { change = .unordered } }
}
