import Foundation

/// A Swift type with its own column: `Int64`, `Int`, `Bool`, `Double`, `String`, `Data`, and optionals
/// of them.
public protocol DatabaseValue {
    /// The form in which SQLite stores the value.
    var stored: StoredValue { get }
    /// Makes a value of a column; of another type, as SQLite converts it: NULL is 0, false or empty.
    init(_ column: DatabaseColumn)
}

/// A value as SQLite stores it.
public enum StoredValue: Sendable, Hashable {
    /// No value.
    case null
    /// A signed number of 64 bits.
    case integer(Int64)
    /// A number of double precision; SQLite has no NaN, and stores NULL for it.
    case real(Double)
    /// A text in UTF-8.
    case text(String)
    /// Bytes.
    case blob(Data)
}

extension Int64: DatabaseValue {
    public var stored: StoredValue { .integer(self) }
    public init(_ column: DatabaseColumn) { self = column.integer }
}

extension Int: DatabaseValue {
    public var stored: StoredValue { .integer(Int64(self)) }
    public init(_ column: DatabaseColumn) { self = Int(column.integer) }
}

extension Bool: DatabaseValue {
    public var stored: StoredValue { .integer(self ? 1 : 0) }
    public init(_ column: DatabaseColumn) { self = column.integer != 0 }
}

extension Double: DatabaseValue {
    public var stored: StoredValue { .real(self) }
    public init(_ column: DatabaseColumn) { self = column.real }
}

extension String: DatabaseValue {
    public var stored: StoredValue { .text(self) }
    public init(_ column: DatabaseColumn) { self = column.text }
}

extension Data: DatabaseValue {
    public var stored: StoredValue { .blob(self) }
    public init(_ column: DatabaseColumn) { self = column.data }
}

extension Optional: DatabaseValue where Wrapped: DatabaseValue {
    public var stored: StoredValue { self?.stored ?? .null }
    public init(_ column: DatabaseColumn) { self = column.isNull ? nil : Wrapped(column) }
}
