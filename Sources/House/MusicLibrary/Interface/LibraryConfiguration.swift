/// Settings of a library.
public struct LibraryConfiguration: Sendable, Hashable {
    /// The path of the database of what was scanned. Beside it are the pictures (`NAME.pictures`) and the
    /// database of own playlists and stations (`NAME-own`).
    public var databasePath: String
    /// The folders with music; absolute paths. A folder inside another one is scanned once.
    public var folders: [String]
    /// Whether changes of the folders are noticed at once. Otherwise only rescans find them.
    public var watchesFolders: Bool
    /// The time between two scans of everything, for changes that nobody reports, such as those that other
    /// machines make on a network file system.
    /// `nil` for none.
    public var rescanInterval: Duration?
    /// The time between two scans if not all folders can be watched.
    public var rescanIntervalWithoutWatch: Duration

    /// Makes settings.
    public init(
        databasePath: String, folders: [String], watchesFolders: Bool = true,
        rescanInterval: Duration? = .seconds(6 * 3600), rescanIntervalWithoutWatch: Duration = .seconds(900)
    ) {
        (self.databasePath, self.folders, self.watchesFolders) = (databasePath, folders, watchesFolders)
        (self.rescanInterval, self.rescanIntervalWithoutWatch) = (rescanInterval, rescanIntervalWithoutWatch)
    }

    /// The path of the database of own playlists and stations.
    var ownPath: String {
        let (stem, ending) = PathText.split(databasePath)
        return stem + "-own" + ending
    }

    /// The folder of the pictures.
    var picturesPath: String { PathText.split(databasePath).stem + ".pictures" }

    /// The folders as absolute paths without a slash at the end, without those inside others.
    var roots: [String] {
        let paths = Set(folders.compactMap(PathText.standard)).sorted()
        return paths.filter { path in
            !paths.contains { $0 != path && PathText.isInside(path, $0) }
        }
    }
}
