internal import CAvahi
internal import Glibc

extension ServiceAddress {
    /// - Parameter interface: where the address was seen: the scope of a link-local one.
    init?(_ address: AvahiAddress, interface: Int32) {
        guard let family = Family(avahiProtocol: address.proto) else { return nil }
        var address = address
        var buffer = [CChar](repeating: 0, count: Int(AVAHI_ADDRESS_STR_MAX))
        guard avahi_address_snprint(&buffer, buffer.count, &address) != nil else { return nil }
        let plain = ServiceAddress(family: family, digits: String(nulTerminated: buffer))
        let needsScope = family == .ipv6 && plain.isLinkLocal
        self.init(
            family: family, digits: plain.digits,
            scope: needsScope ? NetworkInterface.name(ofIndex: interface) : nil)
    }
}

extension [TXTEntry] {
    /// Copies a list of avahi, up to ``TXTEntry/countLimit`` strings.
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

extension String {
    init(nulTerminated characters: [CChar]) {
        let bytes = characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        self.init(decoding: bytes, as: UTF8.self)
    }
}
