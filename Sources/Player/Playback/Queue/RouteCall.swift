import CoreMedia

/// A call of a render queue to its route, which takes effect in the order of the calls, also while the queue moves to
/// another route.
enum RouteCall: Sendable {
    case enqueue(CMSampleBuffer)
    case endOfData
    case flush
    case flushFrom(CMTime, done: @Sendable (Bool) -> Void)
    case gain(Float)
    case pitch(PitchTreatment)

    /// Makes the call.
    ///
    /// - Returns: `false` if the route was detached before, so that another route needs the call.
    func make(on route: any OutputRoute) -> Bool {
        switch self {
        case .enqueue(let buffer): return route.enqueue(buffer)
        case .endOfData: return route.endOfData()
        case .flush: return route.flush()
        case .flushFrom(let time, let done): return route.flush(from: time, done: done)
        // A route gets both from the queue's state when it is attached.
        case .gain(let gain): route.setGain(gain)
        case .pitch(let pitch): route.setPitch(pitch)
        }
        return true
    }
}

/// The calls to a route while its queue moves: kept until the new route has the sound of the old one.
struct RouteCalls: Sendable {
    /// `nil` while the queue does not move.
    private var waiting: [RouteCall]?

    var isMoving: Bool { waiting != nil }

    mutating func beginMove() { waiting = waiting ?? [] }

    mutating func wait(_ call: RouteCall) { waiting?.append(call) }

    /// Takes the calls to make now; ends the move, and returns `nil`, if there are none.
    mutating func next() -> [RouteCall]? {
        guard let calls = waiting, !calls.isEmpty else {
            waiting = nil
            return nil
        }
        waiting = []
        return calls
    }

    /// Drops sound, because all of it has to be enqueued again; not what follows a flush.
    mutating func lose() {
        let flush = waiting?.lastIndex { if case .flush = $0 { true } else { false } }
        let kept = waiting?.suffix(from: flush ?? waiting?.endIndex ?? 0)
        waiting = kept.map(Array.init)
    }
}
