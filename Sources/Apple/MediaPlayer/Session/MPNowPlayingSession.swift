import AVFoundation
import Dispatch
import Playback
import Synchronization
import TuttiSystemIO

/// A now-playing session: a group of players with its own info center and command center.
///
/// Speakers' displays show the active session instead of `MPNowPlayingInfoCenter.default()`, and speakers'
/// buttons command the active session instead of `MPRemoteCommandCenter.shared()`. A session becomes active
/// when one of its players starts while no player of the active session plays, or by
/// ``becomeActiveIfPossible(completion:)``. When the active session is deallocated, the program's shared
/// centers become active again. Callable from any thread.
open class MPNowPlayingSession: NSObject, @unchecked Sendable {
    // Safe to share: `state` has a lock, `publisher` is touched only on `queue`; the rest is immutable and
    // Sendable.

    private struct State {
        var watches: [PlayerWatch] = []
        var publishesAutomatically = false
        var isUpdateQueued = false
        var couldBecomeActive = false
        var wasPlaying = false
        /// The player that started last.
        weak var latest: AVPlayer?
        var delegate = WeakDelegate<any MPNowPlayingSessionDelegate>(nil)
    }

    let hub: NowPlayingHub
    private let source: NowPlayingHub.Source
    private let registry: NowPlayingSessions
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "tutti.now-playing-session", qos: .userInitiated)
    private var publisher = PlayerInfo()

    /// The session's info center. Do not set its values while ``automaticallyPublishesNowPlayingInfo`` is
    /// `true`.
    public let nowPlayingInfoCenter: MPNowPlayingInfoCenter
    /// The session's command center.
    public let remoteCommandCenter: MPRemoteCommandCenter

    /// Creates an inactive session of these players.
    ///
    /// Players of another selection of outputs (`AVPlayer(tuttiRoutes:)`) are shown by the speakers of that selection,
    /// and commanded by their buttons.
    public convenience init(players: [AVPlayer]) {
        let hub = players.first?.tuttiRoutes.nowPlaying ?? .shared
        self.init(players: players, hub: hub, registry: .shared, clock: SystemClock())
    }

    init(players: [AVPlayer], hub: NowPlayingHub, registry: NowPlayingSessions, clock: any HostClock) {
        (self.hub, self.registry) = (hub, registry)
        let owner = Mutex(WeakReference<MPNowPlayingSession>(nil))
        source = hub.makeSource { _ in owner.withLock { $0 }.object?.activityDidChange() }
        let info = MPNowPlayingInfoCenter(hub: hub, clock: clock, source: source)
        nowPlayingInfoCenter = info
        remoteCommandCenter = MPRemoteCommandCenter(hub: hub, clock: clock, source: source) {
            info.languageOption(identifier: $0)
        }
        super.init()
        owner.withLock { $0 = WeakReference(self) }
        registry.add(self)
        for player in players { addPlayer(player) }
    }

    deinit { hub.remove(source) }

    /// The delegate, held weakly and called on the main queue.
    open weak var delegate: (any MPNowPlayingSessionDelegate)? {
        get { state.withLock { $0.delegate }.delegate }
        set {
            let reference = WeakDelegate<any MPNowPlayingSessionDelegate>(newValue)
            state.withLock { $0.delegate = reference }
        }
    }

    // MARK: Players

    /// The players, in the order of ``addPlayer(_:)``.
    open var players: [AVPlayer] { state.withLock { $0.watches.map(\.player) } }

    /// Adds a player; the session retains the player. Idempotent.
    open func addPlayer(_ player: AVPlayer) {
        guard !players.contains(where: { $0 === player }) else { return }
        let watch = PlayerWatch(player) { [weak self] player in self?.playerDidChange(player) }
        // Check again: two threads may add the same player.
        state.withLock { state in
            if !state.watches.contains(where: { $0.player === player }) { state.watches.append(watch) }
        }
        playerDidChange(player)
    }

    /// Removes a player. Idempotent.
    open func removePlayer(_ player: AVPlayer) {
        // Release the watch outside the lock.
        let old = state.withLock { state in
            let old = state.watches
            state.watches.removeAll { $0.player === player }
            return old
        }
        withExtendedLifetime(old) {}
        playerDidChange(nil)
    }

    /// Whether any player plays or waits to play.
    var isPlaying: Bool { players.contains { $0.rate != 0 } }

    // MARK: Activity

    /// Whether displays show this session and buttons command it.
    open var isActive: Bool { hub.activeSource == source }

    /// Whether any player has an item.
    open var canBecomeActive: Bool { players.contains { $0.currentItem != nil } }

    /// Makes this session active if ``canBecomeActive`` is `true`.
    ///
    /// - Parameter completion: Called once, on the main queue, with ``isActive``.
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
        notifyDelegate { $0.nowPlayingSessionDidChangeActive($1) }
    }

    private func notifyDelegate(
        _ body: @escaping @Sendable (any MPNowPlayingSessionDelegate, MPNowPlayingSession) -> Void
    ) {
        DispatchQueue.main.async { [weak self] in
            guard let self, let delegate else { return }
            body(delegate, self)
        }
    }

    // MARK: Publishing

    /// Whether the session publishes its playing player's item: tags, duration, elapsed time, rate, and
    /// `AVPlayerItem.nowPlayingInfo`, which takes precedence over the tags. `false` at first.
    open var automaticallyPublishesNowPlayingInfo: Bool {
        get { state.withLock { $0.publishesAutomatically } }
        set {
            state.withLock { $0.publishesAutomatically = newValue }
            update()
        }
    }

    /// Handles a change of a player, or the removal of a player if `player` is `nil`.
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
        if isChange { notifyDelegate { $0.nowPlayingSessionDidChangeCanBecomeActive($1) } }
        update()
    }

    /// Schedules a publication; coalesces changes.
    private func update() {
        let isFirst = state.withLock { state in
            guard state.publishesAutomatically, !state.isUpdateQueued else { return false }
            state.isUpdateQueued = true
            return true
        }
        if isFirst { queue.async { [weak self] in self?.publish() } }
    }

    private func publish() {
        dispatchPrecondition(condition: .onQueue(queue))
        let (isWanted, latest) = state.withLock { state in
            state.isUpdateQueued = false
            return (state.publishesAutomatically, state.latest)
        }
        guard isWanted else { return }
        let players = players
        let player =
            players.first { $0.rate != 0 } ?? players.first { $0 === latest } ?? players.first
        // Read once, so the published rate and state are consistent.
        let isPlaying = player?.timeControlStatus == .playing
        nowPlayingInfoCenter.nowPlayingInfo = player.flatMap { publisher.info(of: $0, isPlaying: isPlaying) }
        nowPlayingInfoCenter.playbackState =
            player?.currentItem == nil ? .stopped : isPlaying ? .playing : .paused
    }

    /// Blocks until all changes so far are published; for tests.
    func settle() { queue.sync {} }
}

/// The delegate of a session, called on the main queue.
public protocol MPNowPlayingSessionDelegate: NSObjectProtocol {
    /// Handles a change of the session's `isActive`.
    func nowPlayingSessionDidChangeActive(_ nowPlayingSession: MPNowPlayingSession)
    /// Handles a change of the session's `canBecomeActive`.
    func nowPlayingSessionDidChangeCanBecomeActive(_ nowPlayingSession: MPNowPlayingSession)
}

extension MPNowPlayingSessionDelegate {
    /// Does nothing.
    public func nowPlayingSessionDidChangeActive(_ nowPlayingSession: MPNowPlayingSession) {}
    /// Does nothing.
    public func nowPlayingSessionDidChangeCanBecomeActive(_ nowPlayingSession: MPNowPlayingSession) {}
}
