import TuttiSystemIO

extension IPAddress {
    /// The rank of this address when trying the addresses of a host: IPv4, routable IPv6, link-local IPv6.
    ///
    /// *Observed*: several receivers advertise IPv6 addresses on which they play silence; trying IPv4 first
    /// avoids these addresses.
    var preference: Int {
        switch (family, isLinkLocal) {
        case (.v4, _): 0
        case (.v6, false): 1
        case (.v6, true): 2
        }
    }

    /// Returns whether a record may name this address: the address of a single host that other hosts can
    /// reach.
    ///
    /// - Parameter isOwn: Whether the record belongs to this machine, which may use loopback addresses.
    func isUsableInRecord(isOwn: Bool) -> Bool {
        let first = bytes.first ?? 0
        let isMulticast = family == .v4 ? first >= 224 : first == 0xFF
        return !isUnspecified && !isMulticast && (isOwn || !block.isLoopback)
    }
}
