extension IPAddress {
    /// The addresses that one host can assume at will: for IPv4 the address itself, for IPv6 its /64.
    ///
    /// Link-local IPv6 addresses share one /64 among all hosts of a link and stay unchanged; an IPv4-mapped
    /// IPv6 address becomes that IPv4 address.
    public var block: IPAddress {
        guard family == .v6 else { return self }
        if v6Bits.high == 0, v6Bits.low >> 32 == 0xFFFF {
            return IPAddress(v4: UInt32(truncatingIfNeeded: v6Bits.low))
        }
        return isLinkLocal || isLoopback ? self : IPAddress(v6: v6Bits.high, 0, scopeID: 0)
    }
}
