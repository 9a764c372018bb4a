import AVFoundation
import Dispatch
import Playback
import Synchronization
import SystemIO

/// One of several things that a program may be playing: its players, its publications, and its commands.
///
/// The active session is shown on the speakers' displays, in place of `MPNowPlayingInfoCenter.default()`, and takes the
/// commands of their buttons, in place of `MPRemoteCommandCenter.shared()`. A session becomes active when one of its
/// players begins to play while no player of the active session plays, and by ``becomeActiveIfPossible(completion:)``.
/// When the active session is deallocated the program's own centers are active again. Any thread.
open class MPNowPlayingSession: NSObject, @unchecked Sendable {
    // Safe to share: `state` is guarded, `storedDelegate` is touched only with `lock` held, `publisher` only on `queue`;
    // the rest is immutable and safe itself.

    private struct State {
        var watches: [PlayerWatch] = []
        var publishesAutomatically = false
        var isUpdateQueued = false
        var couldBecomeActive = false
        var wasPlaying = false
        /// The player that played last.
        weak var latest: AVPlayer?
    }

    private let hub: NowPlayingHub
    private let source: NowPlayingHub.Source
    private let registry: NowPlayingSessions
    private let state = Mutex(State())
    private let lock = NSLock()
    private weak var storedDelegate: (any MPNowPlayingSessionDelegate)?
    private let queue = DispatchQueue(label: "tutti.now-playing-session", qos: .userInitiated)
    private var publisher = PlayerInfo()

    /// Publications of this session; to be left alone while ``automaticallyPublishesNowPlayingInfo`` is true.
    public let nowPlayingInfoCenter: MPNowPlayingInfoCenter
    /// Commands for this session.
    public let remoteCommandCenter: MPRemoteCommandCenter

    /// A session of these players. It is not active at first.
    public convenience init(players: [AVPlayer]) {
        self.init(players: players, hub: .shared, registry: .shared, clock: SystemClock())
    }

    init(players: [AVPlayer], hub: NowPlayingHub, registry: NowPlayingSessions, clock: any HostClock) {
        (self.hub, self.registry) = (hub, registry)
        let owner = WeakSession()
        source = hub.makeSource { _ in owner.value?.activityDidChange() }
        let info = MPNowPlayingInfoCenter(hub: hub, clock: clock, source: source)
        nowPlayingInfoCenter = info
        remoteCommandCenter = MPRemoteCommandCenter(hub: hub, clock: clock, source: source) {
            info.languageOption(identifier: $0)
        }
        super.init()
        owner.set(self)
        registry.add(self)
        for player in players { addPlayer(player) }
    }

    deinit { hub.remove(source) }

    /// Told of changes on the main queue. Not kept.
    open weak var delegate: (any MPNowPlayingSessionDelegate)? {
        get { lock.withLock { storedDelegate } }
        set { lock.withLock { storedDelegate = newValue } }
    }

    // MARK: Players

    /// In the order in which they were added.
    open var players: [AVPlayer] { state.withLock { $0.watches.map(\.player) } }

    /// Adds a player, which is held; one that is here already is ignored.
    open func addPlayer(_ player: AVPlayer) {
        guard !players.contains(where: { $0 === player }) else { return }
        let watch = PlayerWatch(player) { [weak self] player in self?.playerDidChange(player) }
        // Two threads may add the same one.
        state.withLock { state in
            if !state.watches.contains(where: { $0.player === player }) { state.watches.append(watch) }
        }
        playerDidChange(player)
    }

    /// Removes a player; one that is not here is ignored.
    open func removePlayer(_ player: AVPlayer) {
        // The watch is released outside the lock.
        let old = state.withLock { state in
            let old = state.watches
            state.watches.removeAll { $0.player === player }
            return old
        }
        withExtendedLifetime(old) {}
        playerDidChange(nil)
    }

    /// Whether one of its players plays, or waits to.
    var isPlaying: Bool { players.contains { $0.rate != 0 } }

    // MARK: Activity

    /// Whether this is the session that is shown, and commanded.
    open var isActive: Bool { hub.activeSource == source }

    /// Whether it has a player with an item.
    open var canBecomeActive: Bool { players.contains { $0.currentItem != nil } }

