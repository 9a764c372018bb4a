import CTuttiSQLite
import Foundation

/// The place of a value in a statement.
final class ValuePlace {
    /// SQLite copies the bytes before the call returns.
    private static var copies: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    private let statement: OpaquePointer
    private let index: Int32
    /// The result of the last call.
    private(set) var code = SQLITE_OK

    init(statement: OpaquePointer, index: Int32) { (self.statement, self.index) = (statement, index) }

    func bindNull() { code = sqlite3_bind_null(statement, index) }
    func bind(_ value: Int64) { code = sqlite3_bind_int64(statement, index, value) }
    func bind(_ value: Double) { code = sqlite3_bind_double(statement, index, value) }

    func bind(_ value: String) {
        var value = value
        code = value.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text64(
                    statement, index, $0.baseAddress, UInt64($0.count), Self.copies, UInt8(SQLITE_UTF8))
            }
        }
        // An empty text may have no address, which SQLite takes for NULL.
        if value.isEmpty { code = sqlite3_bind_text(statement, index, "", 0, Self.copies) }
    }

    func bind(_ value: Data) {
        code =
            value.isEmpty
            ? sqlite3_bind_zeroblob(statement, index, 0)
            : value.withUnsafeBytes {
                sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), Self.copies)
            }
    }
}

extension StoredValue {
    func bind(to place: ValuePlace) {
        switch self {
        case .null: place.bindNull()
        case .integer(let value): place.bind(value)
        case .real(let value): place.bind(value)
        case .text(let value): place.bind(value)
        case .blob(let value): place.bind(value)
        }
    }
}
