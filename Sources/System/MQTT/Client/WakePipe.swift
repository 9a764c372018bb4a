import Glibc

/// Wakes a thread that polls. Any thread; wakes coalesce.
final class WakePipe: Sendable {
    /// The descriptor to poll for input.
    let reader: Int32
    private let writer: Int32

    /// Makes a pair of sockets; `nil` if no descriptors are available.
    init?() {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        (reader, writer) = (ends[0], ends[1])
    }

    deinit {
        close(reader)
        close(writer)
    }

    /// Wakes the waiting thread, or its next wait.
    func wake() {
        var byte: UInt8 = 1
        // A full buffer means that a wake is pending already.
        _ = send(writer, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    /// Takes the wakes so far; the thread that polls calls this before it looks for work.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reader, &bytes, bytes.count) > 0 {}
    }
}
