import Foundation
import Glibc

/// A buffer of bytes in an unnamed temporary file, deleted when the object is deallocated.
///
/// One thread at a time.
final class SpillFile: @unchecked Sendable {
    // Safe to share: the owner holds a lock during calls; `descriptor` never changes.

    /// Maximum file size in bytes; no sound file is as long.
    static let byteLimit: Int64 = 4 << 30
    /// Minimum size before the file is emptied: format detection seeks back to the start.
    static let leastDrop: Int64 = 16 << 20

    private let descriptor: Int32
    /// Number of bytes appended so far, including dropped bytes.
    private(set) var byteCount: Int64 = 0
    /// Offset of the first byte still in the file.
    private var start: Int64 = 0

    /// Fails if the temporary folder takes no file.
    init?() {
        var name = Array("\(FileManager.default.temporaryDirectory.path)/tutti-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(name)
    }

    deinit { close(descriptor) }

    /// A path by which this process can open the file, for as long as the object lives.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// - Returns: `false` if the disk is full or the file would exceed ``byteLimit``.
    func append(_ data: Data) -> Bool {
        guard byteCount - start + Int64(data.count) <= Self.byteLimit else { return false }
        return data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest)
                let count = pwrite(descriptor, piece.baseAddress, piece.count, off_t(byteCount - start))
                guard count > 0 else { return false }
                byteCount += Int64(count)
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// - Returns: The number of bytes copied; 0 if the bytes have not arrived yet or were dropped.
    func read(at offset: Int64, into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(Int64(target.count), byteCount - offset)
        guard count > 0, offset >= start else { return 0 }
        return max(0, pread(descriptor, target.baseAddress, Int(count), off_t(offset - start)))
    }

    /// Frees the disk space once the reader has read all bytes.
    func drop(readUpTo offset: Int64) {
        guard offset == byteCount, offset - start >= Self.leastDrop, ftruncate(descriptor, 0) == 0 else {
            return
        }
        start = offset
    }
}
