import Playback
import Synchronization
import TuttiMediaTime
import TuttiSystemIO
import TuttiViews

/// The publisher of the program's now-playing information to the speakers' displays and to every other
/// `NowPlayingSurface`. Callable from any thread.
open class MPNowPlayingInfoCenter: NSObject, @unchecked Sendable {
    // Safe to share: `stored` is touched only with the lock held, `picture` only on the queue; the rest is
    // immutable and Sendable. A program must not mutate values after putting them into the dictionary.

    private static let instance = MPNowPlayingInfoCenter(hub: .shared, clock: SystemClock())

    /// Returns the program's shared info center.
    open class func `default`() -> MPNowPlayingInfoCenter { instance }

    private struct Stored {
        var info: [String: Any]?
        var playbackState = MPNowPlayingPlaybackState.unknown
        /// Elapsed seconds at host time `elapsedTime`.
        var elapsed: Double?
        var elapsedTime: HostTime
        /// Publications not delivered to the hub yet.
        var waiting: [Publication] = []
        var isDelivering = false
    }

    private struct Publication {
        var snapshot: NowPlayingSnapshot
        var artwork: MPMediaItemArtwork?
    }

    /// Limit of undelivered publications; beyond it the oldest is dropped, because newer publications
    /// supersede it.
    private static let waitingLimit = 32

    private let hub: NowPlayingHub
    private let source: NowPlayingHub.Source
    private let clock: any HostClock
    private let lock = NSLock()
    private var stored: Stored
    /// The queue that renders artwork, which may be slow.
    private let queue = DispatchQueue(label: "tutti.now-playing", qos: .userInitiated)
    /// The last rendered artwork.
    private var picture: (artwork: MPMediaItemArtwork, bytes: [UInt8]?)?

    /// - Parameter source: The hub's identity of the publisher: the program or a session.
    init(hub: NowPlayingHub, clock: any HostClock, source: NowPlayingHub.Source = .program) {
        (self.hub, self.clock, self.source) = (hub, clock, source)
        stored = Stored(elapsedTime: clock.now)
        super.init()
    }

    /// The now-playing values, by the keys `MPMediaItemProperty…` and `MPNowPlayingInfoProperty…`; `nil` for
    /// nothing.
    ///
    /// The elapsed time advances from the moment of setting, at the given rate, unless ``playbackState`` says
    /// that nothing is playing.
    open var nowPlayingInfo: [String: Any]? {
        get { lock.withLock { stored.info } }
        set {
            let now = clock.now
            // Release the old values outside the lock: their deinitializers may run any code.
            let old = lock.withLock {
                let old = stored.info
                stored.info = newValue
                stored.elapsed = newValue.flatMap { NowPlayingInfoReader($0).elapsed }
                stored.elapsedTime = now
                publish()
                return old
            }
            withExtendedLifetime(old) {}
        }
    }

    /// The program's playback state. While `unknown`, the rate in ``nowPlayingInfo`` determines the state.
    open var playbackState: MPNowPlayingPlaybackState {
        get { lock.withLock { stored.playbackState } }
        set {
            let now = clock.now
            lock.withLock {
                guard stored.playbackState != newValue else { return }
                stored.elapsed = snapshot.elapsed(at: now)
                stored.elapsedTime = now
                stored.playbackState = newValue
                publish()
            }
        }
    }

    /// Returns the published language option with this identifier.
    func languageOption(identifier: String) -> MPNowPlayingInfoLanguageOption? {
        let groups =
            nowPlayingInfo?[MPNowPlayingInfoPropertyAvailableLanguageOptions]
            as? [MPNowPlayingInfoLanguageOptionGroup]
        return groups?.flatMap(\.languageOptions).first { $0.identifier == identifier }
    }

    // MARK: Publishing

    /// The current snapshot, without artwork. Requires the lock.
    private var snapshot: NowPlayingSnapshot {
        var snapshot = NowPlayingInfoReader(stored.info ?? [:]).snapshot(at: stored.elapsedTime)
        snapshot.elapsed = stored.elapsed
        snapshot.state = stored.playbackState.state
        return snapshot
    }

    /// Queues the current snapshot for delivery. Requires the lock, so that publications keep the order of
    /// changes.
    private func publish() {
        let artwork = stored.info.flatMap { NowPlayingInfoReader($0).artwork }
        stored.waiting.append(Publication(snapshot: snapshot, artwork: artwork))
        if stored.waiting.count > Self.waitingLimit { stored.waiting.removeFirst() }
        guard !stored.isDelivering else { return }
        stored.isDelivering = true
        queue.async { [self] in deliver() }
    }

    private func deliver() {
        dispatchPrecondition(condition: .onQueue(queue))
        while let next = takeNext() {
            var snapshot = next.snapshot
            snapshot.artwork = next.artwork.flatMap(bytes)
            hub.publish(snapshot, by: source)
            DesktopPlayers.published(to: hub)
        }
    }

    private func takeNext() -> Publication? {
        lock.withLock {
            guard !stored.waiting.isEmpty else {
                stored.isDelivering = false
                return nil
            }
            return stored.waiting.removeFirst()
        }
    }

    /// Returns the artwork's bytes; cached while the program publishes the same artwork object.
    private func bytes(of artwork: MPMediaItemArtwork) -> [UInt8]? {
        if let picture, picture.artwork === artwork { return picture.bytes }
        let bytes = artwork.image(at: artwork.displaySize).map(\.encodedData).flatMap { data in
            data.isEmpty ? nil : [UInt8](data)
        }
        picture = (artwork, bytes)
        return bytes
    }
}

extension MPNowPlayingPlaybackState {
    var state: NowPlayingSnapshot.State {
        switch self {
        case .unknown: .unknown
        case .playing: .playing
        case .paused: .paused
        case .stopped: .stopped
        case .interrupted: .interrupted
        }
    }
}
