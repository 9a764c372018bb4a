/// A key as reported by a terminal.
public enum Key: Equatable, Sendable {
    case character(Character)
    case up, down, left, right
    case home, end, pageUp, pageDown, delete
    case enter, tab, backspace, escape
    /// Ctrl and a letter, in lower case.
    case control(Character)
}

/// A decoder from a terminal's bytes to keys: a pure value that accepts chunks of any size.
///
/// A lone escape byte is either the escape key or the start of a sequence. After a pause, call ``finish()``
/// to resolve it.
public struct KeyDecoder: Sendable {
    private var pending: [UInt8] = []

    /// The most bytes of an escape sequence or character; longer sequences are dropped.
    private static let pendingLimit = 16

    /// Creates a decoder without pending bytes.
    public init() {}

    /// Whether the decoder needs more bytes, or ``finish()``.
    public var isWaiting: Bool { !pending.isEmpty }

    /// Takes bytes and returns the keys that they complete.
    public mutating func receive(_ bytes: some Sequence<UInt8>) -> [Key] {
        bytes.flatMap { receive(byte: $0) }
    }

    /// Resolves pending bytes after a pause: a lone escape is the escape key; other incomplete input is
    /// dropped.
    public mutating func finish() -> [Key] {
        defer { pending = [] }
        return pending == [Self.escape] ? [.escape] : []
    }

    private mutating func receive(byte: UInt8) -> [Key] {
        pending.append(byte)
        switch decode() {
        case .incomplete:
            if pending.count >= Self.pendingLimit { pending = [] }
            return []
        case .key(let key):
            pending = []
            return [key]
        case .nothing:
            pending = []
            return []
        case .restart:
            // The last byte does not belong to the pending sequence.
            let before: [Key] = pending.first == Self.escape && pending.count == 2 ? [.escape] : []
            pending = []
            return before + receive(byte: byte)
        }
    }

    private enum Decoded {
        case incomplete, nothing, restart
        case key(Key)
    }

    private func decode() -> Decoded {
        guard let first = pending.first else { return .nothing }
        if first == Self.escape { return decodeEscape() }
        if first >= 0x80 { return decodeUTF8(first) }
        switch first {
        case 0x0A, 0x0D: return .key(.enter)
        case 0x09: return .key(.tab)
        case 0x08, 0x7F: return .key(.backspace)
        case 0x01...0x1A: return .key(.control(Self.character(first + 0x60)))
        case 0x20...0x7E: return .key(.character(Self.character(first)))
        default: return .nothing
        }
    }

    private func decodeUTF8(_ first: UInt8) -> Decoded {
        let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard (0xC2...0xF4).contains(first) else { return .nothing }
        if let last = pending.last, pending.count > 1, last & 0xC0 != 0x80 { return .restart }
        guard pending.count == count else { return .incomplete }
        guard let text = String(validating: pending, as: UTF8.self), let character = text.first else {
            return .nothing
        }
        return .key(.character(character))
    }

    /// Decodes `ESC [ … final` and `ESC O final`. Source: ECMA-48 5.4; xterm's control sequences.
    private func decodeEscape() -> Decoded {
        guard pending.count > 1 else { return .incomplete }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else { return .restart }
        guard pending.count > 2, let last = pending.last else { return .incomplete }
        guard (0x20...0x7E).contains(last) else { return .restart }
        guard (0x40...0x7E).contains(last) else { return .incomplete }
        return Self.key(final: last, parameters: pending[2..<pending.count - 1])
    }

    private static func key(final: UInt8, parameters: ArraySlice<UInt8>) -> Decoded {
        switch final {
        case UInt8(ascii: "A"): .key(.up)
        case UInt8(ascii: "B"): .key(.down)
        case UInt8(ascii: "C"): .key(.right)
        case UInt8(ascii: "D"): .key(.left)
        case UInt8(ascii: "H"): .key(.home)
        case UInt8(ascii: "F"): .key(.end)
        case UInt8(ascii: "M"): .key(.enter)
        case UInt8(ascii: "~"): keysWithTilde[number(parameters)].map(Decoded.key) ?? .nothing
        default: .nothing
        }
    }

    /// Returns the first parameter; modifiers follow it after a semicolon.
    private static func number(_ parameters: ArraySlice<UInt8>) -> Int {
        Int(String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)) ?? 0
    }

    private static func character(_ byte: UInt8) -> Character { Character(Unicode.Scalar(byte)) }

    private static let escape: UInt8 = 0x1B
    private static let keysWithTilde: [Int: Key] = [
        1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    ]
}
