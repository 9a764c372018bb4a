import Foundation
import Testing
import TuttiDatabase
import TuttiTestSupport

@Suite("A database connection")
struct DatabaseTests {
    private let folder: MusicFolder
    private var path: String { folder.path + "/state/a.sqlite" }
    private static let schema = ["CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT NOT NULL, more)"]

    init() throws { folder = try MusicFolder() }

    private func database(_ options: DatabaseOptions = DatabaseOptions()) throws -> Database {
        try Database(path: path, options: options, migrations: Self.schema)
    }

    private func names(_ database: Database) throws -> [String] {
        try database.all("SELECT name FROM item ORDER BY id") { $0[0] }
    }

    // MARK: Values

    @Test("every kind of value comes back as it was")
    func values() throws {
        let database = try Database(path: path, migrations: ["CREATE TABLE v(a, b, c, d, e, f)"])
        let bytes = Data([0, 1, 255])
        try database.execute(
            "INSERT INTO v VALUES(?, ?, ?, ?, ?, ?)", Int64.min, 0.1, "é\0\"x", bytes, nil, true)
        let row = try database.first("SELECT * FROM v") { row in
            (
                row[0] as Int64, row[1] as Double, row[2] as String, row[3] as Data, row[4] as String?,
                row[5] as Bool
            )
        }
        let found = try #require(row)
        #expect(found.0 == .min && found.1 == 0.1 && found.2 == "é\0\"x" && found.3 == bytes)
        #expect(found.4 == nil && found.5)
    }

    @Test("an empty text and empty bytes are not NULL")
    func emptyValues() throws {
        let database = try Database(path: path, migrations: ["CREATE TABLE v(a, b)"])
        try database.execute("INSERT INTO v VALUES(?, ?)", "", Data())
        let found = try database.first("SELECT a, b FROM v") { row in
            (row[0] as String?, row[1] as Data?)
        }
        #expect(found?.0 == "" && found?.1 == Data())
    }

    @Test("a NULL, a column of another type and a column that is missing read as zero or empty")
    func conversions() throws {
        let database = try Database(path: path)
        let found = try database.first("SELECT NULL, 'x', 3.9") { row in
            (row[0] as Int, row[1] as Int64, row[2] as Int, row[9] as String, row[-1] as Int?)
        }
        let row = try #require(found)
        #expect(row.0 == 0 && row.1 == 0 && row.2 == 3 && row.3.isEmpty && row.4 == nil)
    }

    @Test("invalid UTF-8 in a text is repaired")
    func invalidText() throws {
        let database = try Database(path: path)
        let text = try database.first("SELECT CAST(x'41FF42' AS TEXT)") { $0[0] as String }
        #expect(text == "A\u{FFFD}B")
    }

