import Glibc
import Synchronization

/// One TCP connection on a non-blocking socket.
///
/// Handlers run on ``queue``, one after another, and none after the close handler. Functions are thread-safe
/// unless they say otherwise, and never block. Handlers do not keep the connection alive, so the owner must
/// hold it; releasing the connection closes the socket without a callback.
package final class TCPConnection: Sendable {
    /// Maximum bytes that ``send(_:)`` queues for a peer that does not read; more closes the connection.
    package static let sendQueueLimit = 8 << 20

    /// The serial queue of this connection's handlers.
    package let queue: SerialQueue
    /// The local address and port.
    package var localAddress: SocketAddress { socket.localAddress }
    /// The peer's address and port.
    package var peerAddress: SocketAddress { socket.peerAddress }

    let socket: any StreamSocket
    /// Whether the first bytes are probably there at the start.
    private let hasData: Bool
    private let state = Mutex(State())

    private enum Phase { case open, closing, closed }

    private struct State {
        var phase = Phase.open
        var onBytes: (@Sendable ([UInt8]) -> Void)?
        var onClose: (@Sendable (SystemError?) -> Void)?
        var onWritable: (@Sendable () -> Void)?
        var pending = SendQueue()
        var reading: (any Readiness)?
        var writing: (any Readiness)?
        var isReadingPaused = false
    }

    /// Adopts a connected socket, with the queue of the handlers.
    ///
    /// - Parameter hasData: Whether the first bytes are probably there.
    package init(socket: any StreamSocket, queue: SerialQueue, hasData: Bool = false) {
        (self.socket, self.queue, self.hasData) = (socket, queue, hasData)
    }

    /// Begins to read. Call once.
    ///
    /// - Parameters:
    ///   - onBytes: Receives the bytes in order, split at arbitrary places.
    ///   - onClose: The last callback: `nil` after ``close()`` or the peer's orderly end, else the error that
    ///     broke the connection.
    package func start(
        onBytes: @escaping @Sendable ([UInt8]) -> Void,
        onClose: @escaping @Sendable (SystemError?) -> Void
    ) {
        let source = socket.readiness(.readable, on: queue) { [weak self] in self?.readAvailable() }
        state.withLock { state in
            precondition(state.onClose == nil, "a connection starts once")
            state.onBytes = onBytes
            state.onClose = onClose
            guard state.phase == .open else { return }
            state.reading = source
            if !hasData, !state.isReadingPaused { source.arm() }
        }
        guard hasData else { return }
        queue.async { [weak self] in
            self?.readAvailable()
            self?.state.withLock { if !$0.isReadingPaused { $0.reading?.arm() } }
        }
    }

    /// Stops reading until ``resumeReading()``, so that back-pressure reaches the peer.
    package func pauseReading() {
        state.withLock { state in
            state.isReadingPaused = true
            state.reading?.disarm()
        }
    }

    /// Continues reading after ``pauseReading()``.
    package func resumeReading() {
        state.withLock { state in
            state.isReadingPaused = false
            state.reading?.arm()
        }
    }

    /// Sends all bytes in the order of the calls; queues bytes that the kernel does not take at once.
    ///
    /// For control channels. Beyond ``sendQueueLimit`` queued bytes the connection closes with `ENOBUFS`.
    /// Does nothing on a closed connection.
    package func send(_ bytes: [UInt8]) {
        let failure: SystemError? = state.withLock { state in
            guard state.phase == .open else { return nil }
            do throws(SystemError) {
                let taken = state.pending.isEmpty ? try bytes.withUnsafeBytes(transmit).get() : 0
                guard taken < bytes.count else { return nil }
                guard state.pending.append(bytes[taken...], limit: Self.sendQueueLimit) else {
                    throw SystemError(operation: "send", code: ENOBUFS)
                }
                armWriting(&state)
                return nil
            } catch {
                return error
            }
        }
        if let failure { end(failure) }
    }

    /// Offers bytes to the kernel once.
    ///
    /// For audio: no allocation, no queue.
    ///
    /// - Precondition: the caller is on ``queue``.
    /// - Returns: The number of bytes that the kernel took; 0 if the kernel is full, if ``send(_:)`` still
    ///   has bytes queued, or on a closed connection.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        queue.assertCurrent()
        guard state.withLock({ $0.phase == .open && $0.pending.isEmpty }) else { return 0 }
        do {
            return try transmit(bytes).get()
        } catch {
            end(error)
            return 0
        }
    }

    /// Calls `handler` once, on ``queue``, when the kernel has room again; replaces an earlier handler.
    package func notifyWhenWritable(_ handler: @escaping @Sendable () -> Void) {
        // Released outside the lock.
        let old = state.withLock { state in
            defer {
                if state.phase == .open {
                    state.onWritable = handler
                    armWriting(&state)
                }
            }
            return state.onWritable
        }
        withExtendedLifetime(old) {}
    }

    /// Bytes in the kernel that the peer has not acknowledged.
    package var unsentBytes: Int { socket.unsentBytes }

    /// How often the kernel has repeated in vain what the peer should have acknowledged. The pauses between two repetitions grow
    /// from 0.2 s to two minutes, and the kernel waits for their ends also when the peer is back. *Observed* (Linux 6.18, a link
    /// that was taken down): 3 after 3 s, 6 after 8 s, 0 soon after the first answer; 0 for a peer that does not read.
    package var repetitions: Int { socket.repetitions }

    /// The kernel's round-trip measurement, first available after the handshake; `nil` if the kernel has
    /// none.
    package var roundTrip: TCPRoundTrip? { socket.roundTrip }

    var isOpen: Bool { state.withLock { $0.phase == .open } }

    /// Closes the connection; the kernel still delivers the bytes that it has taken. Idempotent.
    package func close() { end(nil) }

    /// Marks the connection as closing at once; the close handler follows on the queue.
    private func end(_ error: SystemError?) {
        let isFirst = state.withLock { state in
            guard state.phase == .open else { return false }
            state.phase = .closing
            return true
        }
        guard isFirst else { return }
        queue.async { self.finish(error) }
    }

    private func finish(_ error: SystemError?) {
        queue.assertCurrent()
        // Handlers are released outside the lock, because their captures may call this connection again as
        // they end.
        let old = state.withLock { state in
            defer {
                state = State()
                state.phase = .closed
            }
            return state
        }
        socket.endSending()
        old.onClose?(error)
    }
}

