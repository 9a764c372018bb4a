import TuttiMediaTime

/// The relation of our network time to host time, defined only here.
package struct NetworkTimescale: Hashable, Sendable {
    /// Network time minus host time, nanoseconds.
    private let offset: Int64 = 0

    /// Creates a timescale without an offset.
    package init() {}

    /// Returns the network time at a host time.
    package func networkTime(at time: HostTime) -> NetworkTime {
        NetworkTime(nanoseconds: time.nanoseconds &+ offset)
    }

    /// Returns the host time at a network time.
    package func hostTime(of time: NetworkTime) -> HostTime {
        HostTime(nanoseconds: time.nanoseconds &- offset)
    }
}
