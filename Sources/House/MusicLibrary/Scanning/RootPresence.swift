import Foundation

/// Whether one of the library's folders is there: the mount point of a disk that is not mounted is empty.
enum RootPresence {
    static func isPresent(_ path: String) -> Bool {
        guard let folder = opendir(path) else { return false }
        defer { closedir(folder) }
        // Any entry but "." and "..".
        for _ in 0..<2 { if readdir(folder) == nil { return false } }
        return readdir(folder) != nil
    }
}
