import MediaTime
import Playback
import Synchronization
import SystemIO
import Views

/// What the program says is playing, for all who show it: the displays of the speakers, and every
/// `NowPlayingSurface` beside them. Any thread.
open class MPNowPlayingInfoCenter: NSObject, @unchecked Sendable {
    // Safe to share: `stored` is touched only with the lock held, `picture` only on the queue; the rest is
    // immutable and safe itself. What a program puts into the dictionary it leaves alone.

    private static let instance = MPNowPlayingInfoCenter(hub: .shared, clock: SystemClock())

    /// The one of the program.
    open class func `default`() -> MPNowPlayingInfoCenter { instance }

    private struct Stored {
        var info: [String: Any]?
        var playbackState = MPNowPlayingPlaybackState.unknown
        /// Where the item was, and when.
        var elapsed: Double?
        var elapsedTime: HostTime
        /// Publications on their way.
        var waiting: [Publication] = []
        var isDelivering = false
    }

    private struct Publication {
        var snapshot: NowPlayingSnapshot
        var artwork: MPMediaItemArtwork?
    }

    /// More would only be overtaken by newer ones.
    private static let waitingLimit = 32

    private let hub: NowPlayingHub
    private let source: NowPlayingHub.Source
    private let clock: any HostClock
    private let lock = NSLock()
    private var stored: Stored
    /// Pictures are made here, and may take their time.
    private let queue = DispatchQueue(label: "tutti.now-playing", qos: .userInitiated)
    /// The last picture that was made.
    private var picture: (artwork: MPMediaItemArtwork, bytes: [UInt8]?)?

    /// - Parameter source: the publisher, as the hub knows it: the program or a session.
    init(hub: NowPlayingHub, clock: any HostClock, source: NowPlayingHub.Source = .program) {
        (self.hub, self.clock, self.source) = (hub, clock, source)
        stored = Stored(elapsedTime: clock.now)
        super.init()
    }

    /// What is playing, by the keys `MPMediaItemProperty…` and `MPNowPlayingInfoProperty…`; `nil` for nothing.
    ///
    /// The place in the item runs on by itself from the moment of setting, at the given rate, unless
    /// ``playbackState`` says that nothing is heard.
    open var nowPlayingInfo: [String: Any]? {
        get { lock.withLock { stored.info } }
        set {
            let now = clock.now
            // The old values die outside the lock: they may be anything.
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

    /// What the program is doing. While it is unknown, the rate in ``nowPlayingInfo`` says it.
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

    /// One of the languages that the program has published.
    func languageOption(identifier: String) -> MPNowPlayingInfoLanguageOption? {
        let groups =
            nowPlayingInfo?[MPNowPlayingInfoPropertyAvailableLanguageOptions]
            as? [MPNowPlayingInfoLanguageOptionGroup]
        return groups?.flatMap(\.languageOptions).first { $0.identifier == identifier }
    }

    // MARK: Publishing

    /// With the lock held.
    private var snapshot: NowPlayingSnapshot {
        var snapshot = NowPlayingInfoReader(stored.info ?? [:]).snapshot(at: stored.elapsedTime)
        snapshot.elapsed = stored.elapsed
        snapshot.state = stored.playbackState.state
        return snapshot
    }

    /// Posts what is so now. With the lock held, so that publications keep the order of the settings.
    private func publish() {
        let artwork = stored.info.flatMap { NowPlayingInfoReader($0).artwork }
        stored.waiting.append(Publication(snapshot: snapshot, artwork: artwork))
        if stored.waiting.count > Self.waitingLimit { stored.waiting.removeFirst() }
        guard !stored.isDelivering else { return }
        stored.isDelivering = true
        queue.async { [self] in deliver() }
    }

    private func deliver() {
        while let next = takeNext() {
            var snapshot = next.snapshot
            snapshot.artwork = next.artwork.flatMap(bytes)
            hub.publish(snapshot, by: source)
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

    /// A program that publishes the same picture again is not asked for it again.
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
