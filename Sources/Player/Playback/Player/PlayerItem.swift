import CoreMedia
import Foundation
import Synchronization
import TuttiCodecs
import TuttiMediaTime
import TuttiSystemIO
import TuttiWeb

/// The player that has an item. Any thread.
package protocol PlayerItemOwner: AnyObject, Sendable {
    /// The current host time on the player's clock.
    var now: HostTime { get }
    /// The first item of the queue.
    var currentItem: PlayerItem? { get }
    /// The audible time of the current item.
    var currentTime: CMTime { get }
    /// The program has changed an item's settings or its start time.
    func settingsChanged(of item: PlayerItem)
    /// Seeks if `item` is the current item; `nil` stands for the current item.
    ///
    /// - Returns: `false`, and nothing happens, if `item` is not the current item.
    func seek(to time: CMTime, of item: PlayerItem?, completion: @escaping @Sendable (Bool) -> Void) -> Bool
    /// Completes the pending seek with `false`.
    func cancelPendingSeeks()
}

/// The engine of `AVPlayerItem`: one item to play, and its state. Any thread.
package final class PlayerItem: Sendable {
    /// The status, as `AVPlayerItem.status`.
    package typealias Status = ItemStatus
    /// An event, posted once per occurrence.
    package typealias Notice = ItemNotice
    /// A snapshot of the item's state.
    package typealias State = ItemState
    /// The settings of the program.
    package typealias Wishes = ItemWishes

    /// An observable property of the item.
    package enum Property: String, Sendable, CaseIterable {
        /// A property of `AVPlayerItem`, by its name.
        case duration, tracks, status, error, isPlaybackBufferEmpty, isPlaybackBufferFull
        /// A property of `AVPlayerItem`, by its name.
        case isPlaybackLikelyToKeepUp, loadedTimeRanges, seekableTimeRanges, timedMetadata, presentationSize
    }

    /// Callbacks of the item, called on any thread without a lock held.
    package struct Events: Sendable {
        /// Runs the given change of these properties and notifies observers before and after it.
        package var change: @Sendable ([Property], () -> Void) -> Void = { $1() }
        /// Posts an event.
        package var post: @Sendable (Notice) -> Void = { _ in }

        /// Makes callbacks that do nothing.
        package init() {}
    }

    private struct Inner {
        var state = State()
        var wishes = Wishes()
        var owner = WeakOwner()
        /// Item time at which the next playback begins.
        var startTime = CMTime.zero
        var line: PresentationLine?
        /// The public `AVPlayerItem`.
        var facade = WeakFacade()
        /// A strong reference to the public object while a player has the item.
        var kept: (any AnyObject & Sendable)?
    }

    private struct WeakFacade { weak var value: (any AnyObject & Sendable)? }

    private struct WeakOwner {
        weak var value: (any PlayerItemOwner)?
        /// Identifies the owner during its deinitialization too.
        var id: ObjectIdentifier?
    }

    private static let lastID = Atomic(0)

    /// Identifies the item to the players' engines.
    let id = ItemID(value: PlayerItem.lastID.wrappingAdd(1, ordering: .relaxed).newValue)
    private let inner = Mutex(Inner())
    private let events = Mutex(Events())
    private let titleState = Mutex(TitleState())
    /// Makes a new feed of the item's source for each playback.
    let makeFeed: @Sendable () -> any ItemFeed
    /// The path or address of the source; `nil` if the item was made with feeds.
    package let path: String?
    /// The item's time as a timebase on the host clock.
    package let timebase = CMTimebase(drivenOn: .hostTimeClock)

    /// The time of an item without a player.
    let clock: any HostClock

    /// Makes an item whose source `makeFeed` opens again for each playback.
    ///
    /// - Parameter machine: Time, until a player has the item.
    package convenience init(machine: any Machine, makeFeed: @escaping @Sendable () -> any ItemFeed) {
        self.init(path: nil, clock: machine, makeFeed: makeFeed)
    }

    private init(path: String?, clock: any HostClock, makeFeed: @escaping @Sendable () -> any ItemFeed) {
        (self.path, self.makeFeed) = (path, makeFeed)
        self.clock = clock
    }

    /// Makes an item whose source is a ``MediaFeed``.
    ///
    /// The parameters are those of ``MediaFeed``.
    package convenience init(
        path: String, engine: WebEngine, request: WebRequest = WebRequest(),
        makeSource: ByteSourceMaking? = nil, readsArtwork: @escaping @Sendable () -> Bool = { true },
        machine: any Machine
    ) {
        self.init(path: path, clock: machine) {
            MediaFeed(
                path: path, engine: engine, request: request, makeSource: makeSource,
                readsArtwork: readsArtwork, machine: machine)
        }
    }

    func withTitleState<Result>(_ body: (inout TitleState) -> sending Result) -> sending Result {
        titleState.withLock { body(&$0) }
    }

    /// Replaces the callbacks.
    package func setEvents(_ events: Events) { self.events.withLock { $0 = events } }

    /// A snapshot of the state. The figures follow the playhead.
    package var state: State {
        let now = now
        return inner.withLock { inner in
            var state = inner.state
            if let line = inner.line, line.rate != 0 {
                state.figures = state.figures.advanced(to: line.time(at: now))
            }
            return state
        }
    }

    /// The item as a player's queue takes it.
    var queued: QueuedItem {
        inner.withLock { inner in
            QueuedItem(id: id, state: inner.state, wishes: inner.wishes, startTime: inner.startTime)
        }
    }

    /// The settings of the program.
    package var wishes: Wishes { inner.withLock { $0.wishes } }

    /// Changes the program's settings and informs the player.
    package func setWishes(_ change: (inout Wishes) -> Void) {
        let owner = inner.withLock { inner in
            change(&inner.wishes)
            return inner.owner.value
        }
        owner?.settingsChanged(of: self)
    }

    /// Sets the public object of the item; keeps only a weak reference.
    package func setFacade(_ facade: any AnyObject & Sendable) {
        inner.withLock { $0.facade = WeakFacade(value: facade) }
    }

    /// The public `AVPlayerItem`, if it is alive.
    package var facade: (any AnyObject & Sendable)? { inner.withLock { $0.facade.value } }

    // MARK: Owner

    /// The player that has the item.
    package var owner: (any PlayerItemOwner)? { inner.withLock { $0.owner.value } }

    /// Whether `player` has the item. Takes no reference to another player.
    func isOwned(by player: any PlayerItemOwner) -> Bool {
        inner.withLock { $0.owner.id == ObjectIdentifier(player) }
    }

    /// - Returns: `false` if the item belongs to a player already, this one included.
    func adopt(by player: any PlayerItemOwner) -> Bool {
        inner.withLock { inner in
            guard inner.owner.value == nil else { return false }
            inner.owner = WeakOwner(value: player, id: ObjectIdentifier(player))
            inner.kept = inner.facade.value
            return true
        }
    }

    /// Releases the item, unless another player has taken the item since.
    ///
    /// - Parameter place: Item time at which the next playback begins.
    /// - Returns: The public object, which the caller must release without a lock held.
    func letGo(by player: any PlayerItemOwner, startingAt place: CMTime) -> (any AnyObject & Sendable)? {
        inner.withLock { inner in
            guard inner.owner.id == ObjectIdentifier(player) else { return nil }
            defer { (inner.owner, inner.kept) = (WeakOwner(), nil) }
            inner.startTime = place
            // The artwork may be large, and nobody shows it now.
            inner.state.facts?.dropArtwork()
            return inner.kept
        }
    }

    /// Resets the state for a new playback.
    func beginAnew() {
        forgetTitles()
        var state = inner.withLock { $0.state }
        state.beginAnew()
        publish(state)
    }

    /// Item time at which the next playback begins.
    package var startTime: CMTime {
        get { inner.withLock { $0.startTime } }
        set {
            let owner = inner.withLock { inner in
                inner.startTime = newValue
                return inner.owner.value
            }
            owner?.settingsChanged(of: self)
        }
    }

    /// Replaces the state and notifies observers of the properties that differ.
    func publish(_ state: State) {
        let changed = Self.differences(inner.withLock { $0.state }, state)
        guard !changed.isEmpty else { return inner.withLock { $0.state = state } }
        events.withLock { $0 }.change(changed) { inner.withLock { $0.state = state } }
    }

    /// Lists the changed properties in notification order.
    private static func differences(_ a: State, _ b: State) -> [Property] {
        var changed: [Property] = []
        if a.duration != b.duration { changed.append(.duration) }
        if (a.facts == nil) != (b.facts == nil) || a.facts?.info?.streamIndex != b.facts?.info?.streamIndex {
            changed += [.tracks, .presentationSize]
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

    func post(_ notice: Notice) { events.withLock { $0 }.post(notice) }

    // MARK: Time

    /// Updates the item's clock from its player's timeline; `line` is in item time.
    func lineDidChange(_ line: PresentationLine, isJump: Bool) {
        inner.withLock { $0.line = line }
        tellTitleLine(line, now: now)
        timebase.drive(anchorTime: line.time, at: line.host, rate: line.rate, isJump: isJump)
    }

    /// Stops the item's clock, because the item is no longer audible.
    func stopLine(at now: HostTime) {
        tellTitleLine(nil, now: now)
        let line = inner.withLock { inner in
            defer { inner.line = nil }
            if let line = inner.line {
                inner.state.figures = inner.state.figures.advanced(to: line.time(at: now))
            }
            return inner.line
        }
        guard let line, line.rate != 0 else { return }
        timebase.drive(anchorTime: line.time(at: now), at: now, rate: 0, isJump: false)
    }
}
