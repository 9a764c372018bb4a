import SystemIO

/// One advertised service, resolved: there is somewhere to connect to.
public struct DiscoveredService: Hashable, Sendable, Identifiable {
    public let id: ServiceID
    /// The host name in the SRV record, e.g. `kitchen.local`.
    public let host: String
    /// Never empty; IPv4 first, then IPv6, link-local last.
    public let addresses: [IPAddress]
    /// Never 0.
    public let port: UInt16
    /// The TXT record, in its own order.
    public let txt: [TXTEntry]

    /// - Returns: `nil` without an address or with port 0. *Observed*: port 0 comes in a record that
    ///   the real one replaces soon after; such a service counts as not yet resolved.
    public init?(
        id: ServiceID, host: String, addresses: [IPAddress], port: UInt16, txt: [TXTEntry]
    ) {
        guard port != 0, !addresses.isEmpty else { return nil }
        self.id = id
        self.host = host
        self.addresses = addresses
        self.port = port
        self.txt = txt
    }

    public var name: String { id.name }
    public var kind: ServiceKind { id.kind }
}
