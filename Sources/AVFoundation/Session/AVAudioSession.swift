import Dispatch
import Foundation
import KeyValueObserving
import Playback
import Synchronization

/// What a program's sound is to the user, and where it goes.
///
/// The route is the whole process's: every renderer and player plays there. With a long-form policy speakers on the
/// network are filled with minutes, and what the user's programs of this kind chose last is used. Any thread; every
/// notification may come on any thread, its object is the session.
open class AVAudioSession: NSObject, @unchecked Sendable {
    // Safe to share: `catalogue` and `observations` are Sendable and immutable, all else is behind `state`.

    private struct State {
        var category = Category.soloAmbient
        var mode = Mode.default
        var options: CategoryOptions = []
        var policy = RouteSharingPolicy.default
        var isActive = false
        var sampleRate = 44_100.0
        var bufferDuration = 0.01
        var watch: RouteObservation?
        var volumeWatch: RouteObservation?
        var turnWatch: RouteObservation?
        var volume: Float = 1
    }

    private static let shared = AVAudioSession(catalogue: .shared)

    /// The process's one session.
    open class func sharedInstance() -> AVAudioSession { shared }

    private let catalogue: RouteCatalogue
    private let observations = PropertyObservations()
    private let poster = NotificationPoster()
    private let state = Mutex(State())

    init(catalogue: RouteCatalogue) {
        self.catalogue = catalogue
        super.init()
        let watch = catalogue.observeRoute { [weak self] change, before in
            self?.routeDidChange(change, before)
        }
        let volumeWatch = catalogue.observe { [weak self] options in self?.volumeDidChange(options) }
        let turnWatch = catalogue.observeInterruptions { [weak self] interruption in
            self?.interrupt(interruption == .began ? .began : .ended, shouldResume: interruption == .ended)
        }
        state.withLock { ($0.watch, $0.volumeWatch, $0.turnWatch) = (watch, volumeWatch, turnWatch) }
    }

    // MARK: Category, mode, policy

    /// What kind of sound the program makes; ``Category/soloAmbient`` at first.
    open var category: Category { state.withLock { $0.category } }
    /// What the category is used for; ``Mode/default`` at first.
    open var mode: Mode { state.withLock { $0.mode } }
    /// How the category behaves beside others; none at first.
    open var categoryOptions: CategoryOptions { state.withLock { $0.options } }
    /// Whether the route is shared between long-form programs; ``RouteSharingPolicy/default`` at first.
    open var routeSharingPolicy: RouteSharingPolicy { state.withLock { $0.policy } }

    /// Those that are of use without a microphone, and those that compile.
    open var availableCategories: [Category] { [.ambient, .soloAmbient, .playback, .multiRoute] }
    /// Those that are of use without a microphone and a camera.
    open var availableModes: [Mode] { [.default, .moviePlayback, .spokenAudio, .measurement] }

    /// Sets the category; the mode becomes the default one. See ``setCategory(_:mode:policy:options:)``.
    open func setCategory(_ category: Category) throws { try setCategory(category, options: []) }

    /// Sets the category; the mode becomes the default one.
    open func setCategory(_ category: Category, options: CategoryOptions) throws {
        try setCategory(category, mode: .default, options: options)
    }

