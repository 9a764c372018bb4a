import Glibc
import Synchronization

/// Accepts TCP connections at one address and port.
///
/// ``close()`` or releasing the listener stops accepting; accepted connections live on.
package final class TCPListener: Sendable {
    /// Back-off after a failure to accept, e.g. for lack of descriptors.
    private static let pauseAfterFailure = Duration.milliseconds(100)

    /// The bound address, with the actual port if 0 was requested.
    package var address: SocketAddress { socket.address }
    private let socket: any ListeningSocket
    private let makeQueue: @Sendable (String) -> SerialQueue
    private let queue: SerialQueue
    private let waitsForData: Bool
    private let source = Mutex<(any Readiness)?>(nil)

    /// Listens at `address`; an IPv6 address accepts IPv6 only. Port 0 lets the kernel choose.
    ///
    /// - Parameter waitsForData: Whether a client is accepted only when it has sent something, which takes fewer
    ///   wake-ups (`TCP_DEFER_ACCEPT`). For protocols in which clients speak first.
    package convenience init(
        at address: SocketAddress, options: TCPOptions = TCPOptions(), waitsForData: Bool = false
    ) throws(SystemError) {
        self.init(
            try KernelListener(at: address, options: options, waitsForData: waitsForData),
            waitsForData: waitsForData, makeQueue: { SerialQueue(label: $0) })
    }

    /// Adopts a listening socket of a machine.
    ///
    /// - Parameter makeQueue: Makes the queues of the listener and of its connections.
    package init(
        _ socket: any ListeningSocket, waitsForData: Bool,
        makeQueue: @escaping @Sendable (String) -> SerialQueue
    ) {
        (self.socket, self.waitsForData, self.makeQueue) = (socket, waitsForData, makeQueue)
        queue = makeQueue("tcp listener \(socket.address)")
    }

    /// Begins to accept. `onConnection` runs on the listener's own queue; each connection has a queue of its
    /// own.
    package func start(onConnection: @escaping @Sendable (TCPConnection) -> Void) {
        let reading = socket.readiness(on: queue) { [weak self] in self?.accept(onConnection) }
        source.withLock { $0 = reading }
        reading.arm()
    }

    /// Stops accepting. Idempotent.
    package func close() {
        // The handler is released outside the lock.
        let old = source.withLock { $0.take() }
        withExtendedLifetime(old) {}
        socket.close()
    }

    private func accept(_ onConnection: @Sendable (TCPConnection) -> Void) {
        queue.assertCurrent()
        let accepted: (any StreamSocket)?
        do { accepted = try socket.accept() } catch { return recover(from: error) }
        // The peer is already gone, so there is nothing to report.
        guard let accepted else { return }
        let connection = TCPConnection(
            socket: accepted, queue: makeQueue("tcp accepted"), hasData: waitsForData)
        onConnection(connection)
    }

    private func recover(from error: SystemError) {
        guard ![EAGAIN, EINTR, ECONNABORTED].contains(error.code) else { return }
        source.withLock { $0?.disarm() }
        queue.async(after: Self.pauseAfterFailure) { [weak self] in
            self?.source.withLock { $0?.arm() }
        }
    }
}
