import Codecs
import Foundation
import KeyValueObserving
import Playback
import Synchronization

/// One thing to play, and how far it is at hand.
///
/// Its source is opened when it is given to a player. Observable properties change on whatever thread it happens. Any
/// thread but where the main actor is named.
@preconcurrency @MainActor
open class AVPlayerItem: NSObject, NSCopying {
    /// Whether the item can be played.
    public enum Status: Int, Sendable {
        /// Its duration and its first sound are not known yet.
        case unknown
        /// Its duration is known, and its first sound there.
        case readyToPlay
        /// For good: make a new item.
        case failed
    }

    nonisolated let core: PlayerItem
    nonisolated let observations: PropertyObservations
    nonisolated let source: AVAsset
    nonisolated private let settings = Mutex(Settings())

    private struct Settings {
        var reverseEnd = CMTime.invalid
        var peakBitRate = 0.0
        var pitch = AVAudioTimePitchAlgorithm.timeDomain
        var externalMetadata: [AVMetadataItem] = []
        var tracks: [AVPlayerItemTrack] = []
        /// The stream whose track that is.
        var trackStream: Int?
    }

    nonisolated let attachments = Mutex(ItemAttachments())

    // MARK: Making

    /// An item of what a file or an address that begins with `http` or `https` has.
    nonisolated public convenience init(url URL: URL) { self.init(asset: AVURLAsset(url: URL)) }

    /// An item of an asset.
    nonisolated public convenience init(asset: AVAsset) {
        self.init(asset: asset, automaticallyLoadedAssetKeys: [String]?.none)
    }

