import Dispatch
import KeyValueObserving
import MediaTime
import Playback
import Synchronization

/// Plays one item: a file, an address, a live stream, on the current output route.
///
/// What the program sets reads back at once; what becomes of it is told by key-value observing and notifications, on
/// whatever thread it happens. Any thread.
@preconcurrency @MainActor
open class AVPlayer: NSObject {
    /// Posted after each change of ``rate``; any thread.
    nonisolated open class var rateDidChangeNotification: NSNotification.Name {
        NSNotification.Name("AVPlayerRateDidChangeNotification")
    }

    /// Key of the notification's user info: an ``RateDidChangeReason``; nothing where playing came to its end.
    nonisolated open class var rateDidChangeReasonKey: String { "AVPlayerRateDidChangeReasonKey" }

    /// Posted when an edit of what the outputs have came too late to be heard without a gap; any thread. Of Tutti.
    nonisolated public class var tuttiEditWasLateNotification: NSNotification.Name {
        NSNotification.Name("TuttiPlayerEditWasLateNotification")
    }

    /// Whether players, their items, the items' tracks and loopers take part in Swift's Observation beside key-value
    /// observing; `false` at first. To be set before the first of these is made.
    open class var isObservationEnabled: Bool {
        get { observationChoice.isEnabled }
        set {
            isRightUse(
                observationChoice.choose(newValue),
                "isObservationEnabled must be set before the first player or item is made")
        }
    }

    nonisolated static let observationChoice = ObservationChoice()

    nonisolated let core: PlayerCore
    nonisolated let observations: PropertyObservations
    /// One for players and items: what happens in an order is told in it.
    nonisolated static let poster = NotificationPoster()
    nonisolated private let settings = Mutex(Settings())

    private struct Settings {
        var defaultRate: Float = 1
        var allowsExternalPlayback = true
        var usesExternalPlayback = false
        var preventsSleep = true
        var selectsMedia = true
        var sourceClock: CMClock?
        var device: String?
    }

    // MARK: Making

    /// A player without an item.
    nonisolated public override init() {
        core = PlayerCore(renderQueue: RouteCatalogue.shared.makeQueue(), endAction: .pause)
        observations = Self.observationChoice.makeObservations()
        super.init()
        listen()
    }

    /// A player of what an address or file has.
    nonisolated public init(url URL: URL) {
        core = PlayerCore(renderQueue: RouteCatalogue.shared.makeQueue(), endAction: .pause)
        observations = Self.observationChoice.makeObservations()
        super.init()
        listen()
        replaceCurrentItem(with: AVPlayerItem(url: URL))
    }

    /// A player of an item, which must not belong to another player.
    nonisolated public init(playerItem item: AVPlayerItem?) {
        core = PlayerCore(renderQueue: RouteCatalogue.shared.makeQueue(), endAction: .pause)
        observations = Self.observationChoice.makeObservations()
        super.init()
        listen()
        replaceCurrentItem(with: item)
    }

    /// - Parameter queue: where the sound goes.
    nonisolated init(
        queue: RenderQueue, observations: PropertyObservations = AVPlayer.observationChoice.makeObservations()
    ) {
        core = PlayerCore(renderQueue: queue, endAction: .pause)
        self.observations = observations
        super.init()
        listen()
    }

    nonisolated private func listen() {
        var events = PlayerCore.Events()
        let observations = observations
        events.change = { properties, change in
            observations.change(of: properties.map { ObservedProperty($0.rawValue) }, by: change)
        }
        events.rateDidChange = { [weak self] reason in
            guard let self else { return }
            Self.poster.post(Self.rateDidChangeNotification, of: self) {
                RateDidChangeReason(reason).map { [Self.rateDidChangeReasonKey: $0] }
            }
        }
        events.editWasLate = { [weak self] in
            guard let self else { return }
            Self.poster.post(Self.tuttiEditWasLateNotification, of: self)
        }
        core.setEvents(events)
        if self is AVQueuePlayer { setActionAtItemEnd(.advance) }
    }

