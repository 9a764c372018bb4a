import Foundation
import Playback
import Synchronization
import TuttiCodecs
import TuttiKeyValueObserving
import TuttiSystemIO

/// A playable item with its playback and buffer state.
///
/// The player opens the item's source when the program hands the item over. Observable properties may change
/// on any thread. Callable from any thread except where a member names the main actor.
@preconcurrency @MainActor
open class AVPlayerItem: NSObject, NSCopying {
    /// Whether the item can be played.
    public enum Status: Int, Sendable {
        /// The duration and the first sound are not known yet.
        case unknown
        /// The duration is known and the first sound is loaded.
        case readyToPlay
        /// The item cannot recover: make a new item.
        case failed
    }

    nonisolated let core: PlayerItem
    nonisolated let observations: PropertyObservations
    nonisolated let source: AVAsset
    nonisolated private let settings = Mutex(ItemSettings())
    nonisolated let live = Mutex(LiveSettings())

    nonisolated let attachments = Mutex(ItemAttachments())
    nonisolated let display = ItemDisplay()
    nonisolated let pictures = ItemPictures()

    // MARK: Making

    /// Creates an item from a file URL or an `http` or `https` URL.
    nonisolated public convenience init(url URL: URL) { self.init(asset: AVURLAsset(url: URL)) }

    /// Creates an item from an asset.
    nonisolated public convenience init(asset: AVAsset) {
        self.init(asset: asset, automaticallyLoadedAssetKeys: [String]?.none)
    }

