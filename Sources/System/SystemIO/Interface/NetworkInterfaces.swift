import CTuttiLinux
import Glibc

/// One address of one network interface.
package struct InterfaceAddress: Hashable, Sendable {
    /// The interface name, e.g. `eth0`.
    package let name: String
    /// The interface index.
    package let index: UInt32
    /// The IPv4 or IPv6 address.
    package let address: IPAddress
    /// Whether the interface is a loopback.
    package let isLoopback: Bool
    /// Whether the interface is up.
    package let isUp: Bool
    /// The six-byte link-layer address; `nil` for interfaces without one.
    package let hardwareAddress: [UInt8]?

    /// Creates an address.
    package init(
        name: String, index: UInt32, address: IPAddress, isLoopback: Bool, isUp: Bool,
        hardwareAddress: [UInt8]?
    ) {
        (self.name, self.index, self.address) = (name, index, address)
        (self.isLoopback, self.isUp, self.hardwareAddress) = (isLoopback, isUp, hardwareAddress)
    }
}

/// The network interfaces of this machine.
package enum NetworkInterfaces {
    /// Returns every IPv4 and IPv6 address, in the kernel's order; empty if the system call fails.
    package static func addresses() -> [InterfaceAddress] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        let entries = Array(sequence(first: list, next: { $0?.pointee.ifa_next }).compactMap { $0?.pointee })
        let hardware = hardwareAddresses(in: entries)
        return entries.compactMap { entry -> InterfaceAddress? in
            guard let name = name(of: entry), let pointer = entry.ifa_addr,
                let address = SocketAddress(pointer, length: length(of: pointer))?.address
            else { return nil }
            return InterfaceAddress(
                name: name, index: if_nametoindex(name), address: address,
                isLoopback: entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0,
                isUp: entry.ifa_flags & UInt32(IFF_UP) != 0, hardwareAddress: hardware[name])
        }
    }

    /// Returns the link-layer address of the first interface, by index, that has a nonzero one; `nil` if none
    /// has.
    ///
    /// Stable between runs as long as the machine's interfaces stay the same.
    package static func firstHardwareAddress() -> [UInt8]? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        let entries = sequence(first: list, next: { $0?.pointee.ifa_next }).compactMap { $0?.pointee }
        return hardwareAddresses(in: Array(entries)).min { if_nametoindex($0.key) < if_nametoindex($1.key) }?
            .value
    }

    private static func hardwareAddresses(in entries: [ifaddrs]) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for entry in entries {
            guard let name = name(of: entry), let pointer = entry.ifa_addr,
                Int32(pointer.pointee.sa_family) == AF_PACKET
            else { continue }
            let link = UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_ll.self)
            let bytes = withUnsafeBytes(of: link.sll_addr) { Array($0.prefix(6)) }
            if link.sll_halen == 6, bytes.contains(where: { $0 != 0 }) { found[name] = bytes }
        }
        return found
    }

    private static func name(of entry: ifaddrs) -> String? {
        entry.ifa_name.map { String(cString: $0) }
    }

    private static func length(of pointer: UnsafePointer<sockaddr>) -> Int {
        switch Int32(pointer.pointee.sa_family) {
        case AF_INET: MemoryLayout<sockaddr_in>.size
        case AF_INET6: MemoryLayout<sockaddr_in6>.size
        default: 0
        }
    }
}
