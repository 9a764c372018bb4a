import Foundation

/// The identity of a folder in its file system, whatever its path.
struct FolderIdentity: Hashable {
    let device: Int64
    let inode: Int64

    init(device: Int64, inode: Int64) { (self.device, self.inode) = (device, inode) }

    init(_ facts: stat) {
        device = Int64(bitPattern: UInt64(facts.st_dev))
        inode = Int64(bitPattern: UInt64(facts.st_ino))
    }

    /// - Returns: `nil` if there is no such folder.
    init?(_ path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }
}
