import TuttiSystemIO

/// The ownership of the speakers among a program's queues. Long-form sounds are not mixed: the newer queue
/// takes the speakers.
struct SpeakerHold {
    /// The route to the speakers.
    weak var route: PacketRoute?
    /// The queue that plays through ``route``, and so holds the speakers.
    private(set) weak var queue: RenderQueue?
    /// Queues that a newer queue stopped when it took the speakers; empty once the newer queue stops.
    private var interrupted: [WeakReference<RenderQueue>] = []

    /// Frees the speakers for the next queue.
    mutating func free() { (route, queue) = (nil, nil) }

    /// Notes the route of a queue, which holds the speakers if the route leads to them.
    mutating func note(_ queue: RenderQueue, on route: any OutputRoute) {
        if self.route === route { self.queue = queue }
    }

    /// Gives the speakers to `queue`, unless it or another queue of its timeline holds them.
    ///
    /// - Returns: Whether the speakers changed hands.
    mutating func take(for queue: RenderQueue) -> Bool {
        let holder = self.queue
        guard holder !== queue, holder?.timeline == nil || holder?.timeline !== queue.timeline else {
            return false
        }
        (self.queue, route) = (queue, nil)
        return true
    }

    /// Notes that `queue` was stopped while it played.
    mutating func interrupt(_ queue: RenderQueue) { interrupted.append(WeakReference(queue)) }

    /// Takes the stop of a queue.
    ///
    /// - Returns: Whether an interruption ends with it.
    mutating func stop(_ queue: RenderQueue) -> Bool {
        guard self.queue === queue, interrupted.contains(where: { $0.object != nil }) else { return false }
        interrupted = []
        return true
    }
}
