import Playback
import Synchronization
import TuttiKeyValueObserving
import TuttiMediaTime
import TuttiSystemIO

extension NSNotification.Name {
    /// Posted after a change of ``AVRouteDetector/multipleRoutesDetected``; the object is the detector. Any
    /// thread.
    public static let AVRouteDetectorMultipleRoutesDetectedDidChange = NSNotification.Name(
        "AVRouteDetectorMultipleRoutesDetectedDidChangeNotification")
}

/// A detector of outputs other than the local output.
///
/// While detection is off, the initial state, the detector does not search. Callable from any thread.
open class AVRouteDetector: NSObject, @unchecked Sendable {
    // Safe to share: every stored property is immutable and Sendable.

    private struct State {
        var isEnabled = false
        var detectsCustomRoutes = false
        /// The generation of enabling and disabling: observations of an earlier generation are ignored.
        var round = 0
        var wasTold = false
        var sightings = RouteSightings()
        var isMultiple = false
        var search: RouteObservation?
        var observation: RouteObservation?

        var wanted: Bool { isEnabled && sightings.count > 1 }
    }

    private let state = Mutex(State())
    private let observations = PropertyObservations()
    private let poster = NotificationPoster()
    private let routes: @Sendable () -> any RouteChoosing
    private let clock: any HostClock
    private let wakeUp: any WakeUp

    /// Creates a detector with detection off.
    public override init() {
        routes = { CurrentRoutes.shared }
        clock = SystemClock()
        wakeUp = QueueWakeUp(on: SerialQueue(label: "tutti.route-detection", qos: .utility))
        super.init()
    }

    init(routes: any RouteChoosing, clock: any HostClock, wakeUp: any WakeUp) {
        self.routes = { routes }
        (self.clock, self.wakeUp) = (clock, wakeUp)
        super.init()
    }

    // MARK: Properties

    /// Whether more than one output can be reached; an output that vanishes counts for another ten seconds.
    /// Observable by key-value observing, on any thread.
    open var multipleRoutesDetected: Bool {
        observations.access("multipleRoutesDetected")
        return state.withLock { $0.isMultiple }
    }

    /// Whether the detector searches for speakers, which costs network traffic; `false` at first. Turning
    /// detection off makes ``multipleRoutesDetected`` `false`.
    open var isRouteDetectionEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set { newValue ? enable() : disable() }
    }

    /// Whether the program's custom outputs count. Stored without effect: there are no custom outputs.
    open var detectsCustomRoutes: Bool {
        get { state.withLock { $0.detectsCustomRoutes } }
        set { state.withLock { $0.detectsCustomRoutes = newValue } }
    }

    // MARK: Detection

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
        let old: (RouteObservation?, RouteObservation?)? = state.withLock { state in
            guard state.isEnabled else { return nil }
            state.isEnabled = false
            state.round += 1
            state.sightings = RouteSightings()
            wakeUp.cancel()
            return (state.search.take(), state.observation.take())
        }
        guard let old else { return }
        publish()
        // Release the search and the observation outside the lock.
        withExtendedLifetime(old) {}
    }

    /// - Parameter isFirst: Whether `options` were read at the start; an observation that arrived earlier is
    ///   newer.
    private func see(_ options: [RouteOption], round: Int, isFirst: Bool) {
        let now = clock.now
        let isCurrent = state.withLock { state in
            guard state.round == round, !(isFirst && state.wasTold) else { return false }
            state.wasTold = true
            state.sightings.see(Set(options.map(\.id)), at: now)
            return true
        }
        if isCurrent { settle() }
    }

    private func forget() {
        let now = clock.now
        state.withLock { $0.sightings.forget(at: now) }
        settle()
    }

    /// Schedules the expiry of the next vanished output, and publishes the current state.
    private func settle() {
        let now = clock.now
        // Set with the lock held, so that an older expiry cannot replace a newer one.
        state.withLock { state in
            guard let next = state.sightings.nextChange else { return wakeUp.cancel() }
            wakeUp.set(after: next.since(now)) { [weak self] in self?.forget() }
        }
        publish()
    }

    // MARK: Notifications

    /// Publishes a change. The value is computed inside the change, so of two concurrent calls the later
    /// state wins.
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
