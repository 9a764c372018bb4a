import CTuttiLinux
import Glibc
import Synchronization

/// One connection of a byte stream between two programs of this machine, on a non-blocking socket.
///
/// Handlers run on the queue, one after another, and none after the close handler. Thread-safe; never blocks.
package final class LocalStreamConnection: Sendable {
    /// Maximum bytes that ``send(_:)`` queues for a peer that does not read; more closes the connection.
    private static let sendQueueLimit = 1 << 20
    /// Maximum bytes per read.
    private static let readSize = 64 << 10

    private struct State {
        var isOpen = true
        var onBytes: (@Sendable ([UInt8]) -> Void)?
        var onClose: (@Sendable () -> Void)?
        var pending = SendQueue()
        var reading: ReadinessSource?
        var writing: ReadinessSource?
    }

    private let socket: SocketDescriptor
    private let queue: SerialQueue
    private let state = Mutex(State())

    /// Adopts a connected socket.
    ///
    /// - Parameter queue: A serial queue.
    package init(socket: SocketDescriptor, queue: SerialQueue) {
        (self.socket, self.queue) = (socket, queue)
    }

    /// Accepts the next connection of a listening socket; `nil` if none waits.
    package convenience init?(acceptedFrom listener: SocketDescriptor, queue: SerialQueue) {
        let number = shim_accept(listener.number)
        guard number >= 0 else { return nil }
        self.init(socket: SocketDescriptor(number: number), queue: queue)
    }

    /// The program at the other end.
    package var peer: LocalPeer? {
        var credentials: [Int32] = [0, 0, 0]
        guard shim_peer_credentials(socket.number, &credentials) == 0 else { return nil }
        return LocalPeer(processID: credentials[0], userID: UInt32(bitPattern: credentials[1]))
    }

    /// Begins to read. Call once.
    ///
    /// - Parameters:
    ///   - onBytes: Receives the bytes in order, split at arbitrary places.
    ///   - onClose: The last callback, after the peer's end, an error or ``close()``.
    package func start(
        onBytes: @escaping @Sendable ([UInt8]) -> Void, onClose: @escaping @Sendable () -> Void
    ) {
        let source = ReadinessSource(.readable, of: socket, on: queue) { [weak self] in self?.readAvailable()
        }
        state.withLock { state in
            precondition(state.onClose == nil, "a connection starts once")
            guard state.isOpen else { return }
            state.onBytes = onBytes
            state.onClose = onClose
            state.reading = source
            source.arm()
        }
    }

    /// Sends all bytes in the order of the calls. A peer that leaves a mebibyte unread is disconnected; an error of the
    /// socket ends the connection, too.
    package func send(_ bytes: [UInt8]) {
        let isBroken = state.withLock { state in
            guard state.isOpen else { return false }
            let taken =
                state.pending.isEmpty ? (try? bytes.withUnsafeBytes(transmit).get()) : 0
            guard let taken, state.pending.append(bytes[taken...], limit: Self.sendQueueLimit) else {
                return true
            }
            if !state.pending.isEmpty { armWriting(&state) }
            return false
        }
        if isBroken { close() }
    }

    /// Ends the connection; the close handler follows on the queue. Idempotent.
    package func close() {
        let old = state.withLock { state -> State? in
            guard state.isOpen else { return nil }
            defer {
                state = State()
                state.isOpen = false
            }
            return state
        }
        guard let old else { return }
        shutdown(socket.number, Int32(SHUT_RDWR))
        queue.async { old.onClose?() }
    }

    private func readAvailable() {
        queue.assertCurrent()
        guard let onBytes = state.withLock({ $0.onBytes }) else { return }
        let bytes = withUnsafeTemporaryAllocation(byteCount: Self.readSize, alignment: 1) {
            room -> [UInt8]? in
            let count = recv(socket.number, room.baseAddress, room.count, 0)
            if count > 0 { return Array(room.prefix(count)) }
            return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
        }
        guard let bytes else { return close() }
        if !bytes.isEmpty { onBytes(bytes) }
    }

    private func armWriting(_ state: inout State) {
        if state.writing == nil {
            state.writing = ReadinessSource(.writable, of: socket, on: queue) { [weak self] in
                self?.writeAvailable()
            }
        }
        state.writing?.arm()
    }

    private func writeAvailable() {
        let isBroken = state.withLock { state in
            guard state.isOpen else { return false }
            guard (try? state.pending.drain(transmit)) != nil else { return true }
            if state.pending.isEmpty { state.writing?.disarm() }
            return false
        }
        if isBroken { close() }
    }

    /// Sends once; returns 0 if the kernel is full.
    private func transmit(_ bytes: UnsafeRawBufferPointer) -> Result<Int, SystemError> {
        let count = Glibc.send(socket.number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        if count >= 0 { return .success(count) }
        let error = SystemError.last("send")
        return error.code == EAGAIN || error.code == EINTR ? .success(0) : .failure(error)
    }
}
