import Glibc

/// An IPv4 or IPv6 address.
///
/// A fixed-size value without heap storage, suitable as a dictionary key in hot paths.
public struct IPAddress: Hashable, Sendable {
    /// The IP version.
    public enum Family: Hashable, Sendable {
        /// IP version 4 or 6.
        case v4, v6
    }

    /// The IP version of the address.
    public let family: Family
    /// The interface index of a link-local IPv6 address; 0 for none.
    public let scopeID: UInt32
    private let high: UInt64
    private let low: UInt64

    /// Creates the IPv4 address a.b.c.d.
    public init(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) {
        self.init(v4: UInt32(a) << 24 | UInt32(b) << 16 | UInt32(c) << 8 | UInt32(d))
    }

    /// Creates an IPv4 address from 32 bits, most significant byte first.
    init(v4 bits: UInt32) {
        family = .v4
        scopeID = 0
        high = 0
        low = UInt64(bits)
    }

    /// Creates an IPv6 address from 128 bits. An IPv4-mapped address stays IPv6.
    init(v6 high: UInt64, _ low: UInt64, scopeID: UInt32) {
        family = .v6
        self.scopeID = scopeID
        self.high = high
        self.low = low
    }

    /// Creates an address from 4 or 16 bytes, most significant first; `nil` for any other count.
    public init?(bytes: some Collection<UInt8>, scopeID: UInt32 = 0) {
        switch bytes.count {
        case 4: self.init(v4: bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case 16:
            let high = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let low = bytes.dropFirst(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            self.init(v6: high, low, scopeID: scopeID)
        default: return nil
        }
    }

    /// The 4 or 16 bytes of the address, most significant first.
    public var bytes: [UInt8] {
        func split(_ value: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64((count - 1 - $0) * 8)) }
        }
        return family == .v4 ? split(low, 4) : split(high, 8) + split(low, 8)
    }

    var v6Bits: (high: UInt64, low: UInt64) { (high, low) }

    var v4Bits: UInt32 { UInt32(truncatingIfNeeded: low) }

    /// 0.0.0.0.
    public static let anyV4 = IPAddress(v4: 0)
    /// `::`.
    public static let anyV6 = IPAddress(v6: 0, 0, scopeID: 0)
    /// 127.0.0.1.
    public static let loopbackV4 = IPAddress(127, 0, 0, 1)
    /// `::1`.
    public static let loopbackV6 = IPAddress(v6: 0, 1, scopeID: 0)

    /// Whether the address is in 127.0.0.0/8, or ::1.
    public var isLoopback: Bool {
        family == .v4 ? v4Bits >> 24 == 127 : high == 0 && low == 1
    }

    /// Whether the address is in 169.254.0.0/16 or fe80::/10, and so valid on one link only.
    public var isLinkLocal: Bool {
        family == .v4 ? v4Bits >> 16 == 0xA9FE : high >> 54 == 0xFE80 >> 6
    }

    /// Whether the address is 0.0.0.0 or ::.
    public var isUnspecified: Bool { high == 0 && low == 0 }
}

extension IPAddress: LosslessStringConvertible {
    /// Parses dotted IPv4, or IPv6 with an optional zone (`fe80::1%eth0`, `fe80::1%2`).
    ///
    /// Returns `nil` if the text is not an address or the zone names no interface of this machine.
    public init?(_ text: String) {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        // The system's functions would read the text up to a zero only.
        guard let first = parts.first, first.utf8.count < 64, !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        if parts.count == 1, inet_pton(AF_INET, String(first), &four) == 1 {
            self.init(v4: UInt32(bigEndian: four.s_addr))
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, String(first), &six) == 1 else { return nil }
        var scope: UInt32 = 0
        if parts.count == 2 {
            guard let index = Self.scopeID(ofZone: String(parts[1])) else { return nil }
            scope = index
        }
        self.init(six, scopeID: scope)
    }

    /// The text form, with the interface name as zone if there is a scope.
    public var description: String {
        scopeID == 0 ? textWithoutZone : textWithoutZone + "%" + Self.zone(ofScopeID: scopeID)
    }

    /// The text form without a zone, the form that receivers accept in peer lists.
    public var textWithoutZone: String {
        if family == .v4 {
            return (0..<4).map { String(v4Bits >> UInt32(24 - 8 * $0) & 0xFF) }.joined(separator: ".")
        }
        var address = inet6
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
        return text.withUnsafeBufferPointer { buffer in
            String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    private static func scopeID(ofZone zone: String) -> UInt32? {
        if let number = UInt32(zone) { return number }
        let index = if_nametoindex(zone)
        return index == 0 ? nil : index
    }

    private static func zone(ofScopeID scopeID: UInt32) -> String {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(scopeID, &name) != nil else { return String(scopeID) }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension IPAddress {
    init(_ address: in6_addr, scopeID: UInt32) {
        let (high, low) = withUnsafeBytes(of: address) { raw in
            (raw.loadUnaligned(as: UInt64.self), raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(v6: UInt64(bigEndian: high), UInt64(bigEndian: low), scopeID: scopeID)
    }

    var inet4: in_addr { in_addr(s_addr: v4Bits.bigEndian) }

    var inet6: in6_addr {
        var address = in6_addr()
        withUnsafeMutableBytes(of: &address) { raw in
            raw.storeBytes(of: high.bigEndian, as: UInt64.self)
            raw.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return address
    }
}
