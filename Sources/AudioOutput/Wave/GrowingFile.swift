internal import Glibc
internal import SystemIO

/// A file that only grows. What cannot be written is kept and written first the next time.
struct GrowingFile: Sendable {
    private let file: OpenFile
    private var pending: [UInt8] = []

    /// Creates the file or empties it.
    ///
    /// - Throws: `ENOTSUP` for what is neither a file nor a device without a terminal.
    init(path: String) throws(SystemError) { file = try OpenFile(creating: path) }

    /// Bytes that are waiting since a write failed.
    var pendingByteCount: Int { pending.count }

    /// Takes bytes for the end of the file; ``flush()`` writes them.
    mutating func append(_ bytes: some Collection<UInt8>) { pending.append(contentsOf: bytes) }

    /// Writes all there is.
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

    /// Writes over the beginning of the file; a device that has no beginning is left as it is.
    func replaceBeginning(with bytes: [UInt8]) { file.replaceBeginning(with: bytes) }
}

/// An open descriptor, closed with its last owner.
private final class OpenFile: Sendable {
    private let descriptor: Int32

    init(creating path: String) throws(SystemError) {
        // Not waiting for the reader of a pipe, which is refused below.
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

    /// The number of bytes written, or the negative error.
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
