import CTuttiAvahi
import TuttiSystemIO

extension IPAddress {
    /// - Parameter interface: The interface that showed the address, which becomes the scope of a link-local
    ///   one.
    init?(_ address: AvahiAddress, interface: Int32) {
        let byteCount: Int
        switch Family(avahiProtocol: address.proto) {
        case .v4: byteCount = 4
        case .v6: byteCount = 16
        case nil: return nil
        }
        let bytes = withUnsafeBytes(of: address.data) { Array($0.prefix(byteCount)) }
        guard let plain = IPAddress(bytes: bytes) else { return nil }
        let needsScope = plain.family == .v6 && plain.isLinkLocal
        self.init(bytes: bytes, scopeID: needsScope ? UInt32(max(0, interface)) : 0)
    }
}

extension [TXTEntry] {
    /// Copies an avahi list, up to ``TXTEntry/countLimit`` strings.
    init(_ list: UnsafeMutablePointer<AvahiStringList>?) {
        self = []
        var item = list
        var remaining = TXTEntry.countLimit
        while let current = item, remaining > 0 {
            let bytes = UnsafeBufferPointer(
                start: avahi_string_list_get_text(current), count: avahi_string_list_get_size(current))
            if let entry = TXTEntry(parsing: bytes) { append(entry) }
            item = avahi_string_list_get_next(current)
            remaining -= 1
        }
    }
}
