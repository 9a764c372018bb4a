import TuttiSystemIO

/// A resolved service, with at least one address to connect to.
package struct DiscoveredService: Hashable, Sendable, Identifiable {
    /// The identity of the service.
    package let id: ServiceID
    /// The host name in the SRV record, e.g. `kitchen.local`.
    package let host: String
    /// The addresses, never empty: IPv4 first, then IPv6, link-local last.
    package let addresses: [IPAddress]
    /// The port, never 0.
    package let port: UInt16
    /// The TXT record, in its own order.
    package let txt: [TXTEntry]

    /// - Returns: `nil` without an address or with port 0. *Observed*: a record with port 0 comes shortly
    ///   before the real record; such a service counts as unresolved.
    package init?(
        id: ServiceID, host: String, addresses: [IPAddress], port: UInt16, txt: [TXTEntry]
    ) {
        guard port != 0, !addresses.isEmpty else { return nil }
        self.id = id
        self.host = host
        self.addresses = addresses
        self.port = port
        self.txt = txt
    }

    /// The instance name.
    package var name: String { id.name }
    /// The service type.
    package var kind: ServiceKind { id.kind }
}
