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
}
