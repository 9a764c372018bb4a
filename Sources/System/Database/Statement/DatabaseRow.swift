import CTuttiSQLite
import Foundation

/// A row of a running query; valid inside the closure that gets it.
public struct DatabaseRow: ~Copyable {
    let statement: Statement

    /// The value of a column, from 0; a column that does not exist is NULL.
    public subscript<Value: DatabaseValue>(_ index: Int) -> Value {
        Value(DatabaseColumn(statement: statement, index: Int32(clamping: index)))
    }
}

/// A column of a row, for the types that adopt ``DatabaseValue``.
public struct DatabaseColumn {
    let statement: Statement
    let index: Int32

    /// Whether there is no value.
    public var isNull: Bool { sqlite3_column_type(statement.pointer, index) == SQLITE_NULL }
    /// The value as a whole number.
    public var integer: Int64 { sqlite3_column_int64(statement.pointer, index) }
    /// The value as a number of double precision.
    public var real: Double { sqlite3_column_double(statement.pointer, index) }

    /// The value as a text; invalid UTF-8 is repaired.
    public var text: String {
        guard let bytes = sqlite3_column_text(statement.pointer, index) else { return "" }
        let count = Int(sqlite3_column_bytes(statement.pointer, index))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The value as bytes.
    public var data: Data {
        guard let bytes = sqlite3_column_blob(statement.pointer, index) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement.pointer, index)))
    }
}