    /// Makes this the active session, if it can become active.
    ///
    /// - Parameter completion: called once, on the main queue, with ``isActive``.
    @preconcurrency
    open func becomeActiveIfPossible(completion: (@Sendable (Bool) -> Void)? = nil) {
        if canBecomeActive { hub.activate(source) }
        guard let completion else { return }
        let isActive = isActive
        DispatchQueue.main.async { completion(isActive) }
    }

    /// See ``becomeActiveIfPossible(completion:)``.
    @discardableResult
    open func becomeActiveIfPossible() async -> Bool {
        if canBecomeActive { hub.activate(source) }
        return isActive
    }

    private func activityDidChange() {
        tellDelegate { $0.nowPlayingSessionDidChangeActive($1) }
    }

    private func tellDelegate(
        _ body: @escaping @Sendable (any MPNowPlayingSessionDelegate, MPNowPlayingSession) -> Void
    ) {
        DispatchQueue.main.async { [weak self] in
            guard let self, let delegate else { return }
            body(delegate, self)
        }
    }

    // MARK: Publishing

    /// Whether the session publishes what its players play: the tags of the item, its
    /// `AVPlayerItem.nowPlayingInfo`, which has precedence, duration, place and rate. False at first.
    open var automaticallyPublishesNowPlayingInfo: Bool {
        get { state.withLock { $0.publishesAutomatically } }
        set {
            state.withLock { $0.publishesAutomatically = newValue }
            update()
        }
    }

    /// Something about a player is different, or there is one less.
    private func playerDidChange(_ player: AVPlayer?) {
        let isPlaying = isPlaying
        let begins = state.withLock { state in
            if let player, player.rate != 0 { state.latest = player }
            defer { state.wasPlaying = isPlaying }
            return isPlaying && !state.wasPlaying
        }
        if begins, !registry.isOtherPlaying(than: self) { hub.activate(source) }
        let canBecomeActive = canBecomeActive
        let isChange = state.withLock { state in
            defer { state.couldBecomeActive = canBecomeActive }
            return state.couldBecomeActive != canBecomeActive
        }
        if isChange { tellDelegate { $0.nowPlayingSessionDidChangeCanBecomeActive($1) } }
        update()
    }

    /// Publishes soon, once for many changes.
    private func update() {
        let isFirst = state.withLock { state in
            guard state.publishesAutomatically, !state.isUpdateQueued else { return false }
            state.isUpdateQueued = true
            return true
        }
        if isFirst { queue.async { [weak self] in self?.publish() } }
    }

    private func publish() {
        let (isWanted, latest) = state.withLock { state in
            state.isUpdateQueued = false
            return (state.publishesAutomatically, state.latest)
        }
        guard isWanted else { return }
        let players = players
        let player =
            players.first { $0.rate != 0 } ?? players.first { $0 === latest } ?? players.first
        // Asked once: the rate that is published and the state must not contradict each other.
        let isPlaying = player?.timeControlStatus == .playing
        nowPlayingInfoCenter.nowPlayingInfo = player.flatMap { publisher.info(of: $0, isPlaying: isPlaying) }
        nowPlayingInfoCenter.playbackState =
            player?.currentItem == nil ? .stopped : isPlaying ? .playing : .paused
    }

    /// For tests: returns when everything that changed so far was published.
    func settle() { queue.sync {} }
}

/// Told of changes of a session, on the main queue.
public protocol MPNowPlayingSessionDelegate: NSObjectProtocol {
    /// `isActive` of the session changed.
    func nowPlayingSessionDidChangeActive(_ nowPlayingSession: MPNowPlayingSession)
    /// `canBecomeActive` of the session changed.
    func nowPlayingSessionDidChangeCanBecomeActive(_ nowPlayingSession: MPNowPlayingSession)
}

extension MPNowPlayingSessionDelegate {
    /// Does nothing.
    public func nowPlayingSessionDidChangeActive(_ nowPlayingSession: MPNowPlayingSession) {}
    /// Does nothing.
    public func nowPlayingSessionDidChangeCanBecomeActive(_ nowPlayingSession: MPNowPlayingSession) {}
}

/// A session, for its source in the hub, which exists before it does.
private final class WeakSession: Sendable {
    private struct Box { weak var session: MPNowPlayingSession? }
    private let box = Mutex(Box())

    var value: MPNowPlayingSession? { box.withLock { $0.session } }

    func set(_ session: MPNowPlayingSession) { box.withLock { $0.session = session } }
}
