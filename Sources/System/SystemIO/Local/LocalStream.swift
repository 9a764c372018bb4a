import CTuttiLinux
import Glibc

/// Byte streams between programs of this machine, at a path (`AF_UNIX`, `SOCK_STREAM`). Thread-safe.
///
/// A path of any length serves: one that is too long for the kernel's address goes through the open folder.
package enum LocalStream {
    /// Listens at a path, for this user, and for the file's group where the umask leaves it write access.
    ///
    /// Replaces a socket that is there; the caller makes sure that no other program listens at it.
    /// - Throws: `EEXIST` if another kind of file is there.
    package static func listen(at path: String, backlog: Int32) throws(SystemError) -> SocketDescriptor {
        let socket = try open()
        // The mode of the file that `bind` creates, less the umask: nobody else can connect before it is
        // right.
        guard fchmod(socket.number, 0o660) == 0 else { throw .last("fchmod") }
        try removeSocket(at: path)
        try withAddress(of: path, for: "bind") { bind(socket.number, $0, $1) }
        do throws(SystemError) {
            var about = stat()
            guard lstat(path, &about) == 0 else { throw .last("stat") }
            if about.st_mode & S_IWGRP == 0, chmod(path, 0o600) != 0 { throw .last("chmod") }
            guard Glibc.listen(socket.number, backlog) == 0 else { throw .last("listen") }
        } catch {
            // The file that `bind` has just made. If it stays, the next socket replaces it.
            try? withAddress(of: path, for: "unlink") { address, _ in unlink(boundPath(address)) }
            throw error
        }
        return socket
    }

    /// Connects to the program that listens at a path.
    ///
    /// - Throws: `ENOENT` or `ECONNREFUSED` if none listens, `EACCES` if this user may not, `EAGAIN` if too
    ///   many programs wait.
    package static func connect(to path: String) throws(SystemError) -> SocketDescriptor {
        let socket = try open()
        try withAddress(of: path, for: "connect") { Glibc.connect(socket.number, $0, $1) }
        return socket
    }

    /// Removes a socket; another kind of file stays.
    ///
    /// - Throws: `EEXIST` if another kind of file is there.
    package static func removeSocket(at path: String) throws(SystemError) {
        var about = stat()
        guard lstat(path, &about) == 0 else { return }
        guard about.st_mode & S_IFMT == S_IFSOCK else { throw SystemError(operation: "bind", code: EEXIST) }
        guard unlink(path) == 0 || errno == ENOENT else { throw .last("unlink") }
    }

    /// `O_PATH`, which Glibc's headers show to GNU programs only.
    private static let pathOnly: Int32 = 0o10_000_000

    private static func open() throws(SystemError) -> SocketDescriptor {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = socket(AF_UNIX, type, 0)
        guard number >= 0 else { throw .last("socket") }
        return SocketDescriptor(number: number)
    }

    private static func boundPath(_ address: UnsafePointer<sockaddr>) -> UnsafePointer<CChar> {
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? MemoryLayout<sa_family_t>.size
        return (UnsafeRawPointer(address) + offset).assumingMemoryBound(to: CChar.self)
    }

    private static func withAddress(
        of path: String, for operation: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(SystemError) {
        var address = sockaddr_un()
        var folder: SocketDescriptor?
        if shim_local_address(&address, path) != 0 {
            // The separator is a byte: a mark that combines with it hides it only in Swift's characters.
            let scalars = path.unicodeScalars
            let cut = scalars.lastIndex(of: "/") ?? scalars.startIndex
            let number = Glibc.open(String(scalars[..<cut]), Self.pathOnly | O_DIRECTORY | O_CLOEXEC)
            guard number >= 0 else { throw .last("open") }
            folder = SocketDescriptor(number: number)
            guard shim_local_address(&address, "/proc/self/fd/\(number)\(String(scalars[cut...]))") == 0
            else {
                throw SystemError(operation: operation, code: ENAMETOOLONG)
            }
        }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw .last(operation) }
        withExtendedLifetime(folder) {}
    }
}
