import Codecs
import CoreMedia
import Foundation
import MediaTime
import Synchronization
import Web

/// One thing to play, as its player tells of it. Any thread.
package final class PlayerItem: Sendable {
    package enum Status: Int, Sendable { case unknown, readyToPlay, failed }

    /// What can be observed.
    package enum Property: String, Sendable, CaseIterable {
        case duration, tracks, status, error, isPlaybackBufferEmpty, isPlaybackBufferFull
        case isPlaybackLikelyToKeepUp, loadedTimeRanges, seekableTimeRanges, timedMetadata
    }

    /// What is posted, once each time.
    package enum Notice: Sendable {
        case playedToEnd
        case failedToPlayToEnd(any Error)
        case stalled
        case timeJumped
        case transferBegan
        case transferFailed
    }

    package struct State: Sendable {
        package var status = Status.unknown
        package var error: MediaError?
        package var facts: ItemFacts?
        package var duration = CMTime.indefinite
        package var levels = BufferLevels()
        package var loaded: CMTimeRange?
        package var seekable: CMTimeRange?
        /// Seconds at hand that the outputs do not have yet, and those that they have.
        package var secondsInSource = 0.0
        package var secondsInOutput = 0.0
        package var stallCount = 0
        /// What the stream says that is heard now.
        package var title: TimedTitle?
        package var transfer: MediaTransfer?
        /// Where the source turned out to be a list.
        package var list: ItemList?
        /// When the item began to be opened, and when it could be played.
        package var openedAt: HostTime?
        package var readyAt: HostTime?
        /// Seconds of it that were heard.
        package var secondsPlayed = 0.0
    }

    package struct Events: Sendable {
        /// Runs the change of these properties that it is given, and tells observers around it.
        package var change: @Sendable ([Property], () -> Void) -> Void = { $1() }
        package var post: @Sendable (Notice) -> Void = { _ in }

        package init() {}
    }

    /// What the program may set.
    package struct Wishes: Sendable {
        /// Seconds; 0 leaves it to the route.
        package var forwardBufferDuration = 0.0
        /// The item ends there; not numeric at its own end.
        package var endTime = CMTime.invalid
        package var pitch = PitchTreatment.kept
        /// The index of the file's stream that is heard; `nil` leaves it to the file.
        package var stream: Int?
        /// Whether a live stream is read on while it is not consumed, as during a pause.
        package var keepsLiveStream = false

        var numericEnd: CMTime? { endTime.isNumeric && endTime > .zero ? endTime : nil }
    }

    private struct Inner {
        var state = State()
        var wishes = Wishes()
        var owner = WeakOwner()
        /// Where it begins when it is not played yet.
        var startTime = CMTime.zero
        var line: PlaybackTimeline.Line?
        /// The object that a program knows it by.
        var shape = WeakShape()
        /// While a player has the item, that object lives on.
        var kept: (any AnyObject & Sendable)?
    }

    private struct WeakShape { weak var value: (any AnyObject & Sendable)? }

    private struct WeakOwner {
        weak var value: PlayerCore?
        /// Says who it is even while the owner goes away.
        var id: ObjectIdentifier?
    }

    private let inner = Mutex(Inner())
    private let events = Mutex(Events())
    private let titleState = Mutex(TitleState())
    /// Opens the item's source; for each playing anew.
    let makeFeed: @Sendable () -> any ItemFeed
    package let timebase = CMTimebase(drivenOn: .hostTimeClock)

    package init(makeFeed: @escaping @Sendable () -> any ItemFeed) { self.makeFeed = makeFeed }

    /// - Parameter readsArtwork: as in ``MediaFeed``.
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

    package func setEvents(_ events: Events) { self.events.withLock { $0 = events } }

    package var state: State { inner.withLock { $0.state } }

    package var wishes: Wishes { inner.withLock { $0.wishes } }

    package func setWishes(_ change: (inout Wishes) -> Void) {
        let owner = inner.withLock { inner in
            change(&inner.wishes)
            return inner.owner.value
        }
        owner?.needsTurn()
    }

    package func setShape(_ shape: any AnyObject & Sendable) {
        inner.withLock { $0.shape = WeakShape(value: shape) }
    }

    package var shape: (any AnyObject & Sendable)? { inner.withLock { $0.shape.value } }

    // MARK: Its player

    package var owner: PlayerCore? { inner.withLock { $0.owner.value } }

    /// - Returns: `false` if it belongs to another player, or stands in this one's queue already.
    func adopt(by player: PlayerCore) -> Bool {
        inner.withLock { inner in
            guard inner.owner.value == nil else { return false }
            inner.owner = WeakOwner(value: player, id: ObjectIdentifier(player))
            inner.kept = inner.shape.value
            return true
        }
    }

    /// Belongs to nobody any more, unless another player has taken it since.
    ///
    /// - Parameter place: where it begins when it is played again.
    /// - Returns: the object that it is known by, to be released where no lock is held.
    func letGo(by player: PlayerCore, startingAt place: CMTime) -> (any AnyObject & Sendable)? {
        inner.withLock { inner in
            guard inner.owner.id == ObjectIdentifier(player) else { return nil }
            defer { (inner.owner, inner.kept) = (WeakOwner(), nil) }
            inner.startTime = place
            // The picture may be large, and nobody shows it now.
            inner.state.facts?.dropArtwork()
            return inner.kept
        }
    }

    /// For good: nothing of it will be heard, whatever is at hand.
    func fail(_ error: MediaError) {
        update { ($0.status, $0.error, $0.levels) = (.failed, error, BufferLevels()) }
    }

    /// It is opened anew: nothing is at hand.
    func beginAnew() {
        forgetTitles()
        update { state in
            (state.levels, state.loaded, state.title) = (BufferLevels(), nil, nil)
            (state.secondsInSource, state.secondsInOutput, state.secondsPlayed) = (0, 0, 0)
            (state.stallCount, state.transfer) = (0, nil)
            (state.openedAt, state.readyAt) = (nil, nil)
        }
    }

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

    /// - Returns: whether it was a change.
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

    /// In the order in which they are told.
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

    /// Where it ends: where the program wants it to, or its own end; indefinite while nobody knows.
    var end: CMTime { inner.withLock { min($0.wishes.numericEnd ?? .positiveInfinity, $0.state.duration) } }

    /// The item's time, and how it runs; as its player's timeline has it.
    func lineDidChange(_ line: PlaybackTimeline.Line, isJump: Bool) {
        inner.withLock { $0.line = line }
        tellTitleLine(line, now: now)
        timebase.drive(anchorTime: line.time, at: line.host, rate: line.rate, isJump: isJump)
    }

    /// It is heard no more.
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
