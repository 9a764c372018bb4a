import CTuttiLinux
import Glibc

/// Wakes a thread that waits in ``SocketPoller``. Thread-safe; wakes coalesce.
package final class WakeSignal: Sendable {
    let descriptor: Int32

    /// Creates a signal.
    ///
    /// - Throws: An error if no descriptor is available.
    package init() throws(SystemError) {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw .last("eventfd") }
    }

    deinit { close(descriptor) }

    /// Wakes the waiting thread, or its next wait.
    package func wake() {
        var one: UInt64 = 1
        // A full counter means that a wake is pending already.
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
