import TuttiMediaTime

/// The published line of a followed clock: the estimate, plus a residual from the line before.
///
/// A new estimate causes no step, unless the line is far off (`FollowedClock`): the residual shrinks linearly to zero, and stays zero however long no other
/// estimate comes.
package struct ClockLine: Hashable, Sendable {
    /// Network minus host time that ``value`` is relative to, nanoseconds.
    var base: Int64
    /// The host time at which ``value`` and ``residual`` hold.
    var reference: HostTime
    /// The estimate at ``reference``, nanoseconds beyond ``base``.
    var value: Double
    /// Rate ratio minus 1.
    var drift: Double
    /// The uncertainty of ``value``, nanoseconds.
    var offsetError = 0.0
    /// The standard deviation of ``drift``.
    var driftError = 0.0
    /// The published line minus the estimate at ``reference``, nanoseconds.
    var residual = 0.0
    /// The rate at which the residual goes to zero: nanoseconds per nanosecond, not negative.
    var slew = 0.0
    /// How far ``value`` may be off by a path that has become slower, nanoseconds.
    var doubt = 0.0

    /// Returns the residual after `elapsed` nanoseconds, and its change per nanosecond.
    private func rest(after elapsed: Double) -> (value: Double, slope: Double) {
        let left = residual.magnitude - slew * max(0, elapsed)
        guard left > 0 else { return (0, 0) }
        return residual < 0 ? (-left, slew) : (left, -slew)
    }

    private func elapsed(at time: HostTime) -> Double {
        Double(time.nanoseconds) - Double(reference.nanoseconds)
    }

    /// Returns the estimate at a time, nanoseconds beyond ``base``.
    func estimate(at time: HostTime) -> Double {
        value + drift * Double(time.nanoseconds &- reference.nanoseconds)
    }

    /// Returns the published offset at a time, nanoseconds beyond ``base``.
    func published(at time: HostTime) -> Double { estimate(at: time) + rest(after: elapsed(at: time)).value }

    /// Returns the line near `now`, with `now` as its reference.
    package func mapping(at now: HostTime) -> ClockMapping {
        let offset = published(at: now).rounded()
        let whole = Int64(exactly: offset) ?? 0
        let elapsed = elapsed(at: now)
        let rest = rest(after: elapsed)
        var mapping = ClockMapping(
            host: now, network: NetworkTime(nanoseconds: now.nanoseconds &+ base &+ whole),
            rateRatio: 1 + drift + rest.slope)
        (mapping.slew, mapping.rateError) = (rest.slope, driftError)
        let unsure = min(rest.value.magnitude, doubt)
        let sure = rest.value.magnitude - unsure
        (mapping.correction, mapping.doubt) = (rest.value < 0 ? sure : -sure, unsure)
        let uncertainty = offsetError + driftError * max(0, elapsed)
        mapping.uncertainty = .nanoseconds(Int64(exactly: uncertainty.rounded()) ?? .max)
        return mapping
    }
}