    // MARK: State

    /// Observable.
    nonisolated open var status: Status {
        observations.access("status")
        return Status(rawValue: core.status.rawValue) ?? .unknown
    }

    /// Why ``status`` is `failed`. Observable.
    nonisolated open var error: (any Error)? {
        observations.access("error")
        return core.error
    }

    /// The item that is heard. Observable; changes when the next one is heard.
    nonisolated open var currentItem: AVPlayerItem? {
        observations.access("currentItem")
        return AVPlayerItem.of(core.currentItem)
    }

    /// Puts another item in the place of the current one; in a queue those behind it stay.
    nonisolated open func replaceCurrentItem(with item: AVPlayerItem?) {
        let isOurs = core.replaceCurrentItem(with: item?.core)
        isRightUse(isOurs, "an item belongs to one player at a time")
    }

    // MARK: Transport

    /// As it was asked for; 0 exactly while paused. Observable.
    nonisolated open var rate: Float {
        get {
            observations.access("rate")
            return core.machine.rate
        }
        set { core.setRate(Self.playable(newValue)) }
    }

    /// The rate of ``play()``.
    nonisolated open var defaultRate: Float {
        get { settings.withLock { $0.defaultRate } }
        set { settings.withLock { $0.defaultRate = Self.playable(newValue) } }
    }

    /// Plays, at ``defaultRate``.
    nonisolated open func play() { rate = defaultRate }

    /// Sets ``rate`` to 0.
    nonisolated open func pause() { core.setRate(0) }

    /// Plays whatever is at hand, without waiting for more.
    nonisolated open func playImmediately(atRate rate: Float) { core.playImmediately(Self.playable(rate)) }

    /// Backwards is silence on every speaker: it cannot be played, and is held at 0.
    nonisolated private static func playable(_ rate: Float) -> Float {
        rate.isFinite ? min(max(rate, 0), Self.highestRate) : 0
    }

    nonisolated private static let highestRate: Float = 32

    /// Whether it plays, waits or is paused. Observable.
    nonisolated open var timeControlStatus: TimeControlStatus {
        observations.access("timeControlStatus")
        return TimeControlStatus(rawValue: core.machine.control.rawValue) ?? .paused
    }

    /// Why it waits; else `nil`. Observable.
    nonisolated open var reasonForWaitingToPlay: WaitingReason? {
        observations.access("reasonForWaitingToPlay")
        return core.machine.reason.map { WaitingReason($0) }
    }

    /// Whether a start waits until the item can be expected to play on without a stall; `true` at first.
    nonisolated open var automaticallyWaitsToMinimizeStalling: Bool {
        get { core.machine.automaticallyWaits }
        set { core.setAutomaticallyWaits(newValue) }
    }

    /// What happens at an item's end; ``ActionAtItemEnd/pause`` at first.
    nonisolated open var actionAtItemEnd: ActionAtItemEnd {
        get { endAction.withLock { $0 } ?? .pause }
        set { setActionAtItemEnd(newValue) }
    }

    nonisolated private let endAction = Mutex<ActionAtItemEnd?>(nil)

    nonisolated func setActionAtItemEnd(_ action: ActionAtItemEnd) {
        endAction.withLock { $0 = action }
        switch action {
        case .advance: core.endAction = self is AVQueuePlayer ? .advance : .pause
        case .pause: core.endAction = .pause
        case .none: core.endAction = .none
        }
    }

    /// The current item's time; 0 without one.
    nonisolated open func currentTime() -> CMTime { core.currentTime }

    /// Goes on at `time`, exactly; wider tolerances would allow what lies near it.
    nonisolated open func seek(to time: CMTime) { seek(to: time) { _ in } }