    /// - Parameter automaticallyLoadedAssetKeys: properties of the asset; all are loaded together here.
    nonisolated public init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]?) {
        observations = AVPlayer.observationChoice.makeObservations()
        source = asset
        let place = asset.source
        // What is neither a path nor of the web is found to be no file, and named.
        core = PlayerItem(
            path: place.location ?? place.url.absoluteString, request: place.request,
            makeSource: place.makeSource,
            readsArtwork: { asset.loading.known == nil })
        super.init()
        listen()
    }

    /// - Parameter automaticallyLoadedAssetKeys: properties of the asset; all are loaded together here.
    nonisolated public convenience init(
        asset: AVAsset, automaticallyLoadedAssetKeys: [AVPartialAsyncProperty<AVAsset>]
    ) { self.init(asset: asset, automaticallyLoadedAssetKeys: [String]?.none) }

    /// Another item of the same asset with the same settings, which belongs to no player.
    nonisolated open func copy(with zone: NSZone? = nil) -> Any {
        let copy = AVPlayerItem(asset: source)
        let (settings, wishes) = (settings.withLock { $0 }, core.wishes)
        copy.settings.withLock { kept in
            kept = settings
            kept.tracks = []
        }
        copy.core.setWishes { $0 = wishes }
        return copy
    }

    nonisolated private func listen() {
        var events = PlayerItem.Events()
        let observations = observations
        events.change = { [weak self] properties, change in
            observations.change(of: properties.map { ObservedProperty($0.rawValue) }) {
                change()
                if properties.contains(.tracks) { self?.tellAsset() }
            }
        }
        events.post = { [weak self] notice in self?.post(notice) }
        core.setEvents(events)
        core.setShape(self)
    }

    /// What is known of the source now need not be fetched again for the asset.
    nonisolated private func tellAsset() {
        // An asset's length and words are those of its default track.
        if let info = core.state.facts?.info, core.wishes.stream == nil { source.learn(info) }
    }

    /// The object that a program knows an item by.
    nonisolated static func of(_ core: PlayerItem?) -> AVPlayerItem? { core?.shape as? AVPlayerItem }

    /// What the item is of.
    open var asset: AVAsset { source }

    // MARK: State

    /// Observable.
    nonisolated open var status: Status {
        observations.access("status")
        return Status(rawValue: core.state.status.rawValue) ?? .unknown
    }

    /// Why ``status`` is `failed`, an ``AVError``. Observable.
    nonisolated open var error: (any Error)? {
        observations.access("error")
        return core.state.error.map { AVError($0, url: (source as? AVURLAsset)?.url) }
    }

    /// Indefinite until it is known, and for live streams. Observable.
    nonisolated open var duration: CMTime {
        observations.access("duration")
        return core.state.duration
    }

    /// The time that is heard, or at which it would begin.
    nonisolated open func currentTime() -> CMTime {
        if let player = core.owner, player.currentItem === core { return player.currentTime }
        return core.startTime
    }

    /// The item's time; it runs while it is heard.
    nonisolated open var timebase: CMTimebase? { core.timebase }

    /// Its tracks that are played; none until they are known. Observable.
    nonisolated open var tracks: [AVPlayerItemTrack] {
        observations.access("tracks")
        guard let facts = core.state.facts else { return [] }
        return settings.withLock { settings in
            let stream = facts.info?.streamIndex
            if settings.tracks.isEmpty || settings.trackStream != stream {
                (settings.tracks, settings.trackStream) = ([AVPlayerItemTrack(source, facts.info)], stream)
            }
            return settings.tracks
        }
    }

    /// Nothing here has pictures.
    nonisolated open var presentationSize: CGSize { .zero }

    // MARK: Buffer

    /// Whether nothing is at hand from the playhead on. Observable.
    nonisolated open var isPlaybackBufferEmpty: Bool {
        observations.access("isPlaybackBufferEmpty")
        return core.state.levels.isEmpty
    }

    /// Whether as much is at hand as is wanted, or all there is. Observable.
    nonisolated open var isPlaybackBufferFull: Bool {
        observations.access("isPlaybackBufferFull")
        return core.state.levels.isFull
    }

    /// Whether it can be expected to play on without a stall. Observable.
    nonisolated open var isPlaybackLikelyToKeepUp: Bool {
        observations.access("isPlaybackLikelyToKeepUp")
        return core.state.levels.isLikelyToKeepUp
    }

    /// What is at hand, in item time: `NSValue`s of one `CMTimeRange`, or none. Observable; new at most four times a second.
    nonisolated open var loadedTimeRanges: [NSValue] {
        observations.access("loadedTimeRanges")
        return core.state.loaded.map { [NSValue(timeRange: $0)] } ?? []
    }

    /// Where one can go: `NSValue`s of one `CMTimeRange`, or none. Observable.
    nonisolated open var seekableTimeRanges: [NSValue] {
        observations.access("seekableTimeRanges")
        return core.state.seekable.map { [NSValue(timeRange: $0)] } ?? []
    }

    /// Seconds that are to be at hand; 0 leaves it to the route.
    nonisolated open var preferredForwardBufferDuration: TimeInterval {
        get { core.wishes.forwardBufferDuration }
        set { core.setWishes { $0.forwardBufferDuration = newValue.isFinite ? max(0, newValue) : 0 } }
    }

    /// Seconds at hand from the playhead on: in the outputs, a speaker's minutes among them, and read but not given to
    /// them yet, as of the player's last look, at most 0.25 s ago. Of Tutti: which of the two is short tells whether the source
    /// or the network of the speaker is slow.
    nonisolated public var tuttiSecondsAtHand: (inOutputs: TimeInterval, inSource: TimeInterval) {
        let state = core.state
        return (state.secondsInOutput, state.secondsInSource)
    }

    // MARK: How it is played

    /// Where the item ends for this player; not numeric at its own end.
    nonisolated open var forwardPlaybackEndTime: CMTime {
        get { core.wishes.endTime }
        set { core.setWishes { $0.endTime = newValue } }
    }

    /// Kept and given back: nothing plays backwards.
    nonisolated open var reversePlaybackEndTime: CMTime {
        get { settings.withLock { $0.reverseEnd } }
        set { settings.withLock { $0.reverseEnd = newValue } }
    }

    /// Kept and given back.
    nonisolated open var preferredPeakBitRate: Double {
        get { settings.withLock { $0.peakBitRate } }
        set { settings.withLock { $0.peakBitRate = newValue } }
    }

    /// How the pitch is treated at rates other than 1.
    nonisolated open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { settings.withLock { $0.pitch } }
        set {
            settings.withLock { $0.pitch = newValue }
            core.setWishes { $0.pitch = newValue == .varispeed ? .varied : .kept }
        }
    }

    /// Whether rates above 1 can be played; a live stream is heard as fast as it comes.
    nonisolated open var canPlayFastForward: Bool { canBePlayedAtOtherRates }
    /// Whether rates between 0 and 1 can be played.
    nonisolated open var canPlaySlowForward: Bool { canBePlayedAtOtherRates }
    /// Never: nothing plays backwards.
    nonisolated open var canPlayReverse: Bool { false }
    /// Never: nothing plays backwards.
    nonisolated open var canPlaySlowReverse: Bool { false }
    /// Never: nothing plays backwards.
    nonisolated open var canPlayFastReverse: Bool { false }
    /// Never: there are no pictures to step by.
    nonisolated open var canStepForward: Bool { false }
    /// Never: there are no pictures to step by.
    nonisolated open var canStepBackward: Bool { false }

    nonisolated private var canBePlayedAtOtherRates: Bool {
        status == .readyToPlay && core.state.facts?.isLive == false
    }

    /// Nothing happens: there are no pictures to step by.
    nonisolated open func step(byCount stepCount: Int) {}

    // MARK: Places

    /// As the player's own; before the item is played, where it will begin.
    @preconcurrency
    nonisolated open func seek(
        to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) {
        if let player = core.owner,
            player.seek(to: time, of: core, completion: { completionHandler?($0) })
        {
            return
        }
        let isPlace = time.isNumeric
        if isPlace { core.startTime = max(.zero, time) }
        DispatchQueue.main.async { completionHandler?(isPlace) }
    }

    /// See ``seek(to:completionHandler:)``.
    @preconcurrency
    nonisolated open func seek(
        to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
        completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) { seek(to: time, completionHandler: completionHandler) }

    /// See ``seek(to:completionHandler:)``.
    @discardableResult
    nonisolated open func seek(to time: CMTime) async -> Bool {
        await withCheckedContinuation { continuation in
            seek(to: time) { continuation.resume(returning: $0) }
        }
    }

    /// See ``seek(to:toleranceBefore:toleranceAfter:completionHandler:)``.
    @discardableResult
    nonisolated open func seek(
        to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// Ends seeks under way with `false`.
    nonisolated open func cancelPendingSeeks() {
        if let player = core.owner, player.currentItem === core { player.cancelPendingSeeks() }
    }

    /// The date that is heard; sources here have none.
    nonisolated open func currentDate() -> Date? { nil }

    // MARK: Words about it

    /// What the program says about the item beside its own metadata; kept and given back.
    open var externalMetadata: [AVMetadataItem] {
        get { settings.withLock { $0.externalMetadata } }
        set { settings.withLock { $0.externalMetadata = newValue } }
    }

    /// What a live stream says that is heard now: a title, and an artist where it tells one; `nil` before. Observable.
    nonisolated public var timedMetadata: [AVMetadataItem]? {
        observations.access("timedMetadata")
        guard let title = core.state.title else { return nil }
        return [
            (AVMetadataIdentifier.commonIdentifierTitle, title.title),
            (.commonIdentifierArtist, title.artist),
        ]
        .compactMap { identifier, text in
            guard let text, !text.isEmpty else { return nil }
            let item = AVMutableMetadataItem()
            item.identifier = identifier
            item.value = text as NSString
            return item
        }
    }

    /// The values that the program wants shown for the item, by the keys of MediaPlayer. An `MPNowPlayingSession` that publishes
    /// automatically adds it to what it knows itself. Observable.
    nonisolated open var nowPlayingInfo: [String: Any]? {
        get {
            observations.access("nowPlayingInfo")
            return nowPlaying.value
        }
        set { observations.change("nowPlayingInfo") { nowPlaying.value = newValue } }
    }

    nonisolated private let nowPlaying = NowPlayingValues()
}

/// The values that a program wants shown of an item.
private final class NowPlayingValues: @unchecked Sendable {
    // Safe to share: `stored` is touched only with the lock held; a program leaves the values alone that it has given.
    private let lock = NSLock()
    private var stored: [String: Any]?

    var value: [String: Any]? {
        get { lock.withLock { stored } }
        set {
            // The old values are released outside the lock: they may be anything.
            let old = lock.withLock {
                defer { stored = newValue }
                return stored
            }
            withExtendedLifetime(old) {}
        }
    }
}
