import TuttiDatabase

/// The library's database as the scan changes it. Confined to the scan's thread.
final class IndexWriter {
    /// A folder as the database knows it.
    struct Folder: Hashable {
        var id: Int64
        var path: String
        var device: Int64
        var inode: Int64
        var coverStamp: String?
        var isMissing: Bool
        var parent: Int64?
        /// Whether the folder was on another disk than the one above when it was last seen.
        var isMount: Bool
    }

    /// Albums and artists that a change concerns; their rows are computed again at its end.
    struct Affected {
        struct AlbumKey: Hashable {
            /// The title, as ``SortKey/identity(_:)``.
            var title: String
            /// The folder of all discs.
            var discs: String
        }

        var albums: Set<AlbumKey> = []
        var artists: Set<Int64> = []
    }

    let database: Database

    init(path: String, pageLimit: Int? = nil) throws(DatabaseError) {
        let options = DatabaseOptions(cacheByteCount: 8 << 20, pageLimit: pageLimit)
        database = try Database(path: path, options: options, migrations: LibrarySchema.index)
    }

    // MARK: Folders

    private static let folderColumns = "id, path, device, inode, coverStamp, isMissing, parent, isMount"

    private static func folder(_ row: borrowing DatabaseRow) -> Folder {
        Folder(
            id: row[0], path: row[1], device: row[2], inode: row[3], coverStamp: row[4], isMissing: row[5],
            parent: row[6], isMount: row[7])
    }

    func folder(_ path: String) throws(DatabaseError) -> Folder? {
        try database.first(
            "SELECT \(Self.folderColumns) FROM folder WHERE path = ?", path, read: Self.folder)
    }

    /// Returns the folders of another path with the same identity in the file system.
    func twins(_ identity: FolderIdentity, path: String) throws(DatabaseError) -> [String] {
        try database.all(
            "SELECT path FROM folder WHERE device = ? AND inode = ? AND path <> ?", identity.device,
            identity.inode, path
        ) { $0[0] }
    }

    func folders(below id: Int64) throws(DatabaseError) -> [Folder] {
        try database.all(
            "SELECT \(Self.folderColumns) FROM folder WHERE parent = ?", id, read: Self.folder)
    }

