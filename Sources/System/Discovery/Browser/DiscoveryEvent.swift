/// A change among the services on the network.
package enum DiscoveryEvent: Hashable, Sendable {
    /// A new service appeared.
    case appeared(DiscoveredService)
    /// A known service changed its address, port, host or TXT record.
    case updated(DiscoveredService)
    /// A known service is gone; the value is its last state.
    case vanished(DiscoveredService)

    /// The service that changed, in its latest state.
    package var service: DiscoveredService {
        switch self {
        case .appeared(let service), .updated(let service), .vanished(let service): service
        }
    }
}
