import TuttiDatabase

/// The library's database as the scan changes it, table by table. Confined to the scan's thread.
final class IndexWriter {
    let database: Database
    let folders: FolderTable
    let files: FileTable
    let tracks: TrackTable
    let albums: AlbumTable
    let playlists: PlaylistTable
    let pictures: PictureTable

    init(path: String, pageLimit: Int? = nil) throws(DatabaseError) {
        let options = DatabaseOptions(cacheByteCount: 8 << 20, pageLimit: pageLimit)
        database = try Database(path: path, options: options, migrations: LibrarySchema.index)
        let artists = ArtistTable(database: database)
        albums = AlbumTable(database: database, artists: artists)
        files = FileTable(database: database, albums: albums)
        folders = FolderTable(database: database, files: files, albums: albums)
        tracks = TrackTable(database: database, artists: artists, albums: albums)
        playlists = PlaylistTable(database: database)
        pictures = PictureTable(database: database)
    }

    func counts() throws(DatabaseError) -> (tracks: Int, albums: Int, artists: Int) {
        try LibraryCounts.read(database)
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
