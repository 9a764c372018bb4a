/// A folder as the database knows it.
struct KnownFolder: Hashable {
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
