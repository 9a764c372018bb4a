/// A file as the database knows it.
struct KnownFile: Hashable, Sendable {
    var id: Int64
    var name: String
    var kind: FileKind
    var stamp: FileStamp
    /// Whether the tracks of this sound file come from a cue sheet.
    var hasParts: Bool
    /// Whether all facts were read that a scan reads of a sound file now.
    var isReadWhole = true
}

/// A sound file that the database knows by a path that no longer exists.
struct FormerFile: Hashable, Sendable {
    var id: Int64
    var path: String
    /// `nil` without tracks, or with those of a cue sheet.
    var title: String?

    /// Whether the file's tracks depend on its path, and would be others at a new one.
    func changes(at new: String) -> Bool {
        let (stem, newStem) = (Self.stem(path), Self.stem(new))
        guard let title, title != stem || stem == newStem else { return true }
        return DiscFolder(PathText.folder(path)).number != DiscFolder(PathText.folder(new)).number
    }

    private static func stem(_ path: String) -> String { PathText.split(PathText.name(path)).stem }
}
