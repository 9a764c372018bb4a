import MediaTime

/// What is published of a followed clock: the estimated line, and what is still left of an earlier
/// line's distance from it.
///
/// A new estimate does not step: the distance between the old line and the new one is taken away
/// evenly over a time, and then nothing of it is left, however long no other estimate comes.
public struct ClockLine: Hashable, Sendable {
    /// Network minus host time that ``value`` counts from, nanoseconds.
    var base: Int64
    /// Where ``value`` and ``residual`` hold.
    var reference: HostTime
    /// The estimate there, nanoseconds beyond ``base``.
    var value: Double
    /// Rate ratio minus 1.
    var drift: Double
    /// The published line minus the estimate at the reference, nanoseconds.
    var residual = 0.0
    /// How fast it goes to zero: nanoseconds per nanosecond, not negative.
    var slew = 0.0

    /// The residual at `now`, and its change per nanosecond.
    private func rest(after elapsed: Double) -> (value: Double, slope: Double) {
        let left = residual.magnitude - slew * max(0, elapsed)
        guard left > 0 else { return (0, 0) }
        return residual < 0 ? (-left, slew) : (left, -slew)
    }

    private func elapsed(at time: HostTime) -> Double {
        Double(time.nanoseconds) - Double(reference.nanoseconds)
    }

    /// The estimate itself at a time, nanoseconds beyond ``base``.
    func estimate(at time: HostTime) -> Double {
        value + drift * Double(time.nanoseconds &- reference.nanoseconds)
    }

    /// What is published at a time, nanoseconds beyond ``base``.
    func published(at time: HostTime) -> Double { estimate(at: time) + rest(after: elapsed(at: time)).value }

    /// The line near `now`, which is its reference.
    public func mapping(at now: HostTime) -> ClockMapping {
        let offset = published(at: now).rounded()
        let whole = Int64(exactly: offset) ?? 0
        return ClockMapping(
            host: now, network: NetworkTime(nanoseconds: now.nanoseconds &+ base &+ whole),
            rateRatio: 1 + drift + rest(after: elapsed(at: now)).slope)
    }
}
