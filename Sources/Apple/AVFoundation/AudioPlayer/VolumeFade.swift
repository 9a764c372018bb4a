import TuttiMediaTime

/// A change of a volume over a span of host time. A value.
struct VolumeFade: Equatable, Sendable {
    /// The time between two steps.
    static let step = Duration.milliseconds(20)

    var from: Float
    var to: Float
    var start: HostTime
    var length: Duration

    /// Returns the volume at a time.
    func volume(at now: HostTime) -> Float {
        let (passed, whole) = (now.since(start).inSeconds, length.inSeconds)
        guard whole > 0, passed < whole else { return to }
        return from + (to - from) * Float(max(0, passed) / whole)
    }

    /// Whether the volume has reached its target.
    func isDone(at now: HostTime) -> Bool { now.since(start) >= length }
}
