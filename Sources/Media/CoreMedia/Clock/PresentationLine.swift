import TuttiMediaTime

/// An anchor: *presentation time `time` is heard at host time `host`, and from then on at `rate`.* Before
/// `host`, time stands at `time`.
///
/// Distances from the anchor saturate at 64 bits of nanoseconds, ±292 years; no operation traps. `FrameLine` in
/// MediaTime is the same line in frames.
package struct PresentationLine: Hashable, Sendable {
    /// Presentation time of the anchor.
    package var time: CMTime
    /// Host time of the anchor.
    package var host: HostTime
    /// Presentation seconds per second; 0 while time stands.
    package var rate: Double

    /// Creates a line through an anchor.
    package init(time: CMTime, host: HostTime, rate: Double) {
        (self.time, self.host, self.rate) = (time, host, rate)
    }

    /// Creates a line on which time stands.
    package init(standingAt time: CMTime, since host: HostTime) { self.init(time: time, host: host, rate: 0) }

    /// Returns whether time runs at `now`.
    package func isRunning(at now: HostTime) -> Bool { rate != 0 && now >= host }

    /// Returns the presentation time heard at `now`, rounded toward the anchor to nanoseconds.
    package func time(at now: HostTime) -> CMTime {
        guard rate != 0, now > host else { return time }
        return time + CMTime(nanoseconds: now.nanoseconds(since: host).scaled(by: rate, .towardZero))
    }

    /// Returns the host time at which `wanted` is heard, rounded up to nanoseconds: before the anchor if
    /// `wanted` is earlier than ``time``, and `.distantFuture` if host time cannot count that far.
    ///
    /// - Returns: `nil` unless time runs forward and both times are numbers.
    package func host(of wanted: CMTime) -> HostTime? {
        let distance = wanted - time
        guard rate > 0, distance.isNumeric else { return nil }
        let scaled = distance.convertScale(nanosecondScale, method: .roundTowardPositiveInfinity)
        let nanoseconds = scaled.isNumeric ? scaled.value : distance < .zero ? .min : .max
        return host.advanced(byNanoseconds: nanoseconds.divided(by: rate, .up))
    }

    /// Returns the line on which time stands from `now` on, at the time heard then.
    package func stopped(at now: HostTime) -> PresentationLine {
        PresentationLine(standingAt: time(at: now), since: now)
    }
}
