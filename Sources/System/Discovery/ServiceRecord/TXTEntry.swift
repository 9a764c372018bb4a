/// A `key=value` string of a TXT record.
package struct TXTEntry: Hashable, Sendable {
    /// The key as advertised; compare without regard to case (RFC 6763, 6.4).
    package let key: String
    /// The value; empty for `key=` and for a bare `key`.
    package let value: String

    /// Creates an entry from its key and value.
    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }

    /// Parses one string of a TXT record; `nil` if the string is too long or has no key, which RFC 6763 says
    /// to skip.
    init?(parsing string: some Collection<UInt8>) {
        guard string.count <= Self.lengthLimit else { return nil }
        let parts = string.split(
            separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard let key = parts.first, !key.isEmpty else { return nil }
        self.init(
            key: String(decoding: key, as: UTF8.self),
            value: parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "")
    }

    /// The maximum size of a string in bytes, because its length is one byte (RFC 1035, 3.3.14).
    static let lengthLimit = 255
    /// The maximum number of strings kept per record. Receivers send about 25.
    static let countLimit = 128
}

extension [TXTEntry] {
    /// Returns the value of the first entry with this key, in any case.
    package func value(of key: String) -> String? {
        let wanted = key.lowercased()
        return first { $0.key.lowercased() == wanted }?.value
    }
}
