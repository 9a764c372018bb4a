import Foundation
import Synchronization

/// The renderers of one synchronizer and their pending removals, behind a lock.
final class LockedRenderers: Sendable {
    private struct Removal {
        let id: Int
        let replaced: @Sendable () -> Void
        var cancel: @Sendable () -> Void = {}
    }

    private struct State {
        var renderers: [any SynchronizedRenderer] = []
        var removals: [ObjectIdentifier: Removal] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    var all: [any AVQueuedSampleBufferRendering] { state.withLock { $0.renderers } }

    func contains(_ renderer: any SynchronizedRenderer) -> Bool {
        state.withLock { $0.renderers.contains { $0 === renderer } }
    }

    func add(_ renderer: any SynchronizedRenderer) {
        state.withLock { state in
            if !state.renderers.contains(where: { $0 === renderer }) { state.renderers.append(renderer) }
        }
    }

    func remove(_ renderer: any SynchronizedRenderer) {
        state.withLock { state in state.renderers.removeAll { $0 === renderer } }
    }

    /// Registers a removal, cancels an earlier removal of the same renderer, and calls `body`.
    ///
    /// - Parameter body: Gets `finish`, which completes the removal and returns `false` if a later removal
    ///   replaced it.
    func schedule(
        _ renderer: any SynchronizedRenderer, replaced: @escaping @Sendable () -> Void,
        body: (_ finish: @escaping @Sendable () -> Bool) -> Void
    ) {
        let key = ObjectIdentifier(renderer)
        let (id, old) = state.withLock { state in
            let old = state.removals[key]
            state.count += 1
            state.removals[key] = Removal(id: state.count, replaced: replaced)
            return (state.count, old)
        }
        old?.cancel()
        old?.replaced()
        body { [self] in
            state.withLock { state in
                guard state.removals[key]?.id == id else { return false }
                state.removals[key] = nil
                return true
            }
        }
    }

    func remember(
        _ token: Int, of renderer: any SynchronizedRenderer, cancel: @escaping @Sendable () -> Void
    ) {
        state.withLock { $0.removals[ObjectIdentifier(renderer)]?.cancel = cancel }
    }
}
