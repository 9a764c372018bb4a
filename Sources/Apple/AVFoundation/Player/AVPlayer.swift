import Dispatch
import Playback
import Synchronization
import TuttiKeyValueObserving
import TuttiMediaTime

/// A player of one item (a file, a URL or a live stream) on the current output route.
///
/// A property that the program sets reads back at once. Key-value observing and notifications report the
/// outcome, on any thread. Callable from any thread.
@preconcurrency @MainActor
open class AVPlayer: NSObject {
    /// Posted after each change of ``rate``; any thread.
    nonisolated open class var rateDidChangeNotification: NSNotification.Name {
        NSNotification.Name("AVPlayerRateDidChangeNotification")
    }

    /// Key of ``rateDidChangeNotification``'s user info: a ``RateDidChangeReason``; absent when playback
    /// reached its end.
    nonisolated open class var rateDidChangeReasonKey: String { "AVPlayerRateDidChangeReasonKey" }

    /// Posted when a queue edit missed its deadline, so playback has a gap; any thread. Tutti's extension.
    nonisolated public class var tuttiEditWasLateNotification: NSNotification.Name {
        NSNotification.Name("TuttiPlayerEditWasLateNotification")
    }

    /// Whether players, items, item tracks and loopers also take part in Swift's Observation; `false` at
    /// first. Set the property before the first such object is made.
    open class var isObservationEnabled: Bool {
        get { observationChoice.isEnabled }
        set {
            checkAPIUse(
                observationChoice.choose(newValue),
                "isObservationEnabled must be set before the first player or item is made")
        }
    }

    nonisolated static let observationChoice = ObservationChoice()

    nonisolated let core: PlayerDriver
    /// The selection of outputs that the player follows; `RouteCatalogue.shared` unless it was made for another.
    /// Tutti's extension.
    nonisolated public let tuttiRoutes: RouteCatalogue
    nonisolated let observations: PropertyObservations
    /// Shared by players and items, so notifications keep the order of events across both.
    nonisolated static let poster = NotificationPoster()
    nonisolated private let settings = Mutex(Settings())
    nonisolated let selectionCriteria = Mutex<[AVMediaCharacteristic: AVPlayerMediaSelectionCriteria]>([:])

    private struct Settings {
        var defaultRate: Float = 1
        var endAction = ActionAtItemEnd.pause
        var allowsExternalPlayback = true
        var usesExternalPlayback = false
        var preventsSleep = true
        var selectsMedia = true
        var sourceClock: CMClock?
    }

    // MARK: Making

    /// Creates a player without an item.
    nonisolated public override init() {
        (tuttiRoutes, core, observations) = AVPlayer.parts()
        super.init()
        listen()
    }

    /// Creates a player of a file URL or an `http` or `https` URL.
    nonisolated public init(url URL: URL) {
        (tuttiRoutes, core, observations) = AVPlayer.parts()
        super.init()
        listen()
        replaceCurrentItem(with: AVPlayerItem(url: URL))
    }

    /// Creates a player of an item, which must not belong to another player.
    nonisolated public init(playerItem item: AVPlayerItem?) {
        (tuttiRoutes, core, observations) = AVPlayer.parts()
        super.init()
        listen()
        replaceCurrentItem(with: item)
    }

    /// Creates a player without an item, whose sound goes to another selection of outputs than the program's common
    /// one, see `RouteCatalogue.makeSelection()`. Tutti's extension.
    nonisolated public init(tuttiRoutes: RouteCatalogue) {
        (self.tuttiRoutes, core, observations) = AVPlayer.parts(on: tuttiRoutes)
        super.init()
        listen()
    }

    /// - Parameter queue: The render queue that receives the player's sound.
    nonisolated init(
        queue: RenderQueue, observations: PropertyObservations = AVPlayer.observationChoice.makeObservations()
    ) {
        tuttiRoutes = .shared
        core = PlayerDriver(renderQueue: queue, endAction: .pause, machine: RouteCatalogue.shared.machine)
        self.observations = observations
        super.init()
        listen()
    }

    /// Makes the parts of a player whose sound goes to a selection of outputs.
    nonisolated private static func parts(
        on routes: RouteCatalogue = .shared
    ) -> (RouteCatalogue, PlayerDriver, PropertyObservations) {
        let core = PlayerDriver(
            renderQueue: routes.makeQueue(), endAction: .pause, machine: routes.machine)
        return (routes, core, observationChoice.makeObservations())
    }

