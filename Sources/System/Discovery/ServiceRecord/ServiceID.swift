/// The identity of an advertised service, stable across events.
public struct ServiceID: Hashable, Sendable {
    /// The service type.
    public let kind: ServiceKind
    /// The instance name, as advertised.
    public let name: String
    /// The domain, `local` for multicast DNS.
    public let domain: String

    /// Creates an identity from its parts.
    public init(kind: ServiceKind, name: String, domain: String = "local") {
        self.kind = kind
        self.name = name
        self.domain = domain
    }
}
