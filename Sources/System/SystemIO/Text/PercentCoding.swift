/// Bytes of a text written as `%` and two hexadecimal digits (RFC 3986, 2.1). Any thread.
package enum PercentCoding {
    /// Returns a text whose bytes are written as `%XX`, except those that a function keeps.
    ///
    /// - Parameter keeping: Returns whether an ASCII byte stays as it is; not asked about other bytes and about
    ///   the percent sign, so that ``decode(_:)`` returns the bytes of the text again.
    package static func encode(_ text: String, keeping: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte < 0x80, byte != percent, keeping(byte) {
                bytes.append(byte)
            } else {
                bytes += [percent, digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the bytes of a text that has `%XX` in it; `nil` if two digits do not follow a percent sign.
    ///
    /// The bytes may be any: the caller decides whether they must be UTF-8, and whether zeros are allowed.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == percent else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(value), let low = rest.next().flatMap(value) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Whether a byte is one of the unreserved characters of an address, which are never encoded (RFC 3986, 2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    private static let percent = UInt8(ascii: "%")
    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
