import TuttiMediaTime

/// A mapping between another clock's network time and our host time: a straight line, valid near its reference.
package struct ClockMapping: Hashable, Sendable {
    /// The host time of the reference, the same instant as ``network``.
    package var host: HostTime
    /// The network time of the reference, the same instant as ``host``.
    package var network: NetworkTime
    /// Network nanoseconds per host nanosecond; near 1.
    package var rateRatio: Double
    /// The part of ``rateRatio`` that takes the line to a better estimate, and ends there; the rest is the clock's own.
    package var slew = 0.0
    /// The standard deviation of the clock's own rate, given the time for which it has been measured.
    package var rateError = 0.0
    /// An estimate of the error of the network time, either way: for clocks that are polled over UDP every few
    /// seconds at least half the quickest round trip; for others what time without messages may have added,
    /// given the time for which the clock's rate has been measured. What ``slew`` still changes is not part of it.
    /// Zero for our own clock.
    package var uncertainty = Duration.zero

    /// The nanoseconds by which ``slew`` still changes the network time towards an estimate that is better for sure.
    package var correction = 0.0
    /// The nanoseconds of ``slew``'s change, either way, that may be wrong, because messages have become slower.
    package var doubt = 0.0

    /// Creates a mapping in which `host` and `network` are the same instant.
    package init(host: HostTime, network: NetworkTime, rateRatio: Double = 1) {
        self.host = host
        self.network = network
        self.rateRatio = rateRatio
    }

    /// Returns the network time at a host time.
    package func networkTime(at time: HostTime) -> NetworkTime {
        let elapsed = time.nanoseconds &- host.nanoseconds
        let drift = Int64((Double(elapsed) * (rateRatio - 1)).rounded())
        return NetworkTime(nanoseconds: network.nanoseconds &+ elapsed &+ drift)
    }

    /// Returns the host time at a network time.
    package func hostTime(of time: NetworkTime) -> HostTime {
        let elapsed = time.nanoseconds &- network.nanoseconds
        let drift = Int64((Double(elapsed) * (1 / rateRatio - 1)).rounded())
        return HostTime(nanoseconds: host.nanoseconds &+ elapsed &+ drift)
    }
}
