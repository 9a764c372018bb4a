import Glibc

/// A small file that only its owner may read.
///
/// Reads and writes block on the disk.
package struct PrivateFile: Sendable {
    /// Most bytes read: the files of a speaker and of a sender are below 48 KiB.
    static let byteLimit = 65_536

    /// The path of the file.
    package let path: String

    /// Names a file; does not touch it.
    package init(path: String) { self.path = path }

    /// The result of a read.
    package enum Content: Equatable {
        /// There is no file.
        case missing
        /// `wasOpen`: other users had access to the file; the read has corrected the mode.
        case bytes([UInt8], wasOpen: Bool)
    }

    /// Reads the whole file and revokes other users' access.
    ///
    /// - Throws: ``PrivateFileError`` if the file cannot be opened, belongs to another user, is not a plain
    ///   file (links are not followed) or is too long.
    package func read() throws(PrivateFileError) -> Content {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return .missing }
            throw PrivateFileError(failed: "open", path)
        }
        defer { close(descriptor) }
        let status = try regularStatus(of: descriptor)
        guard status.st_uid == geteuid() else { throw PrivateFileError(path, "belongs to another user") }
        guard status.st_size <= Self.byteLimit else { throw PrivateFileError(path, "is too long") }
        let wasOpen = status.st_mode & 0o077 != 0
        if wasOpen, fchmod(descriptor, 0o600) != 0 {
            throw PrivateFileError(
                path, "may be read by other users, and this process may not change that: run chmod 600 on it")
        }
        return .bytes(try Self.bytes(of: descriptor, path), wasOpen: wasOpen)
    }

    /// Reads the whole file and changes nothing: a file that its owner edits, and may share. Follows links.
    ///
    /// - Returns: The bytes, and whether other users have access; `nil` if there is no file.
    /// - Throws: ``PrivateFileError`` if the file cannot be opened, is not a plain file or is too long.
    package func readShared() throws(PrivateFileError) -> (bytes: [UInt8], isOpen: Bool)? {
        // Without O_NONBLOCK a pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw PrivateFileError(failed: "open", path)
        }
        defer { close(descriptor) }
        let status = try regularStatus(of: descriptor)
        guard status.st_size <= Self.byteLimit else { throw PrivateFileError(path, "is too long") }
        return (try Self.bytes(of: descriptor, path), status.st_mode & 0o077 != 0)
    }

    private func regularStatus(of descriptor: Int32) throws(PrivateFileError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw PrivateFileError(failed: "stat", path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw PrivateFileError(path, "is not a regular file")
        }
        return status
    }

    /// Replaces the file atomically, with mode 0600.
    package func write(_ bytes: [UInt8]) throws(PrivateFileError) {
        let temporary = "\(path).\(Self.randomSuffix())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw PrivateFileError(failed: "create", path) }
        do throws(PrivateFileError) {
            defer { close(descriptor) }
            try Self.write(bytes, to: descriptor, path)
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, path) == 0 else {
            let error = PrivateFileError(failed: "rename", path)
            unlink(temporary)
            throw error
        }
        syncFolder()
    }

    /// Renames the file to `PATH.broken`, over an earlier one.
    ///
    /// - Returns: The new path; `nil` if the rename failed.
    package func setAside() -> String? {
        let other = path + ".broken"
        return rename(path, other) == 0 ? other : nil
    }

    private static func bytes(of descriptor: Int32, _ path: String) throws(PrivateFileError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: byteLimit + 1)
        var filled = 0
        while filled < buffer.count {
            let start = filled
            let count = buffer.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress.map { $0 + start }, $0.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw PrivateFileError(failed: "read", path) }
            if count == 0 { return Array(buffer.prefix(filled)) }
            filled += count
        }
        throw PrivateFileError(path, "is too long")
    }

    private static func write(
        _ bytes: [UInt8], to descriptor: Int32, _ path: String
    ) throws(PrivateFileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw PrivateFileError(failed: "write", path) }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw PrivateFileError(failed: "fsync", path) }
    }

    /// Syncs the folder, so that the rename survives a loss of power. Best effort: some file systems cannot.
    private func syncFolder() {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        let descriptor = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func randomSuffix() -> String {
        "new-" + String(UInt32.random(in: .min ... .max), radix: 16)
    }
}

/// The reason that a file cannot be used.
package struct PrivateFileError: Error, Hashable, CustomStringConvertible {
    /// The message for the user, with the file's path.
    package let description: String

    /// Describes a file in an unusable state.
    package init(_ path: String, _ what: String, because reason: String? = nil) {
        description = "\(path) \(what)" + (reason.map { ": \($0)" } ?? "")
    }
}

extension PrivateFileError {
    /// Describes a system call that has just failed on this thread; reads `errno`.
    init(failed operation: StaticString, _ path: String) {
        let reason = String(cString: strerror(errno))
        self.init(path, "cannot be used", because: "\(reason) (\(operation))")
    }
}
