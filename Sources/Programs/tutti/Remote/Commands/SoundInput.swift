import Dispatch
import Glibc

/// The bytes of a sound that is sent to a service.
enum SoundInput {
    /// Bytes that a service takes.
    static let byteLimit = 33_554_432

    /// Reads a file, or standard input for `-`.
    ///
    /// - Throws: ``RemoteFailure`` for one that cannot be read, is empty or too long.
    static func bytes(of path: String) async throws(RemoteFailure) -> [UInt8] {
        let result = await withCheckedContinuation { continuation in
            // A program at the other end of a pipe may need a while: a thread of its own.
            DispatchQueue(label: "tutti.sound").async {
                continuation.resume(returning: Result { () throws(RemoteFailure) in try read(path) })
            }
        }
        return try result.get()
    }

    private static func read(_ path: String) throws(RemoteFailure) -> [UInt8] {
        let name = path == "-" ? "standard input" : SafeText.line(path)
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(name) }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(name) }
            if count == 0 { break }
            bytes += block[..<count]
            guard bytes.count <= byteLimit else {
                throw RemoteFailure(
                    .usage, "\(name) has more than 32 MiB. Shorten it, or give a web address.")
            }
        }
        guard !bytes.isEmpty else { throw RemoteFailure(.usage, "\(name) is empty.") }
        return bytes
    }

    private static func unreadable(_ name: String) -> RemoteFailure {
        RemoteFailure(.notFound, "\(name) cannot be read: \(String(cString: strerror(errno))).")
    }
}
