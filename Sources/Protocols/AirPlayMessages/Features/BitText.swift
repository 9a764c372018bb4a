/// Returns the names of the bits that are set, lowest first.
func bitNames(of value: UInt64, known: [(bit: UInt64, name: String)]) -> [String] {
    (0..<64).filter { value >> $0 & 1 == 1 }
        .map { bit in known.first { $0.bit == bit }?.name ?? "bit \(bit)" }
}

/// Parses a hexadecimal number with or without a leading `0x`; `nil` if malformed or longer than 64 bits.
func hexNumber(_ text: Substring) -> UInt64? {
    let trimmed = text.drop { $0 == " " }
    let digits = trimmed.hasPrefix("0x") || trimmed.hasPrefix("0X") ? trimmed.dropFirst(2) : trimmed
    guard let first = digits.first, first != "+", first != "-" else { return nil }
    return UInt64(digits, radix: 16)
}

/// Parses an even number of hexadecimal digits of ASCII; `nil` for anything else.
func hexBytes(_ text: String) -> [UInt8]? {
    let digits = text.compactMap { $0.isASCII ? $0.hexDigitValue : nil }
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Decodes base64 with or without padding; `nil` for other characters.
func base64Bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var collected: UInt32 = 0
    var bitCount = 0
    for character in text.utf8.reversed().drop(while: { $0 == 0x3D }).reversed() {
        guard let value = base64Value(character) else { return nil }
        collected = (collected << 6 | value) & 0xFFFF
        bitCount += 6
        guard bitCount >= 8 else { continue }
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: collected >> UInt32(bitCount)))
    }
    return bytes
}

/// Encodes bytes in base64 without padding.
func base64Text(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    var collected: UInt32 = 0
    var bitCount: UInt32 = 0
    for byte in bytes {
        collected = (collected << 8 | UInt32(byte)) & 0xFFFF
        bitCount += 8
        while bitCount >= 6 {
            bitCount -= 6
            text.append(alphabet[Int(collected >> bitCount & 0x3F)])
        }
    }
    if bitCount > 0 { text.append(alphabet[Int(collected << (6 - bitCount) & 0x3F)]) }
    return String(decoding: text, as: UTF8.self)
}

private func base64Value(_ character: UInt8) -> UInt32? {
    switch character {
    case 0x41...0x5A: UInt32(character - 0x41)
    case 0x61...0x7A: UInt32(character - 0x61) + 26
    case 0x30...0x39: UInt32(character - 0x30) + 52
    case 0x2B: 62
    case 0x2F: 63
    default: nil
    }
}
