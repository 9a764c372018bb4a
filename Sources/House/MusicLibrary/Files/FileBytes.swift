import Foundation

/// Small files, read whole.
enum FileBytes {
    /// Returns the bytes of a regular file; `nil` if it cannot be read, or has more bytes than the limit.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
        // Without O_NONBLOCK a pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= limit else {
            return nil
        }
        let size = Int(facts.st_size)
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            while filled < size {
                let start = buffer.baseAddress.map { $0 + filled }
                let count = Foundation.read(descriptor, start, size - filled)
                if count < 0, errno == EINTR { continue }
                if count < 0 { isWhole = false }
                guard count > 0 else { return }
                filled += count
            }
        }
        return isWhole ? bytes : nil
    }

    /// Returns the names in a folder, without `.` and `..`; none if it cannot be read.
    static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}