    /// Goes on at `time`.
    ///
    /// - Parameter completionHandler: on the main queue: `true` when it is there; `false` when a later seek, or another
    ///   item, came first.
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

    /// Goes on at `time`, exactly, which every tolerance allows.
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

    /// Makes item `time` heard when the host clock reads `hostClockTime`. Needs
    /// ``automaticallyWaitsToMinimizeStalling`` to be off.
    nonisolated open func setRate(_ rate: Float, time itemTime: CMTime, atHostTime hostClockTime: CMTime) {
        guard
            isRightUse(
                !automaticallyWaitsToMinimizeStalling,
                "a start at a host time needs automaticallyWaitsToMinimizeStalling to be off")
        else { return }
        let host = hostClockTime.convertScale(1_000_000_000, method: .roundHalfAwayFromZero)
        core.setRate(
            Self.playable(rate), time: itemTime,
            host: host.isNumeric ? HostTime(nanoseconds: host.value) : nil)
    }

    /// Gets the outputs ready for a start.
    ///
    /// - Parameter completionHandler: on the main queue: `true` when a start would be heard at once; `false` when
    ///   something else came first.
    @preconcurrency
    nonisolated open func preroll(
        atRate rate: Float, completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) {
        guard
            isRightUse(
                self.rate == 0 && status == .readyToPlay,
                "a preroll needs a player that is paused and ready")
        else {
            DispatchQueue.main.async { completionHandler?(false) }
            return
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

    /// Ends prerolls under way with `false`.
    nonisolated open func cancelPendingPrerolls() { core.cancelPreroll() }

    // MARK: Sound

    /// Scale of this player's samples, 0 ... 1; a speaker's own volume belongs to the route. Observable.
    nonisolated open var volume: Float {
        get {
            observations.access("volume")
            return core.renderQueue.volume
        }
        set { observations.change("volume") { core.renderQueue.volume = newValue } }
    }

    /// Whether nothing of it is heard; the volume stays. Observable.
    nonisolated open var isMuted: Bool {
        get {
            observations.access("isMuted")
            return core.renderQueue.isMuted
        }
        set { observations.change("isMuted") { core.renderQueue.isMuted = newValue } }
    }

    /// The one output of this machine that it plays on; `nil` follows the route.
    nonisolated open var audioOutputDeviceUniqueID: String? {
        get { settings.withLock { $0.device } }
        set {
            settings.withLock { $0.device = newValue }
            RouteCatalogue.shared.pin(core.renderQueue, to: newValue)
        }
    }

    // MARK: Kept, and of no effect: they are about pictures on other screens

    /// Kept and given back; sound follows the route whatever it says.
    nonisolated open var allowsExternalPlayback: Bool {
        get { settings.withLock { $0.allowsExternalPlayback } }
        set { settings.withLock { $0.allowsExternalPlayback = newValue } }
    }

    /// Always `false`: no pictures are sent to other screens.
    nonisolated open var isExternalPlaybackActive: Bool { false }

    /// Kept and given back.
    nonisolated open var usesExternalPlaybackWhileExternalScreenIsActive: Bool {
        get { settings.withLock { $0.usesExternalPlayback } }
        set { settings.withLock { $0.usesExternalPlayback = newValue } }
    }

    /// Kept and given back.
    nonisolated open var preventsDisplaySleepDuringVideoPlayback: Bool {
        get { settings.withLock { $0.preventsSleep } }
        set { settings.withLock { $0.preventsSleep = newValue } }
    }

    /// Kept and given back.
    nonisolated open var appliesMediaSelectionCriteriaAutomatically: Bool {
        get { settings.withLock { $0.selectsMedia } }
        set { settings.withLock { $0.selectsMedia = newValue } }
    }

    /// Kept and given back: time follows the host clock.
    nonisolated open var sourceClock: CMClock? {
        get { settings.withLock { $0.sourceClock } }
        set { settings.withLock { $0.sourceClock = newValue } }
    }
}
