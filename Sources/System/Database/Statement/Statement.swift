import CTuttiSQLite

/// A prepared statement. Confined like ``Database``.
final class Statement {
    let sql: String
    let pointer: OpaquePointer
    private let handle: DatabaseHandle

    init(_ sql: String, _ handle: DatabaseHandle) throws(DatabaseError) {
        var pointer: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        try handle.check(sqlite3_prepare_v3(handle.pointer, sql, -1, flags, &pointer, nil))
        // `nil` without an error: a text without a statement.
        guard let pointer else { throw handle.error(SQLITE_MISUSE) }
        (self.sql, self.pointer, self.handle) = (sql, pointer, handle)
    }

    deinit { sqlite3_finalize(pointer) }

    func bind(_ values: [(any DatabaseValue)?]) throws(DatabaseError) {
        precondition(
            values.count == Int(sqlite3_bind_parameter_count(pointer)), "one value for each ? of \(sql)")
        for (index, value) in values.enumerated() {
            let place = ValuePlace(statement: pointer, index: Int32(index + 1))
            (value?.stored ?? .null).bind(to: place)
            try handle.check(place.code)
        }
    }

    /// - Returns: Whether there is a row.
    func step() throws(DatabaseError) -> Bool {
        let code = sqlite3_step(pointer)
        guard code == SQLITE_ROW || code == SQLITE_DONE else { throw handle.error(code) }
        return code == SQLITE_ROW
    }

    /// Ends a run, and forgets its values.
    func reset() {
        // Repeats the error of `step`, which has been thrown.
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
    }
}

/// The idle statements of a connection, by their text.
struct StatementCache {
    /// The most statements that are kept; a caller has tens of texts, and a statement has some kilobytes.
    private static let countLimit = 96

    private var idle: [String: (statement: Statement, use: UInt64)] = [:]
    private var lastUse: UInt64 = 0

    /// Removes and returns an idle statement.
    mutating func take(_ sql: String) -> Statement? { idle.removeValue(forKey: sql)?.statement }

    /// Keeps a statement that was reset, and evicts the least recently used one beyond the limit.
    mutating func put(_ statement: Statement) {
        lastUse += 1
        idle[statement.sql] = (statement, lastUse)
        guard idle.count > Self.countLimit, let oldest = idle.min(by: { $0.value.use < $1.value.use }) else {
            return
        }
        idle[oldest.key] = nil
    }
}
