import Glibc
import TuttiSystemIO

/// A folder inside a ``PictureFolder`` that one object has, with a lock that tells others that it lives: numbers
/// of processes would not, as programs in containers have numbers of their own.
struct PictureShelf: Sendable {
    private static let prefix = "pictures-"
    private static let lockName = "lock"
    private static let attempts = 8

    private let path: String
    private let lock: FileLock

    /// Makes a folder; `nil` if that is not possible.
    init?(in parent: String) {
        for _ in 0..<Self.attempts {
            let path = "\(parent)/\(Self.prefix)\(String(UInt64.random(in: 0...(.max)), radix: 16))"
            guard mkdir(path, 0o700) == 0 else {
                if errno == EEXIST { continue }
                return nil
            }
            // Another object may take the folder for an orphan until the lock is held.
            let lockPath = "\(path)/\(Self.lockName)"
            if let lock = Self.freeLock(lockPath), access(lockPath, F_OK) == 0 {
                (self.path, self.lock) = (path, lock)
                return
            }
        }
        return nil
    }

    /// Whether the folder is there still.
    var exists: Bool { access(path(of: Self.lockName), F_OK) == 0 }

    /// Returns the path of a file.
    func path(of name: String) -> String { "\(path)/\(name)" }

    /// Takes a lock; `nil` if another object has it, or if it cannot be had: the folder is then not ours to use or remove.
    private static func freeLock(_ path: String) -> FileLock? { (try? FileLock(path: path)) ?? nil }

    /// Removes the folder with its files.
    func remove() { Self.remove(path) }

    /// Removes the folders whose locks are free.
    static func removeOrphans(in parent: String) {
        // One at a time: between the removals of a lock and of its folder, a second one would make it again.
        guard let turn = freeLock("\(parent)/\(lockName)") else { return }
        withExtendedLifetime(turn) {
            for name in names(in: parent) where name.hasPrefix(prefix) {
                let path = "\(parent)/\(name)"
                var about = stat()
                guard lstat(path, &about) == 0, about.st_mode & S_IFMT == S_IFDIR,
                    let lock = freeLock("\(path)/\(lockName)")
                else { continue }
                withExtendedLifetime(lock) { remove(path) }
            }
        }
    }

    /// Removes a folder whose lock is held, the lock last.
    private static func remove(_ path: String) {
        for name in names(in: path) where name != lockName { unlink("\(path)/\(name)") }
        unlink("\(path)/\(lockName)")
        rmdir(path)
    }

    private static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
