/// The identity of a picture: 128 bits of its bytes, as 32 hexadecimal digits. Equal pictures have one.
///
/// Not a cryptographic hash: a file that was made to collide with another one shows the other's picture.
struct PictureID: Hashable, CustomStringConvertible {
    let description: String

    /// Computes the identity of a picture.
    init(of bytes: [UInt8]) {
        var (first, second) = (UInt64(bytes.count) ^ 0x9E37_79B9_7F4A_7C15, ~UInt64(bytes.count))
        bytes.withUnsafeBytes { raw in
            for offset in stride(from: 0, to: raw.count, by: 8) {
                let word = Self.word(raw, at: offset)
                first = Self.mixed(first ^ word)
                second = Self.mixed(second &+ word &* 0xC2B2_AE3D_27D4_EB4F)
            }
        }
        description = Self.digits(first) + Self.digits(second)
    }

    /// Parses an identity from outside; `nil` if the text is not a valid one.
    init?(_ text: String) {
        guard text.utf8.count == 32,
            text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return nil }
        description = text
    }

    /// The little-endian word at an offset, filled up with zeros.
    private static func word(_ raw: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
        if offset + 8 <= raw.count {
            return UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        return raw[offset...].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The finalizer of SplitMix64, in which each bit of the input changes half of the bits.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    private static func digits(_ value: UInt64) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
