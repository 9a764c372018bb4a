import Codecs
import CoreMedia
import Foundation
import MediaTime
import Synchronization
import Web

/// The engine of `AVPlayerItem`: one item to play, and its state. Any thread.
package final class PlayerItem: Sendable {
    /// The item's status, as `AVPlayerItem.status`.
    package enum Status: Int, Sendable { case unknown, readyToPlay, failed }

    /// An observable property of the item.
    package enum Property: String, Sendable, CaseIterable {
        case duration, tracks, status, error, isPlaybackBufferEmpty, isPlaybackBufferFull
        case isPlaybackLikelyToKeepUp, loadedTimeRanges, seekableTimeRanges, timedMetadata
    }

    /// An event of the item, posted once per occurrence.
    package enum Notice: Sendable {
        case playedToEnd
        case failedToPlayToEnd(any Error)
        case stalled
        case timeJumped
        case transferBegan
        case transferFailed
    }

    /// A snapshot of the item's state.
    package struct State: Sendable {
        package var status = Status.unknown
        package var error: MediaError?
        package var facts: ItemFacts?
        /// Indefinite while unknown, and for live streams.
        package var duration = CMTime.indefinite
        package var levels = BufferLevels()
        /// The contiguous range of sound that was read, in item time.
        package var loaded: CMTimeRange?
        /// The range in which the player can seek, in item time.
        package var seekable: CMTimeRange?
        /// Seconds of sound read but not enqueued, and seconds enqueued and not heard.
        package var secondsInSource = 0.0
        package var secondsInOutput = 0.0
        package var stallCount = 0
        /// The stream's title for the audible sound.
        package var title: TimedTitle?
        package var transfer: MediaTransfer?
        /// The playlist behind the item's address; `nil` if the source is not a playlist.
        package var list: ItemList?
        /// Host times at which the opening began, and at which the item became ready to play.
        package var openedAt: HostTime?
        package var readyAt: HostTime?
        /// Seconds of the item that were heard.
        package var secondsPlayed = 0.0
    }

    /// Callbacks of the item, called on any thread without a lock held.
    package struct Events: Sendable {
        /// Runs the given change of these properties and notifies observers before and after it.
        package var change: @Sendable ([Property], () -> Void) -> Void = { $1() }
        /// Posts an event.
        package var post: @Sendable (Notice) -> Void = { _ in }

        package init() {}
    }

    /// The settings of the program.
    package struct Wishes: Sendable {
        /// Seconds to read ahead of the playhead; 0 leaves the choice to the route.
        package var forwardBufferDuration = 0.0
        /// Item time of the end; not numeric for the item's own end.
        package var endTime = CMTime.invalid
        package var pitch = PitchTreatment.kept
        /// Index of the file's stream to play; `nil` leaves the choice to the file.
        package var stream: Int?
        /// Whether to keep reading a live stream that is not consumed, as during a pause.
        package var keepsLiveStream = false

        var numericEnd: CMTime? { endTime.isNumeric && endTime > .zero ? endTime : nil }
    }

    private struct Inner {
        var state = State()
        var wishes = Wishes()
        var owner = WeakOwner()
        /// Item time at which the next playback begins.
        var startTime = CMTime.zero
        var line: PlaybackTimeline.Line?
        /// The public `AVPlayerItem`.
        var shape = WeakShape()
        /// A strong reference to the public object while a player has the item.
        var kept: (any AnyObject & Sendable)?
    }

    private struct WeakShape { weak var value: (any AnyObject & Sendable)? }

    private struct WeakOwner {
        weak var value: PlayerCore?
        /// Identifies the owner during its deinitialization too.
        var id: ObjectIdentifier?
    }

    private let inner = Mutex(Inner())
    private let events = Mutex(Events())
    private let titleState = Mutex(TitleState())
    /// Makes a feed of the item's source, for each playback anew.
    let makeFeed: @Sendable () -> any ItemFeed
    /// The item's time as a timebase on the host clock.
    package let timebase = CMTimebase(drivenOn: .hostTimeClock)

    /// Makes an item whose source `makeFeed` opens, for each playback anew.
    package init(makeFeed: @escaping @Sendable () -> any ItemFeed) { self.makeFeed = makeFeed }

    /// Makes an item whose source is a ``MediaFeed``.
    ///
    /// - Parameter readsArtwork: see ``MediaFeed``.
    package convenience init(
        path: String, request: WebRequest = WebRequest(), makeSource: ByteSourceMaking? = nil,
        readsArtwork: @escaping @Sendable () -> Bool = { true }
    ) {
        self.init {
            MediaFeed(path: path, request: request, makeSource: makeSource, readsArtwork: readsArtwork)
        }
    }

    func withTitleState<Result>(_ body: (inout TitleState) -> sending Result) -> sending Result {
        titleState.withLock { body(&$0) }
    }

    /// Replaces the callbacks.
    package func setEvents(_ events: Events) { self.events.withLock { $0 = events } }

    /// A snapshot of the state.
    package var state: State { inner.withLock { $0.state } }

    /// The settings of the program.
    package var wishes: Wishes { inner.withLock { $0.wishes } }

    /// Changes the program's settings and schedules a turn of the player.
    package func setWishes(_ change: (inout Wishes) -> Void) {
        let owner = inner.withLock { inner in
            change(&inner.wishes)
            return inner.owner.value
        }
        owner?.needsTurn()
    }

    /// Sets the public object of the item; keeps only a weak reference.
    package func setShape(_ shape: any AnyObject & Sendable) {
        inner.withLock { $0.shape = WeakShape(value: shape) }
    }

    /// The public `AVPlayerItem`, if it is alive.
    package var shape: (any AnyObject & Sendable)? { inner.withLock { $0.shape.value } }

    // MARK: Owner

    /// The player that has the item.
    package var owner: PlayerCore? { inner.withLock { $0.owner.value } }

    /// - Returns: `false` if the item belongs to a player already, this one included.
    func adopt(by player: PlayerCore) -> Bool {
        inner.withLock { inner in
            guard inner.owner.value == nil else { return false }
            inner.owner = WeakOwner(value: player, id: ObjectIdentifier(player))
            inner.kept = inner.shape.value
            return true
        }
    }

    /// Releases the item, unless another player has taken the item since.
    ///
    /// - Parameter place: item time at which the next playback begins.
    /// - Returns: the public object, which the caller must release without a lock held.
    func letGo(by player: PlayerCore, startingAt place: CMTime) -> (any AnyObject & Sendable)? {
        inner.withLock { inner in
            guard inner.owner.id == ObjectIdentifier(player) else { return nil }
            defer { (inner.owner, inner.kept) = (WeakOwner(), nil) }
            inner.startTime = place
            // The artwork may be large, and nobody shows it now.
            inner.state.facts?.dropArtwork()
            return inner.kept
        }
    }

    /// Fails the item for good; no further sound of the item is played.
    func fail(_ error: MediaError) {
        update { ($0.status, $0.error, $0.levels) = (.failed, error, BufferLevels()) }
    }

    /// Resets the state for a new playback.
    func beginAnew() {
        forgetTitles()
        update { state in
            (state.levels, state.loaded, state.title) = (BufferLevels(), nil, nil)
            (state.secondsInSource, state.secondsInOutput, state.secondsPlayed) = (0, 0, 0)
            (state.stallCount, state.transfer) = (0, nil)
            (state.openedAt, state.readyAt) = (nil, nil)
        }
    }

    /// Item time at which the next playback begins.
    package var startTime: CMTime {
        get { inner.withLock { $0.startTime } }
        set {
            let owner = inner.withLock { inner in
                inner.startTime = newValue
                return inner.owner.value
            }
            owner?.needsTurn()
        }
    }

    /// Changes the state and notifies observers.
    ///
    /// - Returns: whether an observable property changed.
    @discardableResult
    func update(_ change: (inout State) -> Void) -> Bool {
        let before = state
        var after = before
        change(&after)
        let changed = Self.differences(before, after)
        guard !changed.isEmpty else {
            inner.withLock { change(&$0.state) }
            return false
        }
        events.withLock { $0 }.change(changed) { inner.withLock { change(&$0.state) } }
        return true
    }

    /// Lists the changed properties in notification order.
    private static func differences(_ a: State, _ b: State) -> [Property] {
        var changed: [Property] = []
        if a.duration != b.duration { changed.append(.duration) }
        if (a.facts == nil) != (b.facts == nil) || a.facts?.info?.streamIndex != b.facts?.info?.streamIndex {
            changed.append(.tracks)
        }
        if a.seekable != b.seekable { changed.append(.seekableTimeRanges) }
        if a.loaded != b.loaded { changed.append(.loadedTimeRanges) }
        if a.levels.isEmpty != b.levels.isEmpty { changed.append(.isPlaybackBufferEmpty) }
        if a.levels.isFull != b.levels.isFull { changed.append(.isPlaybackBufferFull) }
        if a.levels.isLikelyToKeepUp != b.levels.isLikelyToKeepUp {
            changed.append(.isPlaybackLikelyToKeepUp)
        }
        if a.title != b.title { changed.append(.timedMetadata) }
        if a.status != b.status { changed += [.status, .error] }
        return changed
    }

    func post(_ notice: Notice) {
        if case .stalled = notice { inner.withLock { $0.state.stallCount += 1 } }
        events.withLock { $0 }.post(notice)
    }

    // MARK: Time

    /// Item time of the end, as set by the program or measured, whichever is earlier; indefinite while
    /// unknown.
    var end: CMTime { inner.withLock { min($0.wishes.numericEnd ?? .positiveInfinity, $0.state.duration) } }

    /// Updates the item's clock from its player's timeline; `line` is in item time.
    func lineDidChange(_ line: PlaybackTimeline.Line, isJump: Bool) {
        inner.withLock { $0.line = line }
        tellTitleLine(line, now: now)
        timebase.drive(anchorTime: line.time, at: line.host, rate: line.rate, isJump: isJump)
    }

    /// Stops the item's clock, because the item is no longer audible.
    func stopLine(at now: HostTime) {
        tellTitleLine(nil, now: now)
        let line = inner.withLock { inner in
            defer { inner.line = nil }
            return inner.line
        }
        guard let line, line.rate != 0 else { return }
        timebase.drive(anchorTime: line.time(at: now), at: now, rate: 0, isJump: false)
    }
}
