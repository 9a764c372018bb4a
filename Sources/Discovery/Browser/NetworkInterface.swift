import SystemIO

/// One network interface of this machine, to restrict a search to.
public struct NetworkInterface: Hashable, Sendable {
    /// The kernel's number of the interface.
    public let index: Int32
    public let name: String

    public init(index: Int32, name: String) {
        self.index = index
        self.name = name
    }

    /// The interface that has an address.
    ///
    /// - Parameter address: IPv4 or IPv6 in numbers. A link-local address with a scope (`fe80::1%eth0`)
    ///   must be on that interface; without one, the first interface with the address is taken.
    public static func having(address: String) throws(DiscoveryError) -> NetworkInterface {
        guard let wanted = IPAddress(address) else { throw .noInterface(address: address) }
        let found = NetworkInterfaces.addresses().first {
            $0.address.bytes == wanted.bytes && (wanted.scopeID == 0 || wanted.scopeID == $0.index)
        }
        guard let found else { throw .noInterface(address: address) }
        return NetworkInterface(index: Int32(clamping: found.index), name: found.name)
    }
}
