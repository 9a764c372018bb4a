import CTuttiSQLite

/// An open SQLite connection, closed with its last owner. Confined like ``Database``.
final class DatabaseHandle {
    let pointer: OpaquePointer
    private let path: String

    init(path: String) throws(DatabaseError) {
        var pointer: OpaquePointer?
        // No mutex: a connection has one owner.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        let code = sqlite3_open_v2(path, &pointer, flags | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let pointer else {
            let error = DatabaseError(code: code, path: path, handle: pointer)
            sqlite3_close_v2(pointer)
            throw error
        }
        (self.pointer, self.path) = (pointer, path)
    }

    deinit { sqlite3_close_v2(pointer) }

    func check(_ code: Int32) throws(DatabaseError) {
        guard code == SQLITE_OK else { throw DatabaseError(code: code, path: path, handle: pointer) }
    }

    /// Returns the error of the call that has just failed.
    func error(_ code: Int32) -> DatabaseError { DatabaseError(code: code, path: path, handle: pointer) }
}
