import TuttiSystemIO

/// A network interface of this machine, to which a search can be restricted.
package struct NetworkInterface: Hashable, Sendable {
    /// The kernel's index of the interface.
    package let index: Int32
    /// The interface's name, e.g. `eth0`.
    package let name: String

    /// Creates an interface from its index and name, without checks.
    package init(index: Int32, name: String) {
        self.index = index
        self.name = name
    }

    /// Returns the interface that has an address.
    ///
    /// - Parameter address: A numeric IPv4 or IPv6 address. A link-local address with a scope
    ///   (`fe80::1%eth0`) must be on that interface; without a scope, the first interface with the address is
    ///   returned.
    /// - Throws: ``DiscoveryError/noInterface(address:)`` if no interface has the address.
    package static func having(address: String) throws(DiscoveryError) -> NetworkInterface {
        guard let wanted = IPAddress(address) else { throw .noInterface(address: address) }
        let found = NetworkInterfaces.addresses().first {
            $0.address.bytes == wanted.bytes && (wanted.scopeID == 0 || wanted.scopeID == $0.index)
        }
        guard let found else { throw .noInterface(address: address) }
        return NetworkInterface(index: Int32(clamping: found.index), name: found.name)
    }
}