    /// Sets the category and mode, with the default policy.
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try setCategory(category, mode: mode, policy: .default, options: options)
    }

    /// Says what the program's sound is.
    ///
    /// - Throws: an error of `NSOSStatusErrorDomain`, and nothing changes: a long-form policy needs the category
    ///   `playback` and the mode `default`, `spokenAudio` or `moviePlayback`.
    open func setCategory(
        _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
    ) throws {
        if policy.isLongForm {
            guard category == .playback, [.default, .spokenAudio, .moviePlayback].contains(mode) else {
                throw Self.error(
                    .badParam,
                    "a long-form policy needs the category playback, and the mode default, spokenAudio or moviePlayback"
                )
            }
        }
        state.withLock { state in
            (state.category, state.mode, state.policy, state.options) = (category, mode, policy, options)
        }
        catalogue.setLongForm(policy.isLongForm)
    }

    /// Changes the mode alone.
    ///
    /// - Throws: where the policy does not allow it; nothing changes then.
    open func setMode(_ mode: Mode) throws {
        let (category, policy, options) = state.withLock { ($0.category, $0.policy, $0.options) }
        try setCategory(category, mode: mode, policy: policy, options: options)
    }

    // MARK: Activity

    /// Begins or ends the program's claim to sound.
    ///
    /// - Throws: ``ErrorCode/isBusy`` when the session ends while something plays; that is paused.
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        state.withLock { $0.isActive = active }
        if !active, catalogue.pauseAll() {
            throw Self.error(.isBusy, "something was still playing; it is paused now")
        }
    }

    /// As ``setActive(_:options:)`` with `true`.
    ///
    /// - Parameter handler: called once, on any thread.
    @preconcurrency
    open func activate(
        options: ActivationOptions = [],
        completionHandler handler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        state.withLock { $0.isActive = true }
        DispatchQueue.global().async { handler(true, nil) }
    }

    /// See ``activate(options:completionHandler:)``.
    open func activate(options: ActivationOptions = []) async throws -> Bool {
        state.withLock { $0.isActive = true }
        return true
    }

    /// Other programs' sound is not known here.
    open var isOtherAudioPlaying: Bool { false }
    /// Always `false`: other programs' sound is not known here.
    open var secondaryAudioShouldBeSilencedHint: Bool { false }

    // MARK: Route

    /// Where sound goes now.
    open var currentRoute: AVAudioSessionRouteDescription {
        AVAudioSessionRouteDescription(catalogue.options)
    }

    /// 0 ... 1, of the outputs together: the mean of the speakers' volumes where they are known. Observable.
    open var outputVolume: Float {
        observations.access("outputVolume")
        return state.withLock { $0.volume }
    }

    /// Seconds between a sample's time and its sound: small, because times are those at which it is heard.
    open var outputLatency: TimeInterval { 0.01 }
    /// Always 0: nothing is recorded here.
    open var inputLatency: TimeInterval { 0 }
    /// Seconds.
    open var ioBufferDuration: TimeInterval { state.withLock { $0.bufferDuration } }
    /// Seconds, as they were asked for.
    open var preferredIOBufferDuration: TimeInterval { ioBufferDuration }
    /// Hertz.
    open var sampleRate: Double { state.withLock { $0.sampleRate } }
    /// Hertz, as they were asked for.
    open var preferredSampleRate: Double { sampleRate }
    /// Always 2: what has more is mixed down.
    open var outputNumberOfChannels: Int { 2 }
    /// Always 2.
    open var maximumOutputNumberOfChannels: Int { 2 }

    /// Kept and given back: a device's own rate is used.
    ///
    /// - Throws: for a rate that is none.
    open func setPreferredSampleRate(_ sampleRate: Double) throws {
        guard sampleRate.isFinite, sampleRate > 0 else {
            throw Self.error(.badParam, "a sample rate is above 0")
        }
        state.withLock { $0.sampleRate = sampleRate }
    }

    /// Kept and given back.
    ///
    /// - Throws: for a duration that is none.
    open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        guard duration.isFinite, duration > 0 else { throw Self.error(.badParam, "a duration is above 0") }
        state.withLock { $0.bufferDuration = duration }
    }

    /// There is one output of each kind, and nothing to override.
    open func overrideOutputAudioPort(_ portOverride: PortOverride) throws {}

    /// Tells where sound will go; the user chooses with a route picker.
    ///
    /// - Parameter completionHandler: called once, on any thread: `true`, and to where.
    @preconcurrency
    open func prepareRouteSelectionForPlayback(
        completionHandler: @escaping @Sendable (Bool, RouteSelection) -> Void
    ) {
        let selection = routeSelection
        DispatchQueue.global().async { completionHandler(true, selection) }
    }

    /// See ``prepareRouteSelectionForPlayback(completionHandler:)``.
    open func prepareRouteSelectionForPlayback() async -> (Bool, RouteSelection) { (true, routeSelection) }

    private var routeSelection: RouteSelection {
        let chosen = catalogue.options.filter(\.isSelected)
        if chosen.isEmpty { return .none }
        return chosen.contains { $0.kind == .airPlay } ? .external : .local
    }

    // MARK: Telling

    private func routeDidChange(_ change: RouteChange, _ before: [RouteOption]) {
        let reason: RouteChangeReason =
            switch change {
            case .chosen: .override
            case .regrouped: .routeConfigurationChange
            case .policy: .categoryChange
            case .lost: .oldDeviceUnavailable
            case .missing: .noSuitableRouteForCategory
            case .found: .newDeviceAvailable
            }
        poster.post(Self.routeChangeNotification, of: self) {
            [
                AVAudioSessionRouteChangeReasonKey: reason.rawValue,
                AVAudioSessionRouteChangePreviousRouteKey: AVAudioSessionRouteDescription(before),
            ]
        }
    }

    private func volumeDidChange(_ options: [RouteOption]) {
        let volumes = options.filter(\.isSelected).compactMap(\.volume)
        guard !volumes.isEmpty else { return }
        let volume = Float(volumes.reduce(0, +) / Double(volumes.count) / 100)
        guard state.withLock({ $0.volume }) != volume else { return }
        observations.change("outputVolume") { state.withLock { $0.volume = volume } }
    }

    /// Tells of an interruption by another player of this process, which has stopped the sound that was playing.
    private func interrupt(_ type: InterruptionType, shouldResume: Bool = false) {
        let options: InterruptionOptions = shouldResume ? .shouldResume : []
        let (key, value) =
            type == .began
            ? (AVAudioSessionInterruptionReasonKey, InterruptionReason.default.rawValue)
            : (AVAudioSessionInterruptionOptionKey, options.rawValue)
        poster.post(Self.interruptionNotification, of: self) {
            [AVAudioSessionInterruptionTypeKey: type.rawValue, key: value]
        }
    }

    private static func error(_ code: ErrorCode, _ text: String) -> NSError {
        NSError(
            domain: NSOSStatusErrorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: text])
    }
}
