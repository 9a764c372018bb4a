/// The sample layout of uncompressed sound in a file: interleaved and packed.
package struct StoredPCM: Hashable, Sendable {
    /// Bits per sample: 8, 16, 24 or 32, or 64 for floating point.
    package let bits: Int
    /// Whether samples are floating-point numbers.
    package let isFloat: Bool
    /// Whether samples are signed; `true` for floating point.
    package let isSigned: Bool
    /// Whether the most significant byte comes first.
    package let isBigEndian: Bool

    init(bits: Int, isFloat: Bool, isSigned: Bool, isBigEndian: Bool) {
        (self.bits, self.isFloat, self.isSigned, self.isBigEndian) = (bits, isFloat, isSigned, isBigEndian)
    }

    /// - Parameter name: FFmpeg's codec name, e.g. `pcm_s16le`; any other kind of name gives `nil`.
    init?(libraryName name: String) {
        guard name.hasPrefix("pcm_"), let kind = name.dropFirst(4).first else { return nil }
        let digits = name.dropFirst(5).prefix { $0.isASCII && $0.isNumber }
        let order = name.dropFirst(5 + digits.count)
        guard let bits = Int(digits), order == "le" || order == "be" || (order.isEmpty && bits == 8) else {
            return nil
        }
        switch kind {
        case "f": guard bits == 32 || bits == 64 else { return nil }
        case "s", "u": guard [8, 16, 24, 32].contains(bits) else { return nil }
        default: return nil
        }
        self.init(bits: bits, isFloat: kind == "f", isSigned: kind != "u", isBigEndian: order == "be")
    }

    /// Bytes per sample.
    package var bytesPerSample: Int { bits / 8 }
}
