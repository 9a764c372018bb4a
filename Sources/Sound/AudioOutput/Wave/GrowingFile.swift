import Glibc
import TuttiSystemIO

/// An append-only file. Bytes that cannot be written are kept and written first at the next flush.
struct GrowingFile: Sendable {
    private let file: OpenFile
    private var pending: [UInt8] = []

    /// Creates or truncates the file.
    ///
    /// - Throws: `ENOTSUP` if the path is neither a regular file nor a non-terminal character device.
    init(path: String) throws(SystemError) { file = try OpenFile(creating: path) }

    /// Bytes that wait after a failed write.
    var pendingByteCount: Int { pending.count }

    /// Queues bytes for the end of the file; ``flush()`` writes them.
    mutating func append(_ bytes: some Collection<UInt8>) { pending.append(contentsOf: bytes) }

    /// Writes all queued bytes.
    ///
    /// - Throws: The error of the failed write; the rest stays queued.
    mutating func flush() throws(SystemError) {
        var written = 0
        defer {
            if written == pending.count {
                pending.removeAll(keepingCapacity: true)
            } else {
                pending.removeFirst(written)
            }
        }
        while written < pending.count {
            let count = pending.withUnsafeBytes {
                file.write(UnsafeRawBufferPointer(rebasing: $0[written...]))
            }
            guard count > 0 else { throw SystemError(operation: "write", code: Int32(-count)) }
            written += count
        }
    }

    /// Overwrites the beginning of the file; does nothing on a device without positions.
    func replaceBeginning(with bytes: [UInt8]) { file.replaceBeginning(with: bytes) }
}

/// An open descriptor, closed with its last owner.
private final class OpenFile: Sendable {
    private let descriptor: Int32

    init(creating path: String) throws(SystemError) {
        // Non-blocking, so that opening a pipe does not wait for its reader; the check below refuses pipes.
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        descriptor = open(path, flags, 0o644)
        guard descriptor >= 0 else { throw SystemError(operation: "open", code: errno) }
        var status = stat()
        let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        guard kind == S_IFREG || (kind == S_IFCHR && isatty(descriptor) == 0) else {
            throw SystemError(operation: "open", code: ENOTSUP)
        }
    }

    deinit { close(descriptor) }

    /// Returns the number of bytes written, or the negative error.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        while true {
            let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            if count > 0 { return count }
            if count < 0, errno == EINTR { continue }
            return -Int(count < 0 ? errno : ENOSPC)
        }
    }

    func replaceBeginning(with bytes: [UInt8]) {
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }
}
