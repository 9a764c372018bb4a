import TuttiDatabase

/// The folders of the index. Confined to the scan's thread.
struct FolderTable {
    private static let columns = "id, path, device, inode, coverStamp, isMissing, parent, isMount"

    let database: Database
    let files: FileTable
    let albums: AlbumTable

    private static func folder(_ row: borrowing DatabaseRow) -> KnownFolder {
        KnownFolder(
            id: row[0], path: row[1], device: row[2], inode: row[3], coverStamp: row[4], isMissing: row[5],
            parent: row[6], isMount: row[7])
    }

    func folder(_ path: String) throws(DatabaseError) -> KnownFolder? {
        try database.first(
            "SELECT \(Self.columns) FROM folder WHERE path = ?", path, read: Self.folder)
    }

    /// Returns the folders of another path with the same identity in the file system.
    func twins(_ identity: FolderIdentity, path: String) throws(DatabaseError) -> [String] {
        try database.all(
            "SELECT path FROM folder WHERE device = ? AND inode = ? AND path <> ?", identity.device,
            identity.inode, path
        ) { $0[0] }
    }

    func folders(below id: Int64) throws(DatabaseError) -> [KnownFolder] {
        try database.all(
            "SELECT \(Self.columns) FROM folder WHERE parent = ?", id, read: Self.folder)
    }

    /// Records a folder that exists.
    func keep(
        _ path: String, in parent: Int64?, root: String, isMount: Bool, _ listing: FolderListing
    ) throws(DatabaseError) -> KnownFolder {
        if let known = try folder(path), known.device == listing.device, known.inode == listing.inode,
            known.parent == parent, known.isMount == isMount, !known.isMissing
        {
            return known
        }
        try database.execute(
            """
            INSERT INTO folder(path, parent, root, device, inode, discs, isMount) VALUES(?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT(path) DO UPDATE SET parent = excluded.parent, device = excluded.device,
                inode = excluded.inode, isMount = excluded.isMount, isMissing = 0
            """, path, parent, root, listing.device, listing.inode, DiscFolder(path).album, isMount)
        guard let made = try folder(path) else { throw DatabaseError(.other, "\(path) was not recorded.") }
        return made
    }

    /// Marks a folder and those below it as missing; their tracks stay.
    func markMissing(_ path: String) throws(DatabaseError) {
        try database.execute(
            "UPDATE folder SET isMissing = 1 WHERE isMissing = 0 AND (path = ? OR path >= ? AND path < ?)",
            path, path + "/", path + "0")
    }

    /// Returns whether the database has files in a folder or below it.
    func hasFiles(below path: String) throws(DatabaseError) -> Bool {
        try database.first(
            """
            SELECT 1 FROM folder f JOIN file ON file.folder = f.id
            WHERE f.path = ? OR f.path >= ? AND f.path < ? LIMIT 1
            """, path, path + "/", path + "0"
        ) { _ in true } ?? false
    }

    /// Makes a folder a root: the known folders in it are from now on found from there.
    func assign(to root: String) throws(DatabaseError) {
        try database.execute(
            """
            UPDATE folder SET root = ?, parent = iif(path = ?, NULL, parent)
            WHERE root <> ? AND (path = ? OR path >= ? AND path < ?)
            """, root, root, root, root, root + "/", root + "0")
    }

    /// Returns former roots that no scan has found in the root around them.
    func orphans(in root: String) throws(DatabaseError) -> [KnownFolder] {
        try database.all(
            """
            SELECT \(Self.columns) FROM folder WHERE root = ? AND path <> root AND parent IS NULL
            """, root, read: Self.folder)
    }

    /// Returns the roots in the database.
    func roots() throws(DatabaseError) -> [String] {
        try database.all("SELECT DISTINCT root FROM folder") { $0[0] }
    }

    /// Forgets a folder, those below it, and their tracks.
    func remove(_ path: String) throws(DatabaseError) {
        try remove(
            folders: database.all(
                "SELECT id FROM folder WHERE path = ? OR path >= ? AND path < ?", path, path + "/", path + "0"
            ) { $0[0] })
    }

    /// Forgets the folders of a root, and their tracks.
    func remove(root: String) throws(DatabaseError) {
        try remove(folders: database.all("SELECT id FROM folder WHERE root = ?", root) { $0[0] })
    }

    private func remove(folders: [Int64]) throws(DatabaseError) {
        var affected = AffectedMusic()
        for id in folders {
            for file in try files.files(in: id) { try files.remove(file, &affected) }
            try database.execute("DELETE FROM folder WHERE id = ?", id)
        }
        try albums.settle(affected)
    }

    /// Sets a folder's picture.
    func setCover(
        _ picture: PictureID?, stamp: String?, of folder: KnownFolder, _ affected: inout AffectedMusic
    ) throws(DatabaseError) {
        try database.execute(
            "UPDATE folder SET cover = ?, coverStamp = ? WHERE id = ?", picture?.description, stamp, folder.id
        )
        try albums.note(folder, in: &affected)
    }
}