    /// Records a folder that exists.
    func keep(
        _ path: String, in parent: Int64?, root: String, isMount: Bool, _ listing: FolderListing
    ) throws(DatabaseError) -> Folder {
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
    func orphans(in root: String) throws(DatabaseError) -> [Folder] {
        try database.all(
            """
            SELECT \(Self.folderColumns) FROM folder WHERE root = ? AND path <> root AND parent IS NULL
            """, root, read: Self.folder)
    }

    /// Returns the roots in the database.
    func roots() throws(DatabaseError) -> [String] {
        try database.all("SELECT DISTINCT root FROM folder") { $0[0] }
    }

    /// Forgets a folder, those below it, and their tracks.
    func remove(folder path: String) throws(DatabaseError) {
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
        var affected = Affected()
        for id in folders {
            for file in try files(in: id) { try remove(file, &affected) }
            try database.execute("DELETE FROM folder WHERE id = ?", id)
        }
        try settle(affected)
    }

    /// Sets a folder's picture.
    func setCover(_ picture: PictureID?, stamp: String?, of folder: Folder, _ affected: inout Affected)
        throws(DatabaseError)
    {
        try database.execute(
            "UPDATE folder SET cover = ?, coverStamp = ? WHERE id = ?", picture?.description, stamp, folder.id
        )
        let keys = try database.all(
            """
            SELECT DISTINCT t.albumKey, f.discs FROM folder f JOIN file ON file.folder = f.id
            JOIN track t ON t.file = file.id WHERE f.discs = ? AND t.albumKey <> ''
            """, DiscFolder(folder.path).album
        ) { row in Affected.AlbumKey(title: row[0], discs: row[1]) }
        affected.albums.formUnion(keys)
    }

    // MARK: Files

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
    func rename(_ file: Int64, to name: String, in folder: Folder, _ affected: inout Affected)
        throws(DatabaseError)
    {
        try note(file, in: &affected)
        try database.execute("UPDATE file SET folder = ?, name = ? WHERE id = ?", folder.id, name, file)
        try note(file, in: &affected)
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
    func remove(_ file: KnownFile, in folder: Int64, _ affected: inout Affected) throws(DatabaseError) {
        let isThere =
            try database.first(
                "SELECT 1 FROM file WHERE id = ? AND folder = ? AND name = ?", file.id, folder, file.name
            ) { _ in true } ?? false
        if isThere { try remove(file, &affected) }
    }

    private func remove(_ file: KnownFile, _ affected: inout Affected) throws(DatabaseError) {
        try note(file.id, in: &affected)
        try database.execute("DELETE FROM track WHERE file = ?", file.id)
        try database.execute("DELETE FROM file WHERE id = ?", file.id)
    }

    /// Notes the albums and artists of a file's tracks.
    func note(_ file: Int64, in affected: inout Affected) throws(DatabaseError) {
        let albums = try database.all(
            """
            SELECT DISTINCT t.albumKey, f.discs FROM track t JOIN file ON file.id = t.file
            JOIN folder f ON f.id = file.folder WHERE t.file = ? AND t.albumKey <> ''
            """, file
        ) { row in Affected.AlbumKey(title: row[0], discs: row[1]) }
        let artists = try database.all(
            "SELECT c.artist FROM track t JOIN credit c ON c.track = t.id WHERE t.file = ?", file
        ) { $0[0] as Int64 }
        affected.albums.formUnion(albums)
        affected.artists.formUnion(artists)
    }

    // MARK: Playlists

    func removeList(of file: Int64) throws(DatabaseError) {
        try database.execute("DELETE FROM playlist WHERE file = ?", file)
    }

    func keep(_ list: StoredList, file: Int64) throws(DatabaseError) {
        try database.execute(
            "DELETE FROM entry WHERE playlist IN (SELECT id FROM playlist WHERE file = ?)", file)
        try database.execute(
            """
            INSERT INTO playlist(file, name, sort, count) VALUES(?, ?, ?, ?)
            ON CONFLICT(file) DO UPDATE SET name = excluded.name, sort = excluded.sort, count = excluded.count
            """, file, list.name, SortKey.order(list.name), list.entries.count)
        let id = try database.first("SELECT id FROM playlist WHERE file = ?", file) { $0[0] as Int64 }
        for (place, entry) in list.entries.enumerated() {
            try database.execute(
                "INSERT INTO entry(playlist, place, location, title) VALUES(?, ?, ?, ?)", id, place,
                entry.location, entry.title)
        }
    }

    // MARK: Counts

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

    func counts() throws(DatabaseError) -> (tracks: Int, albums: Int, artists: Int) {
        try LibraryCounts.read(database)
    }

    /// Returns the pictures of all tracks and folders.
    func pictures() throws(DatabaseError) -> [PictureID] {
        try database.all(
            """
            SELECT picture FROM track WHERE picture IS NOT NULL
            UNION SELECT cover FROM folder WHERE cover IS NOT NULL
            """
        ) { PictureID($0[0] as String) }.compactMap { $0 }
    }

    /// Lets the next scan read again the files of a picture that is lost.
    func readAgain(_ picture: PictureID) throws(DatabaseError) {
        let id = picture.description
        try database.execute("UPDATE folder SET coverStamp = '' WHERE cover = ?", id)
        try database.execute(
            """
            UPDATE file SET size = ?, modified = ?, inode = ?
            WHERE id IN (SELECT file FROM track WHERE picture = ?)
            """, FileStamp.unread.size, FileStamp.unread.modified, FileStamp.unread.inode, id)
    }

    /// Returns whether a track, an album or a folder has a picture.
    func uses(_ picture: PictureID) throws(DatabaseError) -> Bool {
        let id = picture.description
        return try database.first(
            """
            SELECT 1 WHERE EXISTS(SELECT 1 FROM track WHERE picture = ?)
            OR EXISTS(SELECT 1 FROM folder WHERE cover = ?)
            """, id, id
        ) { _ in true } ?? false
    }
}

/// The sizes of the library.
enum LibraryCounts {
    static func read(_ database: Database) throws(DatabaseError) -> (tracks: Int, albums: Int, artists: Int) {
        let found = try database.first(
            "SELECT (SELECT count(*) FROM track), (SELECT count(*) FROM album), (SELECT count(*) FROM artist)"
        ) { row in (row[0] as Int, row[1] as Int, row[2] as Int) }
        return found ?? (0, 0, 0)
    }
}
