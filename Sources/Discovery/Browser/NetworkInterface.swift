internal import Glibc

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
    /// - Parameter address: IPv4 or IPv6 in numbers; a scope (`%eth0`) is ignored.
    public static func having(address: String) throws(DiscoveryError) -> NetworkInterface {
        let digits = address.prefix { $0 != "%" }
        guard let wanted = canonical(String(digits)) else { throw .noInterface(address: address) }
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { throw .noInterface(address: address) }
        defer { freeifaddrs(list) }
        var item = list
        while let current = item?.pointee {
            if numeric(current.ifa_addr) == wanted, let name = current.ifa_name {
                return NetworkInterface(
                    index: Int32(bitPattern: if_nametoindex(name)), name: String(cString: name))
            }
            item = current.ifa_next
        }
        throw .noInterface(address: address)
    }

    /// The name of an interface, `nil` when there is no such interface any more.
    static func name(ofIndex index: Int32) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard index > 0, if_indextoname(UInt32(index), &buffer) != nil else { return nil }
        return String(nulTerminated: buffer)
    }

    /// The one spelling of a numeric address; `nil` when it is none.
    private static func canonical(_ text: String) -> String? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var result: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(text, nil, &hints, &result) == 0 else { return nil }
        defer { freeaddrinfo(result) }
        return numeric(result?.pointee.ai_addr)
    }

    /// The address in numbers, without scope.
    private static func numeric(_ address: UnsafeMutablePointer<sockaddr>?) -> String? {
        guard let address else { return nil }
        let length: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET: length = MemoryLayout<sockaddr_in>.size
        case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = getnameinfo(
            address, socklen_t(length), &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
        guard code == 0 else { return nil }
        return String(String(nulTerminated: buffer).prefix { $0 != "%" })
    }
}
