import Glibc
import TuttiSystemIO

/// The lock on a folder of state: one service uses it at a time.
///
/// The release of the object releases the lock; the kernel does when the process ends.
package final class InstanceLock: Sendable {
    private let lock: FileLock

    /// Creates the folder for this user alone if it is missing, and locks it.
    ///
    /// - Throws: ``InstanceError`` if another service has the folder, or the folder cannot be used.
    package init(folder: String) throws(InstanceError) {
        let path = "\(folder)/\(Self.fileName)"
        guard let lock = try Self.lock(path, in: folder) else {
            throw .inUse(processID: Self.processID(in: path), folder: folder)
        }
        self.lock = lock
        Self.writeProcessID(to: path)
    }

    private static func lock(_ path: String, in folder: String) throws(InstanceError) -> FileLock? {
        do throws(PrivateFileError) {
            _ = try PrivateFolder(folder).prepare()
            return try FileLock(path: path)
        } catch {
            throw .unusable(error.description)
        }
    }

    /// Writes this process's id for the message of another service. If that fails, the message has no id.
    private static func writeProcessID(to path: String) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array("\(getpid())\n".utf8)
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }

    /// Returns the id in the file; `nil` if no such process exists, because the owner has not written its own yet.
    private static func processID(in path: String) -> Int32? {
        // Without a readable file the message has no id.
        guard let read = try? PrivateFile(path: path).readShared() else { return nil }
        let text = String(decoding: read.bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        guard let id = Int32(text), id > 0, kill(id, 0) == 0 || errno == EPERM else { return nil }
        return id
    }

    static let fileName = "service.lock"
}

/// The reason that a service cannot use a folder of state.
package enum InstanceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another service uses the folder; its process id is `nil` if unknown.
    case inUse(processID: Int32?, folder: String)
    /// The folder or the file in it cannot be used, for the reason in the sentence.
    case unusable(String)

    package var description: String {
        switch self {
        case .inUse(let processID, let folder):
            "another tutti serve\(processID.map { " (pid \($0))" } ?? "") uses \(folder); stop it, or give this "
                + "one its own [service] database"
        case .unusable(let sentence): "\(sentence); choose another [service] database"
        }
    }
}
