/// The reason that a peer's bytes are malformed.
@usableFromInline package enum WireError: Error, Equatable, Sendable {
    /// The bytes end inside a field.
    case truncated(field: String, needed: Int, available: Int)
    /// A number is outside its allowed range.
    case outOfRange(field: String, value: UInt64)
    /// A field with one permitted value has another.
    case unexpected(field: String, value: UInt64)
    /// Bytes follow the end of a structure that must fill its frame.
    case trailingBytes(count: Int)
}

extension WireError: CustomStringConvertible {
    /// The message for logs.
    @usableFromInline package var description: String {
        switch self {
        case .truncated(let field, let needed, let available):
            "\(field): \(needed) bytes needed, \(available) there"
        case .outOfRange(let field, let value): "\(field): \(value) is out of range"
        case .unexpected(let field, let value): "\(field): unexpected value \(value)"
        case .trailingBytes(let count): "\(count) bytes too many"
        }
    }
}
