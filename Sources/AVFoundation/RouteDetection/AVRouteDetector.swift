import KeyValueObserving
import MediaTime
import Playback
import Synchronization

extension NSNotification.Name {
    /// ``AVRouteDetector/multipleRoutesDetected`` changed; the object is the detector. Posted on any thread, a
    /// moment after the change.
    public static let AVRouteDetectorMultipleRoutesDetectedDidChange = NSNotification.Name(
        "AVRouteDetectorMultipleRoutesDetectedDidChangeNotification")
}

/// Tells whether there is more than the local output to play to.
///
/// While it is off, which it is at first, nothing is looked for. Any thread.
open class AVRouteDetector: NSObject, @unchecked Sendable {
    // Safe to share: every stored property is immutable and Sendable.

    private struct State {
        var isEnabled = false
        var detectsCustomRoutes = false
        /// Counts switching on and off, so that what belongs to an earlier time is ignored.
        var round = 0
        var wasTold = false
        var sightings = RouteSightings()
        /// When the clock will call.
        var wake: HostTime?
        var isMultiple = false
        var search: RouteSearch?
        var observation: RouteObservation?

        var wanted: Bool { isEnabled && sightings.count > 1 }
    }

    private let state = Mutex(State())
    private let observations = PropertyObservations()
    private let poster = NotificationPoster()
    private let routes: @Sendable () -> any RouteChoosing
    private let clock: DetectionClock

    /// A detector that is off.
    public override init() {
        routes = { CurrentRoutes.shared }
        clock = .system
        super.init()
    }

    init(routes: any RouteChoosing, clock: DetectionClock) {
        self.routes = { routes }
        self.clock = clock
        super.init()
    }

    // MARK: Properties

    /// Whether other outputs than the local one can be reached. Observable by key-value observing, on any
    /// thread. An output that vanishes counts for another ten seconds.
    open var multipleRoutesDetected: Bool {
        observations.access("multipleRoutesDetected")
        return state.withLock { $0.isMultiple }
    }

    /// Whether speakers are looked for, which costs network traffic. Turning it off makes
    /// ``multipleRoutesDetected`` false.
    open var isRouteDetectionEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set { newValue ? enable() : disable() }
    }

    /// Whether outputs of the program's own count. There are none here: kept, without effect.
    open var detectsCustomRoutes: Bool {
        get { state.withLock { $0.detectsCustomRoutes } }
        set { state.withLock { $0.detectsCustomRoutes = newValue } }
    }

    // MARK: Looking

    private func enable() {
        let begun: Int? = state.withLock { state in
            guard !state.isEnabled else { return nil }
            state.isEnabled = true
            state.wasTold = false
            state.round += 1
            return state.round
        }
        guard let round = begun else { return }
        let routes = routes()
        let observation = routes.observe { [weak self] options in
            self?.see(options, round: round, isFirst: false)
        }
        let search = routes.search()
        let isCurrent = state.withLock { state in
            guard state.round == round else { return false }
            (state.observation, state.search) = (observation, search)
            return true
        }
        if isCurrent { see(routes.options, round: round, isFirst: true) }
    }

    private func disable() {
        let old: (RouteSearch?, RouteObservation?)? = state.withLock { state in
            guard state.isEnabled else { return nil }
            state.isEnabled = false
            state.round += 1
            (state.sightings, state.wake) = (RouteSightings(), nil)
            return (state.search.take(), state.observation.take())
        }
        guard let old else { return }
        publish()
        // The search and the observation end here, outside the lock.
        withExtendedLifetime(old) {}
    }

    /// - Parameter isFirst: what was read at the start; news that came meanwhile is newer.
    private func see(_ options: [RouteOption], round: Int, isFirst: Bool) {
        let now = clock.now()
        let isNews = state.withLock { state in
            guard state.round == round, !(isFirst && state.wasTold) else { return false }
            state.wasTold = true
            state.sightings.see(Set(options.map(\.id)), at: now)
            return true
        }
        if isNews { settle(round: round) }
    }

    private func forget(round: Int) {
        let now = clock.now()
        let isCurrent = state.withLock { state in
            guard state.round == round else { return false }
            state.wake = nil
            state.sightings.forget(at: now)
            return true
        }
        if isCurrent { settle(round: round) }
    }

    /// Asks to be called when the next vanished output is to be forgotten, and tells what is so now.
    private func settle(round: Int) {
        let next: HostTime? = state.withLock { state in
            guard state.round == round, let next = state.sightings.nextChange else { return nil }
            if let wake = state.wake, wake <= next { return nil }
            state.wake = next
            return next
        }
        if let next { clock.wake(next) { [weak self] in self?.forget(round: round) } }
        publish()
    }

    // MARK: Telling

    /// What is told is worked out when it is set, so that of two threads here the later one is right.
    private func publish() {
        guard state.withLock({ $0.wanted != $0.isMultiple }) else { return }
        let isChange = observations.change("multipleRoutesDetected") {
            state.withLock { state in
                let old = state.isMultiple
                state.isMultiple = state.wanted
                return state.isMultiple != old
            }
        }
        if isChange { poster.post(.AVRouteDetectorMultipleRoutesDetectedDidChange, of: self) }
    }
}
