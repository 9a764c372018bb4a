import Synchronization

/// The token of an observer or of a search, which ends when the token is released. Any thread.
public final class RouteObservation: Sendable {
    private let end: @Sendable () -> Void

    /// Makes a token that calls `end` once, when released.
    public init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}

/// A set of observers, called in sequence on the caller's thread without a lock held.
final class Watchers<Change: Sendable>: Sendable {
    typealias Body = @Sendable (Change) -> Void

    private struct State {
        var bodies: [Int: Body] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    var isEmpty: Bool { state.withLock { $0.bodies.isEmpty } }

    /// Adds an observer until the returned token is released.
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

    func tell(_ change: Change) {
        for body in state.withLock({ Array($0.bodies.values) }) { body(change) }
    }
}
