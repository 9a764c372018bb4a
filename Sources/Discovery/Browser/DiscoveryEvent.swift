/// A change among the services on the network.
public enum DiscoveryEvent: Hashable, Sendable {
    /// A service that was not there before.
    case appeared(DiscoveredService)
    /// A known service with another address, port, host or TXT record.
    case updated(DiscoveredService)
    /// A known service is gone; its last state.
    case vanished(DiscoveredService)

    public var service: DiscoveredService {
        switch self {
        case .appeared(let service), .updated(let service), .vanished(let service): service
        }
    }
}
