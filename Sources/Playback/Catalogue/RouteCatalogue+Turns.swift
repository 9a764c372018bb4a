import CoreMedia
import SystemIO

/// An interruption of a player by a newer one.
public enum RouteInterruption: Sendable, Hashable {
    /// A newer player took the speakers.
    case began
    /// The newer player stopped.
    case ended
}

// Ownership of the speakers among this program's queues. Long-form sounds are not mixed: the newer queue
// takes the speakers.
extension RouteCatalogue {
    /// Calls `body` when a player loses the speakers to a newer one, and when the newer player stops.
    public func observeInterruptions(
        _ body: @escaping @Sendable (RouteInterruption) -> Void
    ) -> RouteObservation {
        interruptions.add(body)
    }

    func watch(_ queue: RenderQueue) {
        queue.setPlayWatcher { [weak self] queue, isPlaying in
            if isPlaying { self?.take(for: queue) } else { self?.letOthersPlay(after: queue) }
        }
        queue.setLineWatcher { [weak self] queue in self?.lineDidChange(of: queue) }
    }

    /// Takes the speakers for a queue that begins to play, from the queue that holds them.
    private func take(for queue: RenderQueue) {
        let (isTurn, older) = state.withLock { state in
            let mayHave = state.queues.contains { $0.value === queue && $0.device == nil }
            let holder = state.holder
            let isOther = holder !== queue && (holder?.timeline == nil || holder?.timeline !== queue.timeline)
            guard state.isDeep, state.selection != nil, mayHave, isOther else { return (false, holder) }
            (state.holder, state.route) = (queue, nil)
            return (true, holder)
        }
        guard isTurn else { return }
        if let older { stop(older) }
        place(queue)
    }

    private func stop(_ older: RenderQueue) {
        let wasPlaying = older.isPlaying
        if wasPlaying {
            state.withLock { $0.interrupted.append(WeakReference(older)) }
            older.halt()
        }
        // The older queue keeps its position and waits silently.
        older.move(to: SilentRoute())
        if wasPlaying { interruptions.tell(.began) }
    }

    private func letOthersPlay(after queue: RenderQueue) {
        let isOver = state.withLock { state in
            guard state.holder === queue, state.interrupted.contains(where: { $0.object != nil }) else {
                return false
            }
            state.interrupted = []
            return true
        }
        if isOver { interruptions.tell(.ended) }
    }
}