    nonisolated private func listen() {
        core.setEvents(PlayerDriver.Events(of: self))
        if self is AVQueuePlayer {
            settings.withLock { $0.endAction = .advance }
            core.endAction = .advance
        }
    }

    // MARK: State

    /// Whether the player can be used. Observable.
    nonisolated open var status: Status {
        observations.access("status")
        return Status(rawValue: core.status.rawValue) ?? .unknown
    }

    /// The cause of a `failed` ``status``; else `nil`. Observable.
    nonisolated open var error: (any Error)? {
        observations.access("error")
        return core.error
    }

    /// The audible item. Observable; changes when the next item becomes audible.
    nonisolated open var currentItem: AVPlayerItem? {
        observations.access("currentItem")
        return AVPlayerItem.of(core.currentItem)
    }

    /// Replaces the current item. A queue keeps the items after the current item.
    nonisolated open func replaceCurrentItem(with item: AVPlayerItem?) {
        checkAPIUse(core.replaceCurrentItem(with: item?.core), "an item belongs to one player at a time")
    }

    // MARK: Transport

    /// The requested rate, 0 ... 32; 0 exactly while paused. Observable.
    nonisolated open var rate: Float {
        get {
            observations.access("rate")
            return core.machine.rate
        }
        set { core.setRate(newValue) }
    }

    /// The rate that ``play()`` uses; 1 at first.
    nonisolated open var defaultRate: Float {
        get { settings.withLock { $0.defaultRate } }
        set { settings.withLock { $0.defaultRate = TransportMachine.playable(newValue) } }
    }

    /// Sets ``rate`` to ``defaultRate``.
    nonisolated open func play() { rate = defaultRate }

    /// Sets ``rate`` to 0.
    nonisolated open func pause() { core.setRate(0) }

    /// Starts with the sound at hand, without buffering more.
    nonisolated open func playImmediately(atRate rate: Float) { core.playImmediately(rate) }

    /// Whether the player plays, waits or is paused. Observable.
    nonisolated open var timeControlStatus: TimeControlStatus {
        observations.access("timeControlStatus")
        return TimeControlStatus(rawValue: core.machine.control.rawValue) ?? .paused
    }

    /// The reason for waiting; `nil` while the player does not wait. Observable.
    nonisolated open var reasonForWaitingToPlay: WaitingReason? {
        observations.access("reasonForWaitingToPlay")
        return core.machine.reason.map { WaitingReason($0) }
    }

    /// Whether a start waits until the item is expected to play without a stall; `true` at first.
    nonisolated open var automaticallyWaitsToMinimizeStalling: Bool {
        get { core.machine.automaticallyWaits }
        set { core.setAutomaticallyWaits(newValue) }
    }

    /// The action at an item's end; at first ``ActionAtItemEnd/pause``, in a queue player
    /// ``ActionAtItemEnd/advance``.
    nonisolated open var actionAtItemEnd: ActionAtItemEnd {
        get { settings.withLock { $0.endAction } }
        set {
            settings.withLock { $0.endAction = newValue }
            core.endAction = .init(newValue, isQueue: self is AVQueuePlayer)
        }
    }

    /// The current item's audible time; 0 without an item.
    nonisolated open func currentTime() -> CMTime { core.currentTime }

    /// Continues at item time `time`, exactly.
    nonisolated open func seek(to time: CMTime) { seek(to: time) { _ in } }

    /// Continues at item time `time`.
    ///
    /// - Parameter completionHandler: Called on the main queue: `true` when the seek is done; `false` when a
    ///   later seek or another item replaced this seek.
    @preconcurrency
    nonisolated open func seek(to time: CMTime, completionHandler: @escaping @Sendable (Bool) -> Void) {
        core.seek(to: time, completion: completionHandler)
    }

    /// See ``seek(to:completionHandler:)``.
    @discardableResult
    nonisolated open func seek(to time: CMTime) async -> Bool {
        await withCheckedContinuation { continuation in
            seek(to: time) { continuation.resume(returning: $0) }
        }
    }

