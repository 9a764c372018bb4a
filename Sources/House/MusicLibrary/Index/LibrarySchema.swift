/// The tables of the library.
enum LibrarySchema {
    /// The result of scans; can be made again from the files.
    static let index = [
        """
        CREATE TABLE folder(
            id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, parent INTEGER, root TEXT NOT NULL,
            device INTEGER NOT NULL, inode INTEGER NOT NULL, discs TEXT NOT NULL,
            cover TEXT, coverStamp TEXT, isMissing INTEGER NOT NULL DEFAULT 0);
        CREATE INDEX folderParent ON folder(parent);
        CREATE INDEX folderIdentity ON folder(device, inode);

        CREATE TABLE file(
            id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folder(id) ON DELETE CASCADE,
            name TEXT NOT NULL, kind INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
            inode INTEGER NOT NULL, problem TEXT, UNIQUE(folder, name));
        CREATE INDEX fileInode ON file(inode);

        CREATE TABLE artist(
            id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, key TEXT NOT NULL UNIQUE,
            sort TEXT NOT NULL, albums INTEGER NOT NULL DEFAULT 0, tracks INTEGER NOT NULL DEFAULT 0,
            picture TEXT);
        CREATE INDEX artistSort ON artist(sort);

        CREATE TABLE album(
            id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, artistName TEXT NOT NULL,
            artist INTEGER NOT NULL REFERENCES artist(id), key TEXT NOT NULL, discs TEXT NOT NULL,
            sort TEXT NOT NULL, artistSort TEXT NOT NULL, year INTEGER, picture TEXT,
            tracks INTEGER NOT NULL DEFAULT 0, duration REAL NOT NULL DEFAULT 0, added INTEGER NOT NULL,
            UNIQUE(key, discs, artist));
        CREATE INDEX albumSort ON album(sort);
        CREATE INDEX albumArtistSort ON album(artistSort, year);
        CREATE INDEX albumYear ON album(year);
        CREATE INDEX albumAdded ON album(added);
        CREATE INDEX albumArtist ON album(artist);

        CREATE TABLE track(
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            file INTEGER NOT NULL REFERENCES file(id) ON DELETE CASCADE, part INTEGER NOT NULL,
            title TEXT NOT NULL, artist TEXT, album TEXT, albumArtist TEXT, genre TEXT,
            number INTEGER, disc INTEGER, year INTEGER, duration REAL, start REAL NOT NULL, stop REAL,
            codec TEXT, rate INTEGER, depth INTEGER, picture TEXT,
            artistID INTEGER REFERENCES artist(id), albumID INTEGER REFERENCES album(id),
            sort TEXT NOT NULL, artistSort TEXT NOT NULL, albumKey TEXT NOT NULL, albumSort TEXT NOT NULL,
            added INTEGER NOT NULL, UNIQUE(file, part));
        CREATE INDEX trackSort ON track(sort);
        CREATE INDEX trackArtist ON track(artistSort, albumSort, disc, number);
        CREATE INDEX trackAlbum ON track(albumSort, disc, number);
        CREATE INDEX trackAdded ON track(added);
        CREATE INDEX trackAlbumKey ON track(albumKey) WHERE albumKey <> '';
        CREATE INDEX trackAlbumID ON track(albumID);
        CREATE INDEX trackArtistID ON track(artistID);
        CREATE INDEX trackPicture ON track(picture) WHERE picture IS NOT NULL;

        CREATE TABLE credit(
            artist INTEGER NOT NULL REFERENCES artist(id),
            track INTEGER NOT NULL REFERENCES track(id) ON DELETE CASCADE,
            PRIMARY KEY(artist, track)) WITHOUT ROWID;
        CREATE INDEX creditTrack ON credit(track);

        CREATE TABLE playlist(
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            file INTEGER NOT NULL UNIQUE REFERENCES file(id) ON DELETE CASCADE,
            name TEXT NOT NULL, sort TEXT NOT NULL, count INTEGER NOT NULL);
        CREATE TABLE entry(
            playlist INTEGER NOT NULL REFERENCES playlist(id) ON DELETE CASCADE, place INTEGER NOT NULL,
            location TEXT NOT NULL, title TEXT, PRIMARY KEY(playlist, place)) WITHOUT ROWID;
        """
            + fullText("track", columns: ["title", "artist", "album"])
            + fullText("album", columns: ["title", "artistName"])
            + fullText("artist", columns: ["name"]),
        // Whether the folder is on another disk than the one above. Numbers of devices change at a restart.
        """
        ALTER TABLE folder ADD COLUMN isMount INTEGER NOT NULL DEFAULT 0;
        UPDATE folder SET isMount = 1
        WHERE device <> (SELECT above.device FROM folder above WHERE above.id = folder.parent);
        """,
        // The loudness of tracks. `reading` is the number of the facts that were read of a file: the next scan reads
        // those again that have less, each once. Their stamps stay, so files that are renamed meanwhile are found.
        """
        ALTER TABLE track ADD COLUMN trackGain REAL;
        ALTER TABLE track ADD COLUMN trackPeak REAL;
        ALTER TABLE track ADD COLUMN albumGain REAL;
        ALTER TABLE track ADD COLUMN albumPeak REAL;
        ALTER TABLE file ADD COLUMN reading INTEGER NOT NULL DEFAULT 0;
        """,
    ]

    /// The number of the facts that a scan reads of a sound file now; rises with each new one.
    static let reading = 1

    /// The playlists and stations of users.
    static let own = [
        """
        CREATE TABLE playlist(
            id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, count INTEGER NOT NULL);
        CREATE TABLE entry(
            playlist INTEGER NOT NULL REFERENCES playlist(id) ON DELETE CASCADE, place INTEGER NOT NULL,
            location TEXT NOT NULL, start REAL NOT NULL, stop REAL, title TEXT NOT NULL, artist TEXT,
            album TEXT, duration REAL, isLive INTEGER NOT NULL, PRIMARY KEY(playlist, place)) WITHOUT ROWID;
        CREATE TABLE station(
            id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, address TEXT NOT NULL, picture TEXT);
        """
    ]

    /// Returns the full-text index of a table, `NAMEText`, and the triggers that follow the table.
    ///
    /// Indices of prefixes of one to three characters answer while a user types.
    private static func fullText(_ table: String, columns: [String]) -> String {
        let names = columns.joined(separator: ", ")
        let old = columns.map { "old.\($0)" }.joined(separator: ", ")
        let new = columns.map { "new.\($0)" }.joined(separator: ", ")
        let insert = "INSERT INTO \(table)Text(rowid, \(names)) VALUES(new.id, \(new));"
        let delete =
            "INSERT INTO \(table)Text(\(table)Text, rowid, \(names)) VALUES('delete', old.id, \(old));"
        return """
            CREATE VIRTUAL TABLE \(table)Text USING fts5(
                \(names), content='\(table)', content_rowid='id', prefix='1 2 3',
                tokenize='unicode61 remove_diacritics 2');
            CREATE TRIGGER \(table)Inserted AFTER INSERT ON \(table) BEGIN \(insert) END;
            CREATE TRIGGER \(table)Deleted AFTER DELETE ON \(table) BEGIN \(delete) END;
            CREATE TRIGGER \(table)Updated AFTER UPDATE OF \(names) ON \(table) BEGIN \(delete) \(insert) END;

            """
    }
}
