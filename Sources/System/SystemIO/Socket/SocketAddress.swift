import Glibc

/// An IP address and a port.
public struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// The IP address.
    public var address: IPAddress
    /// The port, in host byte order.
    public var port: UInt16

    /// Creates a socket address.
    public init(_ address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// `192.0.2.1:7000` or `[2001:db8::1]:7000`.
    public var description: String {
        address.family == .v4 ? "\(address):\(port)" : "[\(address)]:\(port)"
    }
}

extension SocketAddress {
    /// Lends the address in the kernel's form.
    package func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        func lend<Form>(_ form: inout Form) -> Result {
            withUnsafePointer(to: &form) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<Form>.size))
                }
            }
        }
        if address.family == .v4 {
            var form = sockaddr_in()
            form.sin_family = sa_family_t(AF_INET)
            form.sin_port = port.bigEndian
            form.sin_addr = address.inet4
            return lend(&form)
        }
        var form = sockaddr_in6()
        form.sin6_family = sa_family_t(AF_INET6)
        form.sin6_port = port.bigEndian
        form.sin6_addr = address.inet6
        form.sin6_scope_id = address.scopeID
        return lend(&form)
    }

    /// Reads an address from the kernel's form; `nil` for other families and short forms.
    package init?(_ pointer: UnsafeRawPointer, length: Int) {
        guard length >= MemoryLayout<sa_family_t>.size else { return nil }
        switch Int32(pointer.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            let form = pointer.loadUnaligned(as: sockaddr_in.self)
            self.init(
                IPAddress(v4: UInt32(bigEndian: form.sin_addr.s_addr)), port: UInt16(bigEndian: form.sin_port)
            )
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            let form = pointer.loadUnaligned(as: sockaddr_in6.self)
            self.init(
                IPAddress(form.sin6_addr, scopeID: form.sin6_scope_id),
                port: UInt16(bigEndian: form.sin6_port))
        default: return nil
        }
    }
}
