/// An address of a service, in the numeric form that sockets and people use.
///
/// A link-local IPv6 address carries its interface as scope (`fe80::1%eth0`): without it nobody can
/// connect to it.
public struct ServiceAddress: Hashable, Sendable {
    public enum Family: Int, Hashable, Sendable, CaseIterable {
        case ipv4 = 4
        case ipv6 = 6
    }

    public let family: Family
    /// The address without scope, e.g. `192.0.2.7` or `fe80::1`.
    public let digits: String
    /// The name of the interface a link-local address belongs to.
    public let scope: String?

    public init(family: Family, digits: String, scope: String? = nil) {
        self.family = family
        self.digits = digits
        self.scope = scope
    }

    /// The address with its scope, fit for `getaddrinfo` with `AI_NUMERICHOST`.
    public var text: String {
        guard let scope else { return digits }
        return "\(digits)%\(scope)"
    }

    /// Whether the address is valid on one link only (`fe80::/10`, `169.254.0.0/16`).
    public var isLinkLocal: Bool {
        switch family {
        case .ipv4: return digits.hasPrefix("169.254.")
        case .ipv6:
            let group = digits.prefix { $0 != ":" }.lowercased()
            return group.count == 4 && ["fe8", "fe9", "fea", "feb"].contains(group.prefix(3))
        }
    }

    /// The order in which to try addresses: IPv4, routable IPv6, link-local IPv6.
    ///
    /// *Observed*: several receivers advertise IPv6 addresses on which they play silence; IPv4 first
    /// avoids them.
    var rank: Int {
        switch (family, isLinkLocal) {
        case (.ipv4, _): 0
        case (.ipv6, false): 1
        case (.ipv6, true): 2
        }
    }
}

extension ServiceAddress: CustomStringConvertible {
    public var description: String { text }

    /// The address with a port, IPv6 in brackets.
    public func endpoint(port: UInt16) -> String {
        family == .ipv6 ? "[\(text)]:\(port)" : "\(text):\(port)"
    }
}
