import TuttiMediaTime

/// The path delay added to the times served to one peer. It changes slowly enough that the served clock
/// neither steps nor runs backwards.
struct ServedDelay {
    /// The inverse of the fastest slew, 100 ppm: nanoseconds of time per nanosecond of change.
    static let slewDivisor: Int64 = 10_000
    /// The clamp of the delay: a longer path is a measurement error.
    static let longest = Duration.seconds(1)

    private var current: Int64
    private var target: Int64
    private var asOf: HostTime

    init(_ delay: Duration, at now: HostTime) {
        current = Self.clamped(delay)
        target = current
        asOf = now
    }

    /// Returns the nanoseconds to add at `now`. Successive times must not run backwards.
    mutating func value(at now: HostTime) -> Int64 {
        let elapsed = max(0, now.since(asOf).wholeNanoseconds)
        let step = elapsed / Self.slewDivisor
        if abs(target - current) <= step {
            current = target
            asOf = max(asOf, now)
        } else {
            current += target > current ? step : -step
            // Keep the remainder of the division for the next call.
            asOf = asOf.advanced(by: .nanoseconds(step * Self.slewDivisor))
        }
        return current
    }

    /// Starts a slew to another delay.
    mutating func slew(to delay: Duration, at now: HostTime) {
        _ = value(at: now)
        asOf = now
        target = Self.clamped(delay)
    }

    /// Sets the delay at once, for a peer that has no earlier times to compare with.
    mutating func set(_ delay: Duration, at now: HostTime) { self = ServedDelay(delay, at: now) }

    /// Jumps to the target of a slew under way.
    mutating func finish(at now: HostTime) { self = ServedDelay(.nanoseconds(target), at: now) }

    private static func clamped(_ delay: Duration) -> Int64 {
        min(max(delay, .zero), longest).wholeNanoseconds
    }
}
