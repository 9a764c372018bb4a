/// The identity of an advertised service, stable across events.
package struct ServiceID: Hashable, Sendable {
    /// The service type.
    package let kind: ServiceKind
    /// The instance name, as advertised.
    package let name: String
    /// The domain, `local` for multicast DNS.
    package let domain: String

    /// Creates an identity from its parts.
    package init(kind: ServiceKind, name: String, domain: String = "local") {
        self.kind = kind
        self.name = name
        self.domain = domain
    }
}
