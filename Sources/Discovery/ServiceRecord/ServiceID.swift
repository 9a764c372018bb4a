/// What makes one advertised service the same service from one event to the next.
public struct ServiceID: Hashable, Sendable {
    public let kind: ServiceKind
    /// The instance name, as advertised.
    public let name: String
    /// The domain, `local` for multicast DNS.
    public let domain: String

    public init(kind: ServiceKind, name: String, domain: String = "local") {
        self.kind = kind
        self.name = name
        self.domain = domain
    }
}
