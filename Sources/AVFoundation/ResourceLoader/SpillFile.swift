import Foundation
import Glibc

/// Bytes that wait in a temporary file without a name, which is gone when this object is.
///
/// For one thread at a time.
final class SpillFile: @unchecked Sendable {
    // Safe to share: its owner calls it with a lock held; the descriptor itself never changes.

    /// More is not kept: no sound file is as long.
    static let byteLimit: Int64 = 4 << 30
    /// With fewer bytes the file is not emptied: those who find out what it is go back to its start.
    static let leastDrop: Int64 = 16 << 20

    private let descriptor: Int32
    /// Bytes that came so far.
    private(set) var byteCount: Int64 = 0
    /// The first of them that the file has.
    private var start: Int64 = 0

    /// - Returns: `nil` where the temporary folder takes no file.
    init?() {
        var name = Array("\(FileManager.default.temporaryDirectory.path)/tutti-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(name)
    }

    deinit { close(descriptor) }

    /// - Returns: `false` where the disk is full, or all is more than the limit.
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

    /// - Returns: how many bytes were copied; 0 where there are none yet, or not any more.
    func read(at offset: Int64, into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(Int64(target.count), byteCount - offset)
        guard count > 0, offset >= start else { return 0 }
        return max(0, pread(descriptor, target.baseAddress, Int(count), off_t(offset - start)))
    }

    /// Gives the disk back what was read, once all of it was.
    func drop(readUpTo offset: Int64) {
        guard offset == byteCount, offset - start >= Self.leastDrop, ftruncate(descriptor, 0) == 0 else {
            return
        }
        start = offset
    }
}
