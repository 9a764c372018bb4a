/// Why services cannot be looked for.
public enum DiscoveryError: Error, Equatable, Sendable {
    /// No interface of this machine has the address that browsing is to be restricted to.
    case noInterface(address: String)
    /// Neither the system's mDNS daemon nor one of our own in this process can be used.
    /// Usual causes: no permission to open UDP 5353, or a machine without any network.
    case unavailable(operation: String, code: Int32, reason: String)
}

extension DiscoveryError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noInterface(let address): "no network interface of this machine has the address \(address)"
        case .unavailable(let operation, let code, let reason):
            "cannot look for speakers: \(reason) (\(operation): \(code))"
        }
    }
}
