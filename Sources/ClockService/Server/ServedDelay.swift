import MediaTime

/// The path delay that is added to the times served to one peer; it moves slowly enough that the
/// served clock neither steps nor runs backwards.
struct ServedDelay {
    /// The fastest change: nanoseconds of time per nanosecond of change, 100 ppm.
    static let slewDivisor: Int64 = 10_000
    /// A longer path than this is a mistake.
    static let longest = Duration.seconds(1)

    private var current: Int64
    private var target: Int64
    private var asOf: HostTime

    init(_ delay: Duration, at now: HostTime) {
        current = Self.clamped(delay)
        target = current
        asOf = now
    }

    /// Nanoseconds to add at `now`; call it with times that do not run backwards.
    mutating func value(at now: HostTime) -> Int64 {
        let elapsed = max(0, now.since(asOf).wholeNanoseconds)
        let step = elapsed / Self.slewDivisor
        if abs(target - current) <= step {
            current = target
            asOf = max(asOf, now)
        } else {
            current += target > current ? step : -step
            // The rest of the division is kept for the next call.
            asOf = asOf.advanced(by: .nanoseconds(step * Self.slewDivisor))
        }
        return current
    }

    /// Moves slowly from now on.
    mutating func slew(to delay: Duration, at now: HostTime) {
        _ = value(at: now)
        asOf = now
        target = Self.clamped(delay)
    }

    /// For a peer that has no older times to compare with.
    mutating func set(_ delay: Duration, at now: HostTime) { self = ServedDelay(delay, at: now) }

    /// Ends a change under way at its goal.
    mutating func finish(at now: HostTime) { self = ServedDelay(.nanoseconds(target), at: now) }

    private static func clamped(_ delay: Duration) -> Int64 {
        min(max(delay, .zero), longest).wholeNanoseconds
    }
}
