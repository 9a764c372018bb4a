/// A value that assembles lines from the bytes of a terminal, in chunks of any size.
///
/// A terminal in canonical mode sends whole lines; in other modes the editing keys arrive too.
struct LineAssembler: Sendable {
    enum Result: Equatable, Sendable {
        case line(String)
        /// Ctrl-C, or Ctrl-D on an empty line.
        case givenUp
    }

    /// The most bytes of a line; users type less.
    static let limit = 1024

    private var bytes: [UInt8] = []
    private var isEscaped = false

    mutating func receive(_ byte: UInt8) -> Result? {
        if skipsAsEscape(byte) { return nil }
        switch byte {
        case 0x0A, 0x0D:
            defer { bytes = [] }
            return .line(String(decoding: bytes, as: UTF8.self))
        case 0x03:
            return .givenUp
        case 0x04:
            return bytes.isEmpty ? .givenUp : nil
        case 0x08, 0x7F:
            removeCharacter()
        case 0x15:
            bytes = []
        case 0x1B:
            isEscaped = true
        case 0x20..., 0x09:
            if bytes.count < Self.limit { bytes.append(byte) }
        default:
            break
        }
        return nil
    }

    /// Returns whether the byte belongs to a key's escape sequence, `ESC [ … letter` or `ESC O letter`.
    /// Source: ECMA-48, 5.4.
    private mutating func skipsAsEscape(_ byte: UInt8) -> Bool {
        guard isEscaped else { return false }
        // A line end or control character must never be dropped.
        guard byte >= 0x20 else {
            isEscaped = false
            return false
        }
        let isInside = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") || (0x20..<0x40).contains(byte)
        isEscaped = isInside
        return true
    }

    /// Removes the last character: a byte and its continuation bytes.
    private mutating func removeCharacter() {
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    }
}
