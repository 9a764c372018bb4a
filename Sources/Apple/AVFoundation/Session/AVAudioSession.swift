import Dispatch
import Foundation
import Playback
import Synchronization
import TuttiKeyValueObserving

/// The process-wide audio session: the category of the program's sound, and the output route.
///
/// Every renderer and player of the process plays on the route. With a long-form policy network speakers
/// buffer minutes, and the session uses the route that the user's long-form programs chose last. Callable
/// from any thread. Notifications are posted on any thread, with the session as object.
open class AVAudioSession: NSObject, @unchecked Sendable {
    // Safe to share: `catalogue` and `observations` are Sendable and immutable; `state` and `preferences` guard the rest.

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

    /// Returns the only session of the process.
    open class func sharedInstance() -> AVAudioSession { shared }

    private let catalogue: RouteCatalogue
    private let observations = PropertyObservations()
    private let poster = NotificationPoster()
    private let state = Mutex(State())
    let preferences = Mutex(SessionPreferences())

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

    /// The kind of sound the program makes; ``Category/soloAmbient`` at first.
    open var category: Category { state.withLock { $0.category } }
    /// The use of the category; ``Mode/default`` at first.
    open var mode: Mode { state.withLock { $0.mode } }
    /// The category's behaviour towards other programs' sound; empty at first.
    open var categoryOptions: CategoryOptions { state.withLock { $0.options } }
    /// Whether the route is shared between long-form programs; ``RouteSharingPolicy/default`` at first.
    open var routeSharingPolicy: RouteSharingPolicy { state.withLock { $0.policy } }

    /// The categories that work without a microphone.
    open var availableCategories: [Category] { [.ambient, .soloAmbient, .playback, .multiRoute] }
    /// The modes that work without a microphone and a camera.
    open var availableModes: [Mode] { [.default, .moviePlayback, .spokenAudio, .measurement] }

    /// Sets the category, with the default mode. See ``setCategory(_:mode:policy:options:)``.
    open func setCategory(_ category: Category) throws { try setCategory(category, options: []) }

    /// Sets the category and its options, with the default mode.
    open func setCategory(_ category: Category, options: CategoryOptions) throws {
        try setCategory(category, mode: .default, options: options)
    }

    /// Sets the category and mode, with the default policy.
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try setCategory(category, mode: mode, policy: .default, options: options)
    }

    /// Sets category, mode, policy and options together.
    ///
    /// - Throws: ``ErrorCode/badParam`` of `NSOSStatusErrorDomain`, without effect, for a long-form policy
    ///   unless the category is `playback` and the mode is `default`, `spokenAudio` or `moviePlayback`.
    open func setCategory(
        _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
    ) throws {
        if policy.isLongForm {
            guard category == .playback, [.default, .spokenAudio, .moviePlayback].contains(mode) else {
                throw Self.error(
                    .badParam,
                    "a long-form policy requires the category playback and the mode default, spokenAudio or moviePlayback"
                )
            }
        }
        state.withLock { state in
            (state.category, state.mode, state.policy, state.options) = (category, mode, policy, options)
        }
        catalogue.setLongForm(policy.isLongForm)
    }

    /// Changes only the mode.
    ///
    /// - Throws: ``ErrorCode/badParam``, without effect, if the policy does not allow the mode.
    open func setMode(_ mode: Mode) throws {
        let (category, policy, options) = state.withLock { ($0.category, $0.policy, $0.options) }
        try setCategory(category, mode: mode, policy: policy, options: options)
    }

    // MARK: Activity

    /// Activates or deactivates the session.
    ///
    /// - Throws: ``ErrorCode/isBusy`` if a deactivation finds something playing; the session has then paused
    ///   all playback.
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        state.withLock { $0.isActive = active }
        if !active, catalogue.pauseAll() {
            throw Self.error(.isBusy, "audio was still playing; it is paused now")
        }
    }

    /// Activates the session; never fails.
    ///
    /// - Parameter handler: Called once, on any thread, with `true` and no error.
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

    /// Always `false`: Tutti does not know other programs' sound.
    open var isOtherAudioPlaying: Bool { false }
    /// Always `false`: Tutti does not know other programs' sound.
    open var secondaryAudioShouldBeSilencedHint: Bool { false }

    // MARK: Route

    /// A snapshot of the selected outputs.
    open var currentRoute: AVAudioSessionRouteDescription {
        AVAudioSessionRouteDescription(catalogue.options)
    }

    /// The mean volume of the selected outputs with a known volume, 0 ... 1. Observable.
    open var outputVolume: Float {
        observations.access("outputVolume")
        return state.withLock { $0.volume }
    }

    /// Seconds between a sample's time and its sound: small, because sample times are the times at which the
    /// sound is audible.
    open var outputLatency: TimeInterval { 0.01 }
    /// Always 0: Tutti does not record.
    open var inputLatency: TimeInterval { 0 }
    /// The last ``preferredIOBufferDuration``, in seconds.
    open var ioBufferDuration: TimeInterval { state.withLock { $0.bufferDuration } }
    /// The duration last set, in seconds; 0.01 at first. Has no effect on playback.
    open var preferredIOBufferDuration: TimeInterval { ioBufferDuration }
    /// The last ``preferredSampleRate``, in hertz.
    open var sampleRate: Double { state.withLock { $0.sampleRate } }
    /// The sample rate last set, in hertz; 44100 at first. Has no effect on playback.
    open var preferredSampleRate: Double { sampleRate }
    /// Always 2: sources with more channels are mixed down.
    open var outputNumberOfChannels: Int { 2 }
    /// Always 2.
    open var maximumOutputNumberOfChannels: Int { 2 }

    /// Stores the rate without effect: a device plays at its own rate.
    ///
    /// - Throws: ``ErrorCode/badParam`` if the rate is not finite and positive.
    open func setPreferredSampleRate(_ sampleRate: Double) throws {
        guard sampleRate.isFinite, sampleRate > 0 else {
            throw Self.error(.badParam, "a sample rate must be above 0")
        }
        state.withLock { $0.sampleRate = sampleRate }
    }

    /// Stores the duration without effect.
    ///
    /// - Throws: ``ErrorCode/badParam`` if the duration is not finite and positive.
    open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        guard duration.isFinite, duration > 0 else {
            throw Self.error(.badParam, "a duration must be above 0")
        }
        state.withLock { $0.bufferDuration = duration }
    }

    /// Does nothing: there is one output of each kind and nothing to override.
    open func overrideOutputAudioPort(_ portOverride: PortOverride) throws {}

    /// Reports the current route selection; the user chooses with a route picker.
    ///
    /// - Parameter completionHandler: Called once, on any thread, with `true` and the selection.
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

    // MARK: Notifications

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

    /// Posts an interruption by another player of this process, which has stopped the session's playback.
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
