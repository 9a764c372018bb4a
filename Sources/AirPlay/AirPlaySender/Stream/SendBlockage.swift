import TuttiMediaTime

/// The time in which a connection takes no sound, because what was written before is still on its way.
///
/// A connection that is looked at from time to time counts from the first look that finds it full to the last one.
struct SendBlockage {
    private var ended = Duration.zero
    private var current: (first: HostTime, last: HostTime)?

    /// The duration of all blockages so far, with the present one.
    var total: Duration { ended + (current.map { $0.last.since($0.first) } ?? .zero) }

    /// Notes that the connection takes nothing now.
    mutating func note(at now: HostTime) { current = (current?.first ?? now, now) }

    /// Notes that the connection takes sound.
    mutating func end() { (ended, current) = (total, nil) }
}
