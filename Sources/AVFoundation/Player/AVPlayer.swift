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
    /// Whether the player can be used.
    public enum Status: Int, Sendable {
        /// No item could be played yet.
        case unknown
        /// An item could be played.
        case readyToPlay
        /// For good: make a new player.
        case failed
    }

    /// What the player does about ``rate``.
    public enum TimeControlStatus: Int, Sendable {
        /// ``rate`` is 0.
        case paused = 0
        /// It will play when there is enough, or an item.
        case waitingToPlayAtSpecifiedRate = 1
        /// It plays.
        case playing = 2
    }

    /// What happens when an item has been heard to its end.
    public enum ActionAtItemEnd: Int, Sendable {
        /// Another one follows; as ``pause`` in a player that is no queue.
        case advance = 0
        /// ``AVPlayer/rate`` becomes 0; time stays at the end.
        case pause = 1
        /// The rate stays, and so does time.
        case none = 2
    }

    /// Why a player waits.
    public struct WaitingReason: RawRepresentable, Hashable, Sendable {
        /// The reason's name.
        public let rawValue: String

        /// The reason of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Too little is at hand to play on without a stall.
        public static let toMinimizeStalls = WaitingReason(
            rawValue: "AVPlayerWaitingToMinimizeStallsReason")
        /// The player looks how fast its item comes.
        public static let evaluatingBufferingRate = WaitingReason(
            rawValue: "AVPlayerWaitingWhileEvaluatingBufferingRateReason")
        /// There is nothing to play.
        public static let noItemToPlay = WaitingReason(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
        /// Never here: nothing is put in between.
        public static let interstitialEvent = WaitingReason(
            rawValue: "AVPlayerWaitingDuringInterstitialEventReason")
        /// Never here: no others take part.
        public static let waitingForCoordinatedPlayback = WaitingReason(
            rawValue: "AVPlayerWaitingForCoordinatedPlaybackReason")
    }

    /// Why ``rate`` changed, in the user info of ``rateDidChangeNotification``.
    public struct RateDidChangeReason: RawRepresentable, Hashable, Sendable {
        /// The reason's name.
        public let rawValue: String

        /// The reason of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The program asked for it.
        public static let setRateCalled = RateDidChangeReason(
            rawValue: "AVPlayerRateDidChangeReasonSetRateCalled")
        /// It could not be played.
        public static let setRateFailed = RateDidChangeReason(
            rawValue: "AVPlayerRateDidChangeReasonSetRateFailed")
        /// Another player took the speakers.
        public static let audioSessionInterrupted = RateDidChangeReason(
            rawValue: "AVPlayerRateDidChangeReasonAudioSessionInterrupted")
        /// Never here.
        public static let appBackgrounded = RateDidChangeReason(
            rawValue: "AVPlayerRateDidChangeReasonAppBackgrounded")
    }

    /// Posted after each change of ``rate``; any thread.
    nonisolated open class var rateDidChangeNotification: NSNotification.Name {
        NSNotification.Name("AVPlayerRateDidChangeNotification")
    }

    /// Key of the notification's user info: an ``RateDidChangeReason``.
    nonisolated open class var rateDidChangeReasonKey: String { "AVPlayerRateDidChangeReasonKey" }

    nonisolated let core: PlayerCore
    nonisolated let observations = PropertyObservations()
    nonisolated private let poster = NotificationPoster()
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
    nonisolated public override convenience init() { self.init(queue: RouteCatalogue.shared.makeQueue()) }

    /// A player of what an address or file has.
    nonisolated public convenience init(url URL: URL) {
        self.init(playerItem: AVPlayerItem(url: URL))
    }

    /// A player of an item, which must not belong to another player.
    nonisolated public convenience init(playerItem item: AVPlayerItem?) {
        self.init()
        replaceCurrentItem(with: item)
    }

    /// - Parameter queue: where the sound goes.
    nonisolated init(queue: RenderQueue, endAction: PlayerCore.EndAction = .pause) {
        core = PlayerCore(renderQueue: queue, endAction: endAction)
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
            self.poster.post(Self.rateDidChangeNotification, of: self) {
                [Self.rateDidChangeReasonKey: RateDidChangeReason(reason)]
            }
        }
        core.setEvents(events)
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
        else { return }
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

extension AVPlayer.WaitingReason {
    fileprivate init(_ reason: TransportMachine.WaitingReason) {
        switch reason {
        case .toMinimizeStalls: self = .toMinimizeStalls
        case .evaluatingBufferingRate: self = .evaluatingBufferingRate
        case .noItemToPlay: self = .noItemToPlay
        }
    }
}

extension AVPlayer.RateDidChangeReason {
    fileprivate init(_ reason: PlayerCore.RateReason) {
        switch reason {
        case .asked: self = .setRateCalled
        case .failed: self = .setRateFailed
        case .interrupted: self = .audioSessionInterrupted
        }
    }
}
