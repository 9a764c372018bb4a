/// Makes lines of the bytes of a terminal. A value; bytes may come cut anywhere.
///
/// A terminal that edits lines itself only sends whole ones; the others send the editing keys too.
struct LineAssembler: Sendable {
    enum Result: Equatable, Sendable {
        case line(String)
        /// Ctrl-C, or Ctrl-D on an empty line.
        case givenUp
    }

    /// Bytes of a line that are kept; what a user types is shorter.
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

    /// The rest of a key's sequence, `ESC [ … letter` or `ESC O letter`, is no text. Source: ECMA-48, 5.4.
    private mutating func skipsAsEscape(_ byte: UInt8) -> Bool {
        guard isEscaped else { return false }
        // A line's end, or a control character, is never swallowed.
        guard byte >= 0x20 else {
            isEscaped = false
            return false
        }
        let isInside = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") || (0x20..<0x40).contains(byte)
        isEscaped = isInside
        return true
    }

    /// A character is a byte and the continuation bytes behind it.
    private mutating func removeCharacter() {
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    }
}
