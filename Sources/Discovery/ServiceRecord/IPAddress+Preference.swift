import SystemIO

extension IPAddress {
    /// The order in which to try addresses of one host: IPv4, routable IPv6, link-local IPv6.
    ///
    /// *Observed*: several receivers advertise IPv6 addresses on which they play silence; IPv4 first
    /// avoids them.
    var preference: Int {
        switch (family, isLinkLocal) {
        case (.v4, _): 0
        case (.v6, false): 1
        case (.v6, true): 2
        }
    }

    /// Whether a record may name this address: one of a single host that others can reach.
    ///
    /// - Parameter isOwn: The record is one of this machine; loopback addresses are its own affair.
    func isUsableInRecord(isOwn: Bool) -> Bool {
        let first = bytes.first ?? 0
        let isMulticast = family == .v4 ? first >= 224 : first == 0xFF
        return !isUnspecified && !isMulticast && (isOwn || !block.isLoopback)
    }
}
