import TuttiDatabase

/// The pictures that the index names. Confined to the scan's thread.
struct PictureTable {
    let database: Database

    /// Returns the pictures of all tracks and folders.
    func all() throws(DatabaseError) -> [PictureID] {
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