    /// - Parameter automaticallyLoadedAssetKeys: Ignored: Tutti loads all properties of an asset together.
    nonisolated public init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]?) {
        observations = AVPlayer.observationChoice.makeObservations()
        source = asset
        let place = asset.source
        // For any other scheme the open fails with "no such file" and names the URL.
        core = PlayerItem(
            path: place.location ?? place.url.absoluteString, engine: place.engine, request: place.request,
            makeSource: place.makeSource,
            readsArtwork: { asset.loading.known == nil }, machine: SystemMachine())
        super.init()
        core.setEvents(PlayerItem.Events(of: self))
        core.setFacade(self)
    }

    /// - Parameter automaticallyLoadedAssetKeys: Ignored: Tutti loads all properties of an asset together.
    nonisolated public convenience init(
        asset: AVAsset, automaticallyLoadedAssetKeys: [AVPartialAsyncProperty<AVAsset>]
    ) { self.init(asset: asset, automaticallyLoadedAssetKeys: [String]?.none) }

    /// Returns another item of the same asset with the same settings; the copy belongs to no player.
    nonisolated open func copy(with zone: NSZone? = nil) -> Any {
        let copy = AVPlayerItem(asset: source)
        let (settings, wishes) = (settings.withLock { $0.copied }, core.wishes)
        copy.settings.withLock { $0 = settings }
        let live = live.withLock { $0 }
        copy.live.withLock { $0 = live }
        copy.core.setWishes { copied in
            copied = wishes
            copied.crossfade = nil
        }
        (copy.pictures.maximumSize, copy.pictures.texts) = (pictures.maximumSize, pictures.texts)
        return copy
    }

    /// The public `AVPlayerItem` of a core item.
    nonisolated static func of(_ core: PlayerItem?) -> AVPlayerItem? { core?.facade as? AVPlayerItem }

    /// The asset that the item plays.
    open var asset: AVAsset { source }

    // MARK: State

    /// Returns the state of the core item, as a read of an observable property.
    nonisolated private func state(_ property: ObservedProperty) -> PlayerItem.State {
        observations.access(property)
        return core.state
    }

    /// Whether the item can be played. Observable.
    nonisolated open var status: Status { Status(rawValue: state("status").status.rawValue) ?? .unknown }

    /// The cause of a `failed` ``status``, an ``AVError``; else `nil`. Observable.
    nonisolated open var error: (any Error)? {
        state("error").error.map { AVError($0, url: (source as? AVURLAsset)?.url) }
    }

    /// The item's duration; indefinite until known, and for live streams. Observable.
    nonisolated open var duration: CMTime { state("duration").duration }

    /// The item time that is audible now; the start time while the item is not current.
    nonisolated open func currentTime() -> CMTime { core.currentTime }

    /// A timebase of item time that runs while the item is audible.
    nonisolated open var timebase: CMTimebase? { core.timebase }

    /// The played tracks; empty until the source is open. Observable.
    nonisolated open var tracks: [AVPlayerItemTrack] {
        guard let facts = state("tracks").facts else { return [] }
        return settings.withLock { $0.tracks.of(facts.info, source, pictures) }
    }

    /// The size at which the pictures are meant to be shown, in pixels, upright and square ones; zero until the source is
    /// open, and without pictures. Observable.
    nonisolated open var presentationSize: CGSize {
        state("presentationSize").facts?.info?.presentationSize ?? .zero
    }

    /// The largest pictures to choose of a playlist with several sizes, in pixels; zero, the initial value, for no limit.
    /// Takes effect when a layer or an output begins to show the item.
    nonisolated open var preferredMaximumResolution: CGSize {
        get { pictures.maximumSize }
        set { pictures.maximumSize = newValue }
    }

    /// Stored without effect: Tutti does not know what a network costs.
    nonisolated open var preferredMaximumResolutionForExpensiveNetworks: CGSize {
        get { settings.withLock { $0.expensiveResolution } }
        set { settings.withLock { $0.expensiveResolution = newValue } }
    }

    // MARK: Buffer

    /// Whether no sound is buffered from the playhead on. Observable.
    nonisolated open var isPlaybackBufferEmpty: Bool { state("isPlaybackBufferEmpty").levels.isEmpty }

    /// Whether the wanted amount is buffered, or the rest of the item. Observable.
    nonisolated open var isPlaybackBufferFull: Bool { state("isPlaybackBufferFull").levels.isFull }

    /// Whether playback is expected to continue without a stall: to the item's end, or for some time. Observable.
    ///
    /// From a server that is slower than playback, the time is 18 s; less after a long wait, and while the server sends
    /// nothing.
    nonisolated open var isPlaybackLikelyToKeepUp: Bool {
        state("isPlaybackLikelyToKeepUp").levels.isLikelyToKeepUp
    }

    /// The buffered range in item time: one `NSValue` of a `CMTimeRange`, or none. Observable; changes at
    /// most four times a second.
    nonisolated open var loadedTimeRanges: [NSValue] {
        state("loadedTimeRanges").loaded.map { [NSValue(timeRange: $0)] } ?? []
    }

    /// The range that ``seek(to:completionHandler:)->()`` can reach: one `NSValue` of a `CMTimeRange`, or none.
    /// Observable.
    nonisolated open var seekableTimeRanges: [NSValue] {
        state("seekableTimeRanges").seekable.map { [NSValue(timeRange: $0)] } ?? []
    }

    /// Seconds to buffer ahead of the playhead; 0, the initial value, leaves the choice to the route.
    nonisolated open var preferredForwardBufferDuration: TimeInterval {
        get { core.wishes.forwardBufferDuration }
        set { core.setWishes { $0.forwardBufferDuration = newValue.isFinite ? max(0, newValue) : 0 } }
    }

    /// Seconds of sound from the playhead on: those enqueued in the outputs, including a speaker's minutes,
    /// and those read but not enqueued yet. The snapshot is at most 0.25 s old. Tutti's extension: the
    /// shorter of the two tells whether the source or the speaker's network is slow.
    nonisolated public var tuttiSecondsAtHand: (inOutputs: TimeInterval, inSource: TimeInterval) {
        core.state.secondsAtHand
    }

    // MARK: Playback settings

    /// The item time at which playback ends; invalid, the initial value, plays to the item's own end.
    nonisolated open var forwardPlaybackEndTime: CMTime {
        get { core.wishes.endTime }
        set { core.setWishes { $0.endTime = newValue } }
    }

    /// Stored without effect: Tutti does not play backwards.
    nonisolated open var reversePlaybackEndTime: CMTime {
        get { settings.withLock { $0.reverseEnd } }
        set { settings.withLock { $0.reverseEnd = newValue } }
    }

    /// Stored without effect. Bits per second.
    nonisolated open var preferredPeakBitRate: Double {
        get { settings.withLock { $0.peakBitRate } }
        set { settings.withLock { $0.peakBitRate = newValue } }
    }

    /// The treatment of pitch at rates other than 1.
    nonisolated open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { settings.withLock { $0.pitch } }
        set {
            settings.withLock { $0.pitch = newValue }
            core.setWishes { $0.pitch = newValue == .varispeed ? .varied : .kept }
        }
    }

    /// The volumes of the item's tracks; `nil`, the initial value, leaves them as they are.
    ///
    /// The item keeps a copy. A change while the item plays is heard within a few seconds: the sound from then on is
    /// taken back from the speakers and sent again.
    nonisolated open var audioMix: AVAudioMix? {
        get { settings.withLock { $0.audioMix } }
        set {
            let copy = newValue?.copy() as? AVAudioMix
            settings.withLock { $0.audioMix = copy }
            let mix = copy?.itemMix ?? ItemMix()
            if core.wishes.mix != mix { core.setWishes { $0.mix = mix } }
        }
    }

    /// Whether the item can play at rates above 1; `false` for a live stream.
    nonisolated open var canPlayFastForward: Bool { canBePlayedAtOtherRates }
    /// Whether the item can play at rates between 0 and 1; `false` for a live stream.
    nonisolated open var canPlaySlowForward: Bool { canBePlayedAtOtherRates }
    /// Always `false`: Tutti does not play backwards.
    nonisolated open var canPlayReverse: Bool { false }
    /// Always `false`: Tutti does not play backwards.
    nonisolated open var canPlaySlowReverse: Bool { false }
    /// Always `false`: Tutti does not play backwards.
    nonisolated open var canPlayFastReverse: Bool { false }
    /// Whether ``step(byCount:)`` can go to later pictures.
    nonisolated open var canStepForward: Bool { hasPictures && canBePlayedAtOtherRates }
    /// Whether ``step(byCount:)`` can go to earlier pictures.
    nonisolated open var canStepBackward: Bool { canStepForward }

    nonisolated private var hasPictures: Bool {
        core.state.facts?.info?.stream(within: .zero) != nil
    }

    nonisolated private var canBePlayedAtOtherRates: Bool {
        status == .readyToPlay && core.state.facts?.isLive == false
    }

    /// Seeks by a number of pictures: later ones, or earlier ones for a negative number. Does nothing for an item without
    /// pictures.
    nonisolated open func step(byCount stepCount: Int) {
        guard stepCount != 0, let info = core.state.facts?.info, let stream = info.stream(within: .zero)
        else { return }
        let now = core.currentTime
        let neighbour =
            stepCount == 1
            ? pictures.feed?.next(after: now)?.time
            : stepCount == -1 ? pictures.feed?.lastPicture(beforeThatAt: now) : nil
        if let neighbour { return seek(to: neighbour, completionHandler: nil) }
        let rate = stream.pictureRate > 0 ? stream.pictureRate : 25
        // To the middle of the picture: the rate is rounded, and that of a part of the film may be another.
        let distance = CMTime(seconds: (Double(stepCount) + 0.5) / rate, preferredTimescale: 90_000)
        let shown = pictures.feed?.time(ofPictureAt: now) ?? now
        seek(to: max(.zero, shown + distance), completionHandler: nil)
    }

    // MARK: Seeking

    /// Seeks the player while the item is current; before that, sets the time at which the item will start.
    ///
    /// - Parameter completionHandler: Called on the main queue: `true` when the seek is done, `false` when
    ///   another seek or item replaced this seek, or `time` is invalid.
    @preconcurrency
    nonisolated open func seek(
        to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) { core.seek(to: time) { completionHandler?($0) } }

    /// See ``seek(to:completionHandler:)->()``.
    @preconcurrency
    nonisolated open func seek(
        to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
        completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) { seek(to: time, completionHandler: completionHandler) }

    /// See ``seek(to:completionHandler:)->()``.
    @discardableResult
    nonisolated open func seek(to time: CMTime) async -> Bool {
        await withCheckedContinuation { reply in seek(to: time) { reply.resume(returning: $0) } }
    }

    /// See ``seek(to:toleranceBefore:toleranceAfter:completionHandler:)``.
    @discardableResult
    nonisolated open func seek(
        to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime
    ) async -> Bool {
        await seek(to: time)
    }

    /// Cancels the pending seek; its completion handler gets `false`.
    nonisolated open func cancelPendingSeeks() { core.cancelPendingSeeks() }

    /// Always `nil`: sources carry no dates.
    nonisolated open func currentDate() -> Date? { nil }

    // MARK: Metadata

    /// Metadata that the program adds to the item's own. Stored without effect.
    open var externalMetadata: [AVMetadataItem] {
        get { settings.withLock { $0.externalMetadata } }
        set { settings.withLock { $0.externalMetadata = newValue } }
    }

    /// The title that is audible now in a live stream, and the artist if the stream names one; `nil` before
    /// the first title. Observable.
    nonisolated public var timedMetadata: [AVMetadataItem]? {
        state("timedMetadata").title.map { AVMetadataItem.items(of: $0) }
    }

    /// Now-playing values for the item, by the keys of MediaPlayer. An `MPNowPlayingSession` that publishes
    /// automatically merges them with its own. Observable.
    nonisolated open var nowPlayingInfo: [String: Any]? {
        get {
            observations.access("nowPlayingInfo")
            return nowPlaying.value
        }
        set { observations.change("nowPlayingInfo") { nowPlaying.value = newValue } }
    }

    nonisolated private let nowPlaying = NowPlayingValues()
}
