import Foundation

/// The library's folders, which limit the files that may be played.
struct LibraryRoots: Sendable, Hashable {
    /// The folders, as ``PathText/standard(_:)``.
    let paths: [String]

    /// Returns whether a path is one of the folders or inside of one; as text.
    func contain(_ path: String) -> Bool { paths.contains { PathText.isInside(path, $0) } }

    /// Returns whether a path names a file that, also with all symbolic links resolved, is inside the library's
    /// folders.
    ///
    /// Looks at no folder but the path's own: one on a network that is down would hold up all queries.
    func containFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        guard let root = paths.first(where: { PathText.isInside(path, $0) }),
            let real = PathText.resolved(path),
            FileManager.default.fileExists(atPath: real, isDirectory: &isFolder), !isFolder.boolValue
        else { return false }
        return contain(real) || PathText.resolved(root).map { PathText.isInside(real, $0) } ?? false
    }
}
