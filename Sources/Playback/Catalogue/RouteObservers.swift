import Dispatch
import Synchronization

/// The observers of the options, called on one serial queue.
final class RouteObservers: Sendable {
    private struct State {
        var bodies: [Int: @Sendable ([RouteOption]) -> Void] = [:]
        var count = 0
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "tutti.routes")

    func add(_ body: @escaping @Sendable ([RouteOption]) -> Void) -> RouteObservation {
        let id = state.withLock { state in
            state.count += 1
            state.bodies[state.count] = body
            return state.count
        }
        return RouteObservation { [weak self] in
            _ = self?.state.withLock { $0.bodies.removeValue(forKey: id) }
        }
    }

    /// Notifies all observers.
    ///
    /// - Parameter options: read on the queue just before the calls, so that the last notification has the
    ///   latest state.
    func tell(_ options: @escaping @Sendable () -> [RouteOption]) {
        queue.async { [self] in
            let bodies = state.withLock { Array($0.bodies.values) }
            if bodies.isEmpty { return }
            let options = options()
            for body in bodies { body(options) }
        }
    }
}
