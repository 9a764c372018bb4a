internal import CLinux
internal import Glibc

/// Wakes a thread that waits in ``SocketPoller``; from any thread, as often as one likes.
public final class WakeSignal: Sendable {
    let descriptor: Int32

    public init() throws(SystemError) {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw .last("eventfd") }
    }

    deinit { close(descriptor) }

    public func wake() {
        var one: UInt64 = 1
        // A full counter is a wake that is already under way.
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