extension TCPConnection {
    /// Maximum bytes per read.
    private static var readSize: Int { 64 << 10 }

    private func readAvailable() {
        queue.assertCurrent()
        guard let onBytes = state.withLock({ $0.phase == .open && !$0.isReadingPaused ? $0.onBytes : nil })
        else { return }
        let result = withUnsafeTemporaryAllocation(byteCount: Self.readSize, alignment: 1) { buffer in
            do throws(SystemError) {
                let count = try socket.receive(into: buffer)
                return count == 0 ? ReadResult.end : .bytes(Array(buffer.prefix(count)))
            } catch {
                return error.code == EAGAIN || error.code == EINTR ? .nothing : .failure(error)
            }
        }
        switch result {
        case .bytes(let bytes): onBytes(bytes)
        case .nothing: break
        case .end: end(nil)
        case .failure(let error): end(error)
        }
    }

    private enum ReadResult {
        case bytes([UInt8])
        case nothing
        case end
        case failure(SystemError)
    }

    private func armWriting(_ state: inout State) {
        if state.writing == nil {
            state.writing = socket.readiness(.writable, on: queue) { [weak self] in self?.writeAvailable() }
        }
        state.writing?.arm()
    }

    private func writeAvailable() {
        queue.assertCurrent()
        let (failure, onWritable): (SystemError?, (@Sendable () -> Void)?) = state.withLock { state in
            guard state.phase == .open else { return (nil, nil) }
            do throws(SystemError) {
                try state.pending.drain(transmit)
            } catch {
                return (error, nil)
            }
            guard state.pending.isEmpty else { return (nil, nil) }
            state.writing?.disarm()
            defer { state.onWritable = nil }
            return (nil, state.onWritable)
        }
        if let failure { end(failure) }
        onWritable?()
    }

    /// Sends once; returns 0 if the kernel is full.
    private func transmit(_ bytes: UnsafeRawBufferPointer) -> Result<Int, SystemError> {
        do throws(SystemError) {
            return .success(try socket.send(bytes))
        } catch {
            return error.code == EAGAIN || error.code == EINTR ? .success(0) : .failure(error)
        }
    }
}
