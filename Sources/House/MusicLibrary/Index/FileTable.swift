import TuttiDatabase

/// The files of the index. Confined to the scan's thread.
struct FileTable {
    let database: Database
    let albums: AlbumTable

    func files(in folder: Int64) throws(DatabaseError) -> [KnownFile] {
        try database.all(
            """
            SELECT id, name, kind, size, modified, inode,
                EXISTS(SELECT 1 FROM track WHERE track.file = file.id AND track.part > 0), reading
            FROM file WHERE folder = ?
            """, folder
        ) { row in
            KnownFile(
                id: row[0], name: row[1], kind: FileKind(rawValue: row[2]) ?? .sound,
                stamp: FileStamp(size: row[3], modified: row[4], inode: row[5]), hasParts: row[6],
                isReadWhole: row[7] >= LibrarySchema.reading)
        }
    }

    /// Returns sound files with this stamp, whatever their names: one of them may have been renamed.
    func sounds(with stamp: FileStamp) throws(DatabaseError) -> [FormerFile] {
        try database.all(
            """
            SELECT file.id, f.path, file.name,
                (SELECT title FROM track WHERE track.file = file.id AND track.part = 0)
            FROM file JOIN folder f ON f.id = file.folder
            WHERE file.inode = ? AND file.size = ? AND file.modified = ? AND file.kind = ? LIMIT 16
            """, stamp.inode, stamp.size, stamp.modified, FileKind.sound.rawValue
        ) { row in FormerFile(id: row[0], path: PathText.join(row[1], row[2]), title: row[3]) }
    }

    /// Gives a file its new name; its tracks stay what they are.
    func rename(_ file: Int64, to name: String, in folder: KnownFolder, _ affected: inout AffectedMusic)
        throws(DatabaseError)
    {
        try albums.note(file, in: &affected)
        try database.execute("UPDATE file SET folder = ?, name = ? WHERE id = ?", folder.id, name, file)
        try albums.note(file, in: &affected)
    }

    /// Records a file as it is now.
    ///
    /// - Parameter problem: Why the file cannot be used; `nil` if it can.
    func keep(
        _ name: String, _ kind: FileKind, _ stamp: FileStamp, problem: String? = nil, in folder: Int64
    ) throws(DatabaseError) -> Int64 {
        try database.execute(
            """
            INSERT INTO file(folder, name, kind, size, modified, inode, problem, reading)
            VALUES(?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT(folder, name) DO UPDATE SET kind = excluded.kind, size = excluded.size,
                modified = excluded.modified, inode = excluded.inode, problem = excluded.problem,
                reading = excluded.reading
            """, folder, name, kind.rawValue, stamp.size, stamp.modified, stamp.inode, problem,
            LibrarySchema.reading)
        let id = try database.first("SELECT id FROM file WHERE folder = ? AND name = ?", folder, name) {
            $0[0] as Int64
        }
        guard let id else { throw DatabaseError(.other, "\(name) was not recorded.") }
        return id
    }

    /// Forgets a file and its tracks, unless it has been renamed since.
    func remove(_ file: KnownFile, in folder: Int64, _ affected: inout AffectedMusic) throws(DatabaseError) {
        let isThere =
            try database.first(
                "SELECT 1 FROM file WHERE id = ? AND folder = ? AND name = ?", file.id, folder, file.name
            ) { _ in true } ?? false
        if isThere { try remove(file, &affected) }
    }

    /// Forgets a file and its tracks.
    func remove(_ file: KnownFile, _ affected: inout AffectedMusic) throws(DatabaseError) {
        try albums.note(file.id, in: &affected)
        try database.execute("DELETE FROM track WHERE file = ?", file.id)
        try database.execute("DELETE FROM file WHERE id = ?", file.id)
    }

    /// Returns the number of files with a problem, and one of them; `nil` without any.
    func problems() throws(DatabaseError) -> (count: Int, path: String, problem: String)? {
        let count = try database.first("SELECT count(*) FROM file WHERE problem IS NOT NULL") { $0[0] as Int }
        guard let count, count > 0 else { return nil }
        return try database.first(
            """
            SELECT f.path, file.name, file.problem FROM file JOIN folder f ON f.id = file.folder
            WHERE problem IS NOT NULL ORDER BY f.path, file.name LIMIT 1
            """
        ) { row in (count, PathText.join(row[0], row[1]), row[2]) }
    }
}