    /// Continues at item time `time`, exactly, which satisfies every tolerance.
    nonisolated open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) {
        seek(to: time) { _ in }
    }

    /// See ``seek(to:completionHandler:)``.
    @preconcurrency
    nonisolated open func seek(
        to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) { seek(to: time, completionHandler: completionHandler) }

    /// See ``seek(to:completionHandler:)``.
    @discardableResult
    nonisolated open func seek(
        to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime
    ) async -> Bool { await seek(to: time) }

    /// Makes item `time` audible when the host clock reads `hostClockTime`. Requires
    /// ``automaticallyWaitsToMinimizeStalling`` to be off.
    nonisolated open func setRate(_ rate: Float, time itemTime: CMTime, atHostTime hostClockTime: CMTime) {
        let isAllowed = checkAPIUse(
            !automaticallyWaitsToMinimizeStalling,
            "a start at a host time requires automaticallyWaitsToMinimizeStalling to be off")
        let host = hostClockTime.nanoseconds.map { HostTime(nanoseconds: $0) }
        if isAllowed { core.setRate(rate, time: itemTime, host: host) }
    }

    /// Fills the outputs for a start. The player must be paused and `readyToPlay`.
    ///
    /// - Parameter completionHandler: Called on the main queue: `true` when the outputs are ready to start at
    ///   once; `false` when the preroll was cancelled or is not possible.
    @preconcurrency
    nonisolated open func preroll(atRate rate: Float, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        let isReady = self.rate == 0 && status == .readyToPlay
        guard checkAPIUse(isReady, "a preroll requires a player that is paused and ready") else {
            return DispatchQueue.main.async { completionHandler?(false) }
        }
        core.preroll { completionHandler?($0) }
    }

    /// See ``preroll(atRate:completionHandler:)``.
    @discardableResult
    nonisolated open func preroll(atRate rate: Float) async -> Bool {
        await withCheckedContinuation { continuation in
            preroll(atRate: rate) { continuation.resume(returning: $0) }
        }
    }

    /// Cancels the pending preroll; its completion handler gets `false`.
    nonisolated open func cancelPendingPrerolls() { core.cancelPreroll() }

    // MARK: Sound

    /// The linear gain of this player's samples, 0 ... 1; a speaker's own volume belongs to the route.
    /// Observable.
    nonisolated open var volume: Float {
        get {
            observations.access("volume")
            return core.renderQueue.volume
        }
        set { observations.change("volume") { core.renderQueue.volume = newValue } }
    }

    /// Whether the player is silent; muting keeps ``volume``. Observable.
    nonisolated open var isMuted: Bool {
        get {
            observations.access("isMuted")
            return core.renderQueue.isMuted
        }
        set { observations.change("isMuted") { core.renderQueue.isMuted = newValue } }
    }

    /// The local output device that the player is pinned to; `nil` follows the route.
    nonisolated open var audioOutputDeviceUniqueID: String? {
        get { tuttiRoutes.device(of: core.renderQueue) }
        set { tuttiRoutes.pin(core.renderQueue, to: newValue) }
    }

    // MARK: Pictures

    /// Whether the sinks of the player's layers keep the display awake while pictures play, or wait to play; `true` at first.
    /// Observable.
    nonisolated open var preventsDisplaySleepDuringVideoPlayback: Bool {
        get {
            observations.access("preventsDisplaySleepDuringVideoPlayback")
            return settings.withLock { $0.preventsSleep }
        }
        set {
            observations.change("preventsDisplaySleepDuringVideoPlayback") {
                settings.withLock { $0.preventsSleep = newValue }
            }
        }
    }

    // MARK: Stored without effect: video on external screens

    /// Stored without effect: sound always follows the route.
    nonisolated open var allowsExternalPlayback: Bool {
        get { settings.withLock { $0.allowsExternalPlayback } }
        set { settings.withLock { $0.allowsExternalPlayback = newValue } }
    }

    /// Always `false`: Tutti sends no video to external screens.
    nonisolated open var isExternalPlaybackActive: Bool { false }

    /// Stored without effect.
    nonisolated open var usesExternalPlaybackWhileExternalScreenIsActive: Bool {
        get { settings.withLock { $0.usesExternalPlayback } }
        set { settings.withLock { $0.usesExternalPlayback = newValue } }
    }

    /// Stored without effect.
    nonisolated open var appliesMediaSelectionCriteriaAutomatically: Bool {
        get { settings.withLock { $0.selectsMedia } }
        set { settings.withLock { $0.selectsMedia = newValue } }
    }

    /// Stored without effect: time follows the host clock.
    nonisolated open var sourceClock: CMClock? {
        get { settings.withLock { $0.sourceClock } }
        set { settings.withLock { $0.sourceClock = newValue } }
    }
}
