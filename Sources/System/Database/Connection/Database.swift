import CTuttiSQLite
import Foundation

/// A connection to one SQLite database file.
///
/// Not thread-safe: one owner at a time, such as an actor, a serial queue or a thread that creates the
/// connection and keeps it. Several connections may share a file, also in several processes: readers never
/// wait for a writer, and a writer waits for another one up to ``DatabaseOptions/busyTimeout``.
///
/// The file has a write-ahead log: after a power cut or `kill -9`, the next opening finds every committed
/// transaction; without ``DatabaseOptions/survivesPowerCut`` a power cut may lose the last ones.
/// All calls block on the disk.
public final class Database {
    /// The path of the file.
    public let path: String

    private let handle: DatabaseHandle
    private var statements = StatementCache()
    private var depth = 0

    /// Opens a database, or creates it with mode 0600, its missing folders with mode 0700.
    ///
    /// - Parameter migrations: The steps from an empty database to the current schema, each a script of SQL
    ///   statements. `user_version` counts the steps that were applied to a file; missing steps run now,
    ///   each in a transaction. Steps may be appended, never changed.
    /// - Throws: ``DatabaseError``; of kind ``DatabaseError/Kind/corrupt`` for a file that is not a database,
    ///   and for a file that is found damaged. ``setAside(_:at:)`` makes room for a new file.
    public init(
        path: String, options: DatabaseOptions = DatabaseOptions(), migrations: [String] = []
    ) throws(DatabaseError) {
        self.path = path
        try DatabaseFile(path).create()
        handle = try DatabaseHandle(path: path)
        try configure(options)
        try migrate(migrations)
    }

    private func configure(_ options: DatabaseOptions) throws(DatabaseError) {
        sqlite3_busy_timeout(handle.pointer, Int32(clamping: options.busyTimeout.components.seconds * 1000))
        // Pages of a damaged file are checked as they are read.
        try run("PRAGMA cell_size_check=ON; PRAGMA cache_size=-\(options.cacheByteCount / 1024)")
        // A file that shrinks while it is mapped would raise SIGBUS.
        try run("PRAGMA mmap_size=0")
        try run("PRAGMA foreign_keys=ON; PRAGMA journal_size_limit=\(DatabaseOptions.logByteLimit)")
        try run("PRAGMA synchronous=\(options.survivesPowerCut ? "FULL" : "NORMAL")")
        try run("PRAGMA journal_mode=WAL")
        if let limit = options.pageLimit { try run("PRAGMA max_page_count=\(limit)") }
        // Reads the header and the schema: the first access to a lazily opened file.
        _ = try first("SELECT count(*) FROM sqlite_schema") { row -> Int64 in row[0] }
    }

    private func migrate(_ steps: [String]) throws(DatabaseError) {
        let done = Int(try first("PRAGMA user_version") { row -> Int64 in row[0] } ?? 0)
        guard done <= steps.count else { throw DatabaseError(tooNew: path) }
        for (index, step) in steps.enumerated().dropFirst(done) {
            try transaction { () throws(DatabaseError) in
                try run(step)
                try run("PRAGMA user_version=\(index + 1)")
            }
        }
    }

    // MARK: Statements

    /// Runs a script of statements without values. Never put external text into a script.
    public func run(_ script: String) throws(DatabaseError) {
        try handle.check(sqlite3_exec(handle.pointer, script, nil, nil, nil))
    }

    /// Runs one statement.
    ///
    /// - Parameter values: The values of the statement's `?`, in order.
    public func execute(_ sql: String, _ values: (any DatabaseValue)?...) throws(DatabaseError) {
        try each(sql, values) { _ in true }
    }

    /// Returns the rows of a query.
    ///
    /// - Parameter read: Makes a value of a row; may run other statements on this connection.
    public func all<Value>(
        _ sql: String, _ values: (any DatabaseValue)?..., read: (borrowing DatabaseRow) -> Value
    ) throws(DatabaseError) -> [Value] {
        var found: [Value] = []
        try each(sql, values) { row in
            found.append(read(row))
            return true
        }
        return found
    }

    /// Returns the first row of a query; `nil` without rows.
    public func first<Value>(
        _ sql: String, _ values: (any DatabaseValue)?..., read: (borrowing DatabaseRow) -> Value
    ) throws(DatabaseError) -> Value? {
        var found: Value?
        try each(sql, values) { row in
            found = read(row)
            return false
        }
        return found
    }

    /// Runs one statement, and passes its rows to `body` until `body` returns `false`.
    public func each(
        _ sql: String, _ values: [(any DatabaseValue)?], _ body: (borrowing DatabaseRow) -> Bool
    ) throws(DatabaseError) {
        // Taken out of the cache: a nested run of the same statement needs a second copy.
        let kept = statements.take(sql)
        let statement = if let kept { kept } else { try Statement(sql, handle) }
        defer {
            statement.reset()
            statements.put(statement)
        }
        try statement.bind(values)
        while try statement.step() {
            if !body(DatabaseRow(statement: statement)) { return }
        }
    }

    /// The row number of the last row that this connection inserted.
    public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle.pointer) }

    // MARK: Transactions

    /// Runs `body` in a transaction: all of its changes are committed, or none if it throws.
    ///
    /// The transaction has the write lock from its beginning. Inside another transaction, only the changes of
    /// `body` are undone if it throws.
    public func transaction<Value>(
        _ body: () throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value {
        let isOuter = depth == 0
        try run(isOuter ? "BEGIN IMMEDIATE" : "SAVEPOINT s\(depth)")
        depth += 1
        defer { depth -= 1 }
        do throws(DatabaseError) {
            let value = try body()
            try run(isOuter ? "COMMIT" : "RELEASE s\(depth - 1)")
            return value
        } catch {
            rollBack(isOuter: isOuter)
            throw error
        }
    }

    private func rollBack(isOuter: Bool) {
        // SQLite ends a transaction itself after some errors, such as a full disk.
        guard sqlite3_get_autocommit(handle.pointer) == 0 else { return }
        // A failure here leaves the transaction open, and the next one then reports it.
        try? run(isOuter ? "ROLLBACK" : "ROLLBACK TO s\(depth - 1); RELEASE s\(depth - 1)")
    }

    // MARK: Files

    /// Moves a damaged database and its log out of the way: `NAME.corrupt-YYYYMMDD-HHMMSS`, in UTC.
    ///
    /// All connections to it must be closed.
    ///
    /// - Returns: The new path; `nil` if there is no file.
    /// - Throws: ``DatabaseError`` if the file cannot be renamed.
    @discardableResult
    public static func setAside(_ path: String, at time: Date = Date()) throws(DatabaseError) -> String? {
        try DatabaseFile(path).setAside(at: time)
    }
}

@available(*, unavailable)
extension Database: Sendable {}