    @Test("a value is never read as SQL")
    func injection() throws {
        let database = try database()
        let evil = "x'); DROP TABLE item; --"
        try database.execute("INSERT INTO item(name) VALUES(?)", evil)
        #expect(try names(database) == [evil])
        #expect(
            try database.first("SELECT count(*) FROM item WHERE name = ?", "' OR '1'='1") { $0[0] as Int }
                == 0)
    }

    // MARK: Statements

    @Test("a query may run inside the same query")
    func nestedQueries() throws {
        let database = try database()
        for name in ["a", "b"] { try database.execute("INSERT INTO item(name) VALUES(?)", name) }
        let sql = "SELECT name FROM item ORDER BY id"
        let pairs = try database.all(sql) { row -> String in
            let inner = try? database.all(sql) { $0[0] as String }
            return (row[0] as String) + (inner ?? []).joined()
        }
        #expect(pairs == ["aab", "bab"])
    }

    @Test("a query that is left early can run again, and the table can change")
    func earlyEnd() throws {
        let database = try database()
        for name in ["a", "b"] { try database.execute("INSERT INTO item(name) VALUES(?)", name) }
        #expect(try database.first("SELECT name FROM item ORDER BY id") { $0[0] as String } == "a")
        try database.run("DROP TABLE item")
    }

    @Test("more statements than the cache keeps all work")
    func manyStatements() throws {
        let database = try Database(path: path)
        for number in 0..<300 {
            #expect(try database.first("SELECT \(number)") { $0[0] as Int } == number)
        }
        #expect(try database.first("SELECT 0") { $0[0] as Int } == 0)
    }

    @Test("a wrong statement is an error that names the file and the reason")
    func wrongStatement() throws {
        let database = try database()
        let error = #expect(throws: DatabaseError.self) { try database.execute("SELECT a FROM nowhere") }
        #expect(error?.kind == .other)
        #expect(error?.description == "\(path) cannot be used (no such table: nowhere).")
        #expect(throws: DatabaseError.self) { try database.execute("-- only a comment") }
    }

    @Test("the number of the last row is known")
    func numbers() throws {
        let database = try database()
        try database.execute("INSERT INTO item(id, name) VALUES(7, 'a'), (9, 'b')")
        #expect(database.lastInsertedRow == 9)
    }

    // MARK: Transactions

    private struct Stop: Error {}

    @Test("an error undoes the whole transaction")
    func rollback() throws {
        let database = try database()
        #expect(throws: DatabaseError.self) {
            try database.transaction { () throws(DatabaseError) in
                try database.execute("INSERT INTO item(name) VALUES('a')")
                try database.execute("INSERT INTO item(name) VALUES(NULL)")
            }
        }
        #expect(try names(database).isEmpty)
        try database.transaction { () throws(DatabaseError) in
            try database.execute("INSERT INTO item(name) VALUES('b')")
        }
        #expect(try names(database) == ["b"])
    }

    @Test("an error in an inner transaction undoes only that one, if the outer one goes on")
    func nestedTransactions() throws {
        let database = try database()
        try database.transaction { () throws(DatabaseError) in
            try database.execute("INSERT INTO item(name) VALUES('outer')")
            do throws(DatabaseError) {
                try database.transaction { () throws(DatabaseError) in
                    try database.execute("INSERT INTO item(name) VALUES('inner')")
                    throw DatabaseError(.other, "stop")
                }
            } catch {}
            try database.transaction { () throws(DatabaseError) in
                try database.execute("INSERT INTO item(name) VALUES('second')")
            }
        }
        #expect(try names(database) == ["outer", "second"])
    }

    @Test("a reader sees the state before a transaction until that is committed")
    func readerBesideWriter() throws {
        let writer = try database()
        let reader = try database()
        try writer.transaction { () throws(DatabaseError) in
            try writer.execute("INSERT INTO item(name) VALUES('a')")
            let seen = try reader.first("SELECT count(*) FROM item") { $0[0] as Int }
            #expect(seen == 0)
        }
        #expect(try names(reader) == ["a"])
    }

    @Test("a second writer is refused after the time limit")
    func busy() throws {
        var options = DatabaseOptions()
        options.busyTimeout = .zero
        let (first, second) = (try database(options), try database(options))
        try first.transaction { () throws(DatabaseError) in
            let error = #expect(throws: DatabaseError.self) {
                try second.execute("INSERT INTO item(name) VALUES('b')")
            }
            #expect(error?.kind == .busy)
        }
        try second.execute("INSERT INTO item(name) VALUES('b')")
    }

    // MARK: Migrations

    @Test("missing steps run once, in order")
    func migrations() throws {
        let steps = ["CREATE TABLE t(a)", "INSERT INTO t VALUES(1); ALTER TABLE t ADD b"]
        _ = try Database(path: path, migrations: Array(steps.prefix(1)))
        for _ in 0..<2 {
            let database = try Database(path: path, migrations: steps)
            #expect(try database.first("SELECT count(b), count(*) FROM t") { $0[1] as Int } == 1)
        }
    }

    @Test("a step that fails leaves the database at the step before")
    func failedMigration() throws {
        #expect(throws: DatabaseError.self) {
            try Database(
                path: path, migrations: ["CREATE TABLE t(a)", "CREATE TABLE u(a); CREATE TABLE t(b)"])
        }
        let database = try Database(path: path, migrations: ["CREATE TABLE t(a)", "CREATE TABLE u(a)"])
        #expect(try database.first("SELECT count(*) FROM u") { $0[0] as Int } == 0)
    }

    @Test("a database of a newer version is refused, and stays as it is")
    func newerVersion() throws {
        _ = try Database(path: path, migrations: ["CREATE TABLE t(a)", "CREATE TABLE u(a)"])
        let error = #expect(throws: DatabaseError.self) {
            try Database(path: path, migrations: ["CREATE TABLE t(a)"])
        }
        #expect(error?.kind == .cannotOpen && error?.description.contains("newer version") == true)
    }
}
