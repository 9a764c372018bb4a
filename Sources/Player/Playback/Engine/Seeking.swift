import CoreMedia
import TuttiMediaTime

/// Identifies a request of the program whose completion is awaited.
struct RequestID: Hashable, Sendable {
    let value: Int
}

/// The pending seek of a player. A later seek replaces an earlier one.
struct Seeking: Sendable {
    /// A requested seek.
    struct Seek: Sendable {
        let request: RequestID
        var target: CMTime
        /// Host time from which the seek may begin; debounces a burst, so that only its last seek runs.
        let earliest: HostTime
    }

    private enum Phase {
        case idle
        /// The seek has not begun; nothing is heard.
        case waiting(Seek)
        /// The item reads at the target, and its first sound is awaited.
        case landing(Seek)
    }

    private var phase = Phase.idle
    private var burst = SeekBurst()

    /// The requested seek, whether it has begun or not.
    var pending: Seek? {
        switch phase {
        case .idle: nil
        case .waiting(let seek), .landing(let seek): seek
        }
    }

    /// The seek that has begun.
    var landing: Seek? {
        if case .landing(let seek) = phase { return seek }
        return nil
    }

    /// The seek that may begin at `now`.
    func due(at now: HostTime) -> Seek? {
        if case .waiting(let seek) = phase, seek.earliest <= now { return seek }
        return nil
    }

    /// Host time at which the waiting seek may begin, during which nothing is heard; `nil` if none waits.
    func deadline(after now: HostTime) -> HostTime? {
        if case .waiting(let seek) = phase, seek.earliest > now { return seek.earliest }
        return nil
    }

    /// Requests a seek.
    ///
    /// - Returns: The request that the new seek replaces.
    mutating func ask(for target: CMTime, _ request: RequestID, at now: HostTime) -> RequestID? {
        let old = pending?.request
        phase = .waiting(Seek(request: request, target: target, earliest: burst.add(now)))
        return old
    }

    /// Begins the waiting seek; `target` is the place that can be reached.
    mutating func begin(to target: CMTime) {
        guard case .waiting(var seek) = phase else { return }
        seek.target = target
        phase = .landing(seek)
        burst.carriedOut()
    }

    /// Makes a seek that has begun wait again, because its item is read anew.
    mutating func restart() {
        if case .landing(let seek) = phase { phase = .waiting(seek) }
    }

    /// Ends the seek.
    ///
    /// - Returns: Its request, to be completed.
    mutating func end() -> RequestID? {
        defer { phase = .idle }
        return pending?.request
    }
}

/// The debounce of seeks in quick succession, as from a slider.
struct SeekBurst: Sendable {
    /// The latest seek.
    private var last: HostTime?
    /// Start of the burst since the last seek that ran.
    private var heldSince: HostTime?

    /// Adds a seek and returns the host time from which the seek may run.
    mutating func add(_ now: HostTime) -> HostTime {
        defer { last = now }
        guard let last, now.since(last) < Self.gap else {
            heldSince = nil
            return now
        }
        let since = heldSince ?? now
        heldSince = since
        return min(now.advanced(by: Self.quiet), since.advanced(by: Self.longestWait))
    }

    mutating func carriedOut() { heldSince = nil }

    /// Seeks at least this far apart are independent.
    private static let gap = Duration.milliseconds(100)
    /// The quiet time after which the latest seek runs.
    private static let quiet = Duration.milliseconds(40)
    /// The longest delay: during a long drag, seeks still run.
    private static let longestWait = Duration.milliseconds(100)
}
