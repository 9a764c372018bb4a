import Glibc
import Synchronization

extension TCPConnection {
    /// Closes the connection like ``close()``, but keeps its socket until the peer closes too, and discards what still comes.
    ///
    /// For last words to a peer that may be out of reach: after ``close()`` the kernel delivers them as well, but forgets
    /// them as soon as the peer, which does not yet know of the end, sends something.
    ///
    /// - Parameter limit: The time after which the socket closes anyway.
    package func close(discardingFor limit: Duration) {
        let drain = isOpen ? SocketDrain(socket, on: queue) : nil
        close()
        // Once the connection no longer reads.
        queue.async { drain?.begin(limit) }
    }
}

/// Discards what a socket receives, and keeps it open meanwhile.
private final class SocketDrain: Sendable {
    private struct State {
        var reading: (any Readiness)?
        var limit: QueueWakeUp?
    }

    private let socket: any StreamSocket
    private let queue: SerialQueue
    private let state = Mutex(State())

    init(_ socket: any StreamSocket, on queue: SerialQueue) { (self.socket, self.queue) = (socket, queue) }

    /// Begins. The handlers keep this object until it ends.
    func begin(_ limit: Duration) {
        let reading = socket.readiness(.readable, on: queue) { self.discard() }
        let end = QueueWakeUp(on: queue)
        state.withLock { $0 = State(reading: reading, limit: end) }
        end.set(after: limit) { self.end() }
        reading.arm()
    }

    private func discard() {
        let isOver = withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { buffer in
            do throws(SystemError) {
                return try socket.receive(into: buffer) == 0
            } catch {
                return error.code != EAGAIN && error.code != EINTR
            }
        }
        if isOver { end() }
    }

    private func end() {
        let old = state.withLock { state in
            defer { state = State() }
            return state
        }
        // Released outside the lock.
        withExtendedLifetime(old) {}
    }
}
