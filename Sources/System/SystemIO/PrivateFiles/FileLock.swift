import Glibc

/// A lock on a file, held until the object is released; the kernel releases the lock when the process ends.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock if it is free.
    ///
    /// - Returns: `nil` if another object or process holds the lock.
    package convenience init?(path: String) throws(PrivateFileError) {
        let descriptor = try Self.open(path)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let error = PrivateFileError(failed: "lock", path)
            close(descriptor)
            if isTaken { return nil }
            throw error
        }
        self.init(descriptor)
    }

    /// Waits for the lock; blocks the thread. For locks that are held for a moment only.
    package convenience init(waitingFor path: String) throws(PrivateFileError) {
        let descriptor = try Self.open(path)
        while flock(descriptor, LOCK_EX) != 0 {
            if errno == EINTR { continue }
            let error = PrivateFileError(failed: "lock", path)
            close(descriptor)
            throw error
        }
        self.init(descriptor)
    }

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    private static func open(_ path: String) throws(PrivateFileError) -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw PrivateFileError(failed: "open", path) }
        return descriptor
    }

    deinit {
        // Unlock explicitly: a child process that is being started may hold a copy of the descriptor for a
        // moment.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
