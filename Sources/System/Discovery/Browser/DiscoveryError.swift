/// A failure to look for services or to announce them.
public enum DiscoveryError: Error, Equatable, Sendable {
    /// No interface of this machine has the address that the search is restricted to.
    case noInterface(address: String)
    /// Neither the system's mDNS daemon nor our own stack in this process is available. Usual causes: no
    /// permission to open UDP 5353, or a machine without any network.
    case unavailable(operation: String, code: Int32, reason: String)
}

extension DiscoveryError: CustomStringConvertible {
    /// The message for the user.
    public var description: String {
        switch self {
        case .noInterface(let address): "no network interface of this machine has the address \(address)"
        case .unavailable(let operation, let code, let reason):
            "cannot search for speakers: \(reason) (\(operation): \(code))"
        }
    }
}
