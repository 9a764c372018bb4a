import Foundation
import Testing
import TuttiDatabase
import TuttiTestSupport

@Suite("The files of a database")
struct DatabaseFileTests {
    private let folder: MusicFolder
    private var path: String { folder.path + "/state/a.sqlite" }
    private static let schema = ["CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT)"]

    init() throws { folder = try MusicFolder() }

    private func kind(_ body: () throws -> Void) -> DatabaseError.Kind? {
        #expect(throws: DatabaseError.self, performing: body)?.kind
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? Int ?? 0) & 0o777
    }

    /// Fills a database with so many rows of 1 KB.
    private func fill(_ database: Database, rows: Int) throws {
        try database.transaction { () throws(DatabaseError) in
            for number in 0..<rows {
                let text = String(repeating: "x", count: 1000) + "\(number)"
                try database.execute("INSERT INTO item(name) VALUES(?)", text)
            }
        }
    }

    @Test("a new database, its log and its folder belong to their owner alone")
    func modes() throws {
        let database = try Database(path: path, migrations: Self.schema)
        try database.execute("INSERT INTO item(name) VALUES('a')")
        #expect(try mode(path) == 0o600 && mode(path + "-wal") == 0o600)
        #expect(try mode(folder.path + "/state") == 0o700)
    }

    @Test("a file of junk is corrupt, and can be set aside", arguments: [100, 4096, 100_000])
    func junk(length: Int) throws {
        var random = SeededGenerator(seed: UInt64(length))
        try folder.add("state/a.sqlite", (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
        #expect(kind { _ = try Database(path: path, migrations: Self.schema) } == .corrupt)
        let time = Date(timeIntervalSince1970: 1_764_110_005)
        let aside = try #require(try Database.setAside(path, at: time))
        #expect(aside == path + ".corrupt-20251125-223325")
        #expect(FileManager.default.fileExists(atPath: aside))
        _ = try Database(path: path, migrations: Self.schema)
    }

    @Test("setting aside takes the log along, keeps earlier copies, and returns nil without a file")
    func setAside() throws {
        let time = Date(timeIntervalSince1970: 0)
        #expect(try Database.setAside(path, at: time) == nil)
        for suffix in ["", "-wal", "-shm"] { try folder.add("state/a.sqlite\(suffix)", [1]) }
        let first = try #require(try Database.setAside(path, at: time))
        #expect(first == path + ".corrupt-19700101-000000")
        for suffix in ["", "-wal", "-shm"] {
            #expect(FileManager.default.fileExists(atPath: first + suffix))
            #expect(!FileManager.default.fileExists(atPath: path + suffix))
        }
        try folder.add("state/a.sqlite", [2])
        #expect(try Database.setAside(path, at: time) == first + "-2")
    }

    @Test("a database that was cut off is corrupt at its opening")
    func truncated() throws {
        do {
            let database = try Database(path: path, migrations: Self.schema)
            try fill(database, rows: 200)
        }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.count > 200_000)
        for length in [bytes.count / 2, 5000, 4096] {
            try bytes.prefix(length).write(to: URL(fileURLWithPath: path))
            #expect(kind { _ = try Database(path: path, migrations: Self.schema) } == .corrupt)
        }
    }

    @Test("a page of junk is corrupt when it is read, never a crash", arguments: 1..<8)
    func damagedPage(page: Int) throws {
        do {
            let database = try Database(path: path, migrations: Self.schema)
            try fill(database, rows: 200)
        }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var random = SeededGenerator(seed: UInt64(page))
        for index in page * 4096..<(page + 1) * 4096 { bytes[index] = .random(in: 0...255, using: &random) }
        try bytes.write(to: URL(fileURLWithPath: path))
        let found = kind {
            let database = try Database(path: path, migrations: Self.schema)
            _ = try database.all("SELECT name FROM item") { $0[0] as String }
        }
        #expect(found == .corrupt)
    }

    @Test("a full disk undoes the transaction, and reads go on")
    func full() throws {
        var options = DatabaseOptions()
        options.pageLimit = 20
        let database = try Database(path: path, options: options, migrations: Self.schema)
        try fill(database, rows: 3)
        var error: DatabaseError?
        do { try fill(database, rows: 200) } catch let failure as DatabaseError { error = failure }
        #expect(error?.kind == .full)
        #expect(error?.description == "\(path) cannot be written: the disk is full. Free some space.")
        #expect(try database.first("SELECT count(*) FROM item") { $0[0] as Int } == 3)
        try database.execute("DELETE FROM item")
        try fill(database, rows: 3)
    }

    @Test("a process that dies loses no committed transaction")
    func killedProcess() throws {
        let database = try Database(path: path, migrations: Self.schema)
        try fill(database, rows: 50)
        // The files as a killed process leaves them: no checkpoint, no closing.
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: path + suffix, toPath: folder.path + "/b.sqlite" + suffix)
        }
        let copy = try Database(path: folder.path + "/b.sqlite", migrations: Self.schema)
        #expect(try copy.first("SELECT count(*) FROM item") { $0[0] as Int } == 50)
        withExtendedLifetime(database) {}
    }

    @Test("a transaction whose log was cut off is missing as a whole")
    func cutLog() throws {
        let database = try Database(path: path, migrations: Self.schema)
        try fill(database, rows: 10)
        let kept = try Data(contentsOf: URL(fileURLWithPath: path + "-wal")).count
        try fill(database, rows: 50)
        let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
        for (number, length) in [kept, kept + 100, log.count - 1].enumerated() {
            let other = folder.path + "/\(number).sqlite"
            try FileManager.default.copyItem(atPath: path, toPath: other)
            try log.prefix(length).write(to: URL(fileURLWithPath: other + "-wal"))
            let copy = try Database(path: other, migrations: Self.schema)
            #expect(try copy.first("SELECT count(*) FROM item") { $0[0] as Int } == 10)
        }
        withExtendedLifetime(database) {}
    }

    @Test("a folder in the place of the file, and a file in the place of the folder, cannot be opened")
    func wrongKinds() throws {
        try folder.add("state/a.sqlite/inside", [1])
        #expect(kind { _ = try Database(path: path) } == .cannotOpen)
        #expect(kind { _ = try Database(path: path + "/inside/b.sqlite") } == .cannotOpen)
    }
}
