import AirPlaySender
import CoreMedia
import Synchronization

/// Why the outputs that are used became others.
public enum RouteChange: Sendable, Hashable {
    /// Somebody chose.
    case chosen
    /// Other speakers in the same group.
    case regrouped
    /// What the program's session allows changed.
    case policy
    /// The output is gone for good; what played is paused, and would go on at this machine's device.
    case lost
    /// This machine has no output. What is played waits for one.
    case missing
    /// An output appeared after there was none; what waited for it is heard.
    case found
}

/// Those who are told of something, in order, one at a time.
final class Watchers<News: Sendable>: Sendable {
    typealias Body = @Sendable (News) -> Void

    private struct State {
        var bodies: [Int: Body] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    func add(_ body: @escaping Body) -> RouteObservation {
        let id = state.withLock { state in
            state.count += 1
            state.bodies[state.count] = body
            return state.count
        }
        return RouteObservation { [weak self] in
            _ = self?.state.withLock { $0.bodies.removeValue(forKey: id) }
        }
    }

    func tell(_ news: News) {
        for body in state.withLock({ Array($0.bodies.values) }) { body(news) }
    }
}

// What a program's session says, and is told.
extension RouteCatalogue {
    /// Calls `body` after each change of the route, when it is in effect, with the options from before it.
    ///
    /// - Parameter body: called on the thread that made the change, without a lock held.
    public func observeRoute(
        _ body: @escaping @Sendable (RouteChange, _ before: [RouteOption]) -> Void
    ) -> RouteObservation {
        watchers.add { body($0.change, $0.before) }
    }

    /// Makes a change of the route, and tells of it.
    func changeRoute(_ change: RouteChange, _ body: () -> Void) {
        let before = options
        body()
        routeDidChange(change, before: before)
    }

    func routeDidChange(_ change: RouteChange, before: [RouteOption]) {
        watchers.tell((change, before))
        optionsDidChange()
    }

    /// Whether speakers are filled with minutes, and share their route with the user's other programs of this kind; else
    /// they get as little ahead as a device of this machine.
    ///
    /// The first time, and unless somebody chose an output before, what such programs used last is used again.
    public func setLongForm(_ isLongForm: Bool) {
        let (isChange, mayRecall) = state.withLock { state in
            defer { state.isDeep = isLongForm }
            return (state.isDeep != isLongForm, isLongForm && !state.hasChosen)
        }
        if mayRecall { recall() }
        guard isChange, state.withLock({ $0.selection != nil }) else { return }
        changeRoute(.policy) { moveQueues() }
    }

    /// Pauses everything that plays.
    ///
    /// - Returns: whether anything did.
    @discardableResult
    public func pauseAll() -> Bool {
        let playing = state.withLock { $0.queues.compactMap(\.value) }.filter(\.isPlaying)
        for queue in playing { queue.halt() }
        return !playing.isEmpty
    }

    /// The speakers are gone and will not come back by themselves.
    func fallBack(from group: SpeakerGroup) {
        guard state.withLock({ $0.selection?.group === group }) else { return }
        pauseAll()
        useLocal(Self.localID, because: .lost)
    }
}

/// Whether any speaker of a group may still play.
struct SpeakerWatch {
    private var failures: [String: SpeakerFailure?]

    init(names: [String]) { failures = Dictionary(names.map { ($0, nil) }) { first, _ in first } }

    /// - Returns: true when none is left: each is lost, and for a reason that does not pass.
    mutating func isHopeless(after event: SpeakerGroupEvent) -> Bool {
        guard case .state(let name, let state) = event else { return false }
        switch state {
        case .lost(let failure): failures[name] = .some(failure)
        case .closed: failures[name] = nil
        default: failures[name] = .some(nil)
        }
        return !failures.isEmpty
            && failures.values.allSatisfy { failure in failure.map { !$0.isWorthRetrying } ?? false }
    }
}
