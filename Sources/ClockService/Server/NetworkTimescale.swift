import MediaTime

/// How our network time follows from host time. One place decides it.
public struct NetworkTimescale: Hashable, Sendable {
    /// Network time minus host time, nanoseconds.
    private let offset: Int64 = 0

    public init() {}

    public func networkTime(at time: HostTime) -> NetworkTime {
        NetworkTime(nanoseconds: time.nanoseconds &+ offset)
    }

    public func hostTime(of time: NetworkTime) -> HostTime {
        HostTime(nanoseconds: time.nanoseconds &- offset)
    }
}
