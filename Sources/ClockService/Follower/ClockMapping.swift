public import MediaTime

/// How another clock's network time relates to our host time: a straight line, valid near its reference.
public struct ClockMapping: Hashable, Sendable {
    /// A pair of the same instant.
    public var host: HostTime
    public var network: NetworkTime
    /// Network nanoseconds in one host nanosecond; near 1.
    public var rateRatio: Double
    /// How far the network time may be wrong either way: half the quickest round trip. Told of clocks that are asked
    /// over UDP every few seconds; zero where it is not told.
    public var uncertainty = Duration.zero

    public init(host: HostTime, network: NetworkTime, rateRatio: Double = 1) {
        self.host = host
        self.network = network
        self.rateRatio = rateRatio
    }

    public func networkTime(at time: HostTime) -> NetworkTime {
        let elapsed = time.nanoseconds &- host.nanoseconds
        let drift = Int64((Double(elapsed) * (rateRatio - 1)).rounded())
        return NetworkTime(nanoseconds: network.nanoseconds &+ elapsed &+ drift)
    }

    public func hostTime(of time: NetworkTime) -> HostTime {
        let elapsed = time.nanoseconds &- network.nanoseconds
        let drift = Int64((Double(elapsed) * (1 / rateRatio - 1)).rounded())
        return HostTime(nanoseconds: host.nanoseconds &+ elapsed &+ drift)
    }
}
