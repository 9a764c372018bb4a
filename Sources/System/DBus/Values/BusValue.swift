/// A value of D-Bus's type system.
///
/// A value knows its own type, but for the elements of an empty array, which the array names.
package indirect enum BusValue: Hashable, Sendable {
    /// An unsigned byte, `y`.
    case byte(UInt8)
    /// A truth value, `b`.
    case boolean(Bool)
    /// A signed number of 16 bits, `n`.
    case int16(Int16)
    /// An unsigned number of 16 bits, `q`.
    case uint16(UInt16)
    /// A signed number of 32 bits, `i`.
    case int32(Int32)
    /// An unsigned number of 32 bits, `u`.
    case uint32(UInt32)
    /// A signed number of 64 bits, `x`.
    case int64(Int64)
    /// An unsigned number of 64 bits, `t`.
    case uint64(UInt64)
    /// A floating-point number, `d`.
    case double(Double)
    /// A text, `s`.
    case string(String)
    /// The path of an object, `o`.
    case objectPath(String)
    /// A signature, `g`.
    case signature(String)
    /// An array whose elements all have the named type, such as `s` or `{sv}`.
    case array(of: String, [BusValue])
    /// A structure, `(…)`.
    case structure([BusValue])
    /// A key with its value; an element of an array alone.
    case entry(BusValue, BusValue)
    /// A value that carries its type, `v`.
    case variant(BusValue)

    /// The type in D-Bus's spelling, such as `a{sv}`.
    package var typeSignature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .array(let element, _): "a" + element
        case .structure(let members): "(" + members.map(\.typeSignature).joined() + ")"
        case .entry(let key, let value): "{" + key.typeSignature + value.typeSignature + "}"
        case .variant: "v"
        }
    }

    /// Returns a list of texts, `as`.
    package static func strings(_ texts: [String]) -> BusValue { .array(of: "s", texts.map { .string($0) }) }

    /// Returns a list of object paths, `ao`.
    package static func objectPaths(_ paths: [String]) -> BusValue {
        .array(of: "o", paths.map { .objectPath($0) })
    }

    /// Returns properties by name, `a{sv}`, sorted by name.
    package static func properties(_ values: [String: BusValue]) -> BusValue {
        .array(
            of: "{sv}",
            values.sorted { $0.key < $1.key }.map { .entry(.string($0.key), .variant($0.value)) })
    }

    /// The text of a string, an object path or a signature; `nil` for others.
    package var text: String? {
        switch self {
        case .string(let text), .objectPath(let text), .signature(let text): text
        default: nil
        }
    }

    /// The elements of an array; `nil` for others.
    package var elements: [BusValue]? {
        if case .array(_, let elements) = self { elements } else { nil }
    }
}

/// Names of D-Bus: which texts are object paths and members of names.
package enum BusName {
    /// Returns whether a text is an object path: `/`, or parts of ASCII letters, digits and `_`.
    package static func isObjectPath(_ text: String) -> Bool {
        if text == "/" { return true }
        guard text.utf8.first == UInt8(ascii: "/"), text.utf8.count <= 4_096 else { return false }
        // Bytes and not characters: a slash and a combining mark after it are one character.
        return text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .allSatisfy { !$0.isEmpty && $0.allSatisfy(isWord) }
    }

    /// Returns a part of a bus name or an object path that stands for a text: other characters become `_`.
    package static func part(_ text: String) -> String {
        let bytes = text.utf8.prefix(64).map { isWord($0) ? $0 : UInt8(ascii: "_") }
        let part = String(decoding: bytes, as: UTF8.self)
        // A part of a bus name must not begin with a digit.
        return part.utf8.first.map { isDigit($0) } ?? true ? "_" + part : part
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte }

    private static func isWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= byte
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= byte || byte == UInt8(ascii: "_")
    }
}
