import CTuttiLinux
import Glibc
import Synchronization

/// Accepts TCP connections at one address and port.
///
/// ``close()`` or releasing the listener stops accepting; accepted connections live on.
package final class TCPListener: Sendable {
    /// Connections that the kernel queues. If a flood fills the queue, the kernel drops a new client's first
    /// attempts, and the client waits for seconds before it retries.
    private static let backlog: Int32 = 512
    /// Back-off after a failure to accept, e.g. for lack of descriptors.
    private static let pauseAfterFailure = Duration.milliseconds(100)

    /// The bound address, with the actual port if 0 was requested.
    package let address: SocketAddress
    private let socket: SocketDescriptor
    private let queue: SerialQueue
    private let options: TCPOptions
    private let waitsForData: Bool
    private let source = Mutex<ReadinessSource?>(nil)

    /// Patience of the kernel with a client that sends nothing.
    private static let dataPatience = Duration.seconds(5)

    /// Listens at `address`; an IPv6 address accepts IPv6 only. Port 0 lets the kernel choose.
    ///
    /// - Parameter waitsForData: Whether a client is accepted only when it has sent something, which takes fewer
    ///   wake-ups (`TCP_DEFER_ACCEPT`). For protocols in which clients speak first.
    package init(
        at address: SocketAddress, options: TCPOptions = TCPOptions(), waitsForData: Bool = false
    ) throws(SystemError) {
        socket = try SocketDescriptor(family: address.address.family, type: SOCK_STREAM)
        try socket.setOption(SOL_SOCKET, SO_REUSEADDR, to: Int32(1))
        if address.address.family == .v6 {
            try socket.setOption(Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: Int32(1))
        }
        if waitsForData { try TCPOptions.acceptWithData(on: socket, patience: Self.dataPatience) }
        try socket.bind(to: address)
        guard listen(socket.number, Self.backlog) == 0 else { throw .last("listen") }
        self.address = try socket.localAddress()
        (self.options, self.waitsForData) = (options, waitsForData)
        queue = SerialQueue(label: "tcp listener \(self.address)")
    }

    /// Begins to accept. `onConnection` runs on the listener's own queue; each connection has a queue of its
    /// own.
    package func start(onConnection: @escaping @Sendable (TCPConnection) -> Void) {
        let reading = ReadinessSource(.readable, of: socket, on: queue) { [weak self] in
            self?.accept(onConnection)
        }
        source.withLock { $0 = reading }
        reading.arm()
    }

    /// Stops accepting. Idempotent.
    package func close() {
        // The handler is released outside the lock.
        let old = source.withLock { $0.take() }
        withExtendedLifetime(old) {}
        shutdown(socket.number, Int32(SHUT_RDWR))
    }

    private func accept(_ onConnection: @Sendable (TCPConnection) -> Void) {
        queue.assertCurrent()
        let number = shim_accept(socket.number)
        guard number >= 0 else { return recover(from: .last("accept")) }
        let accepted = SocketDescriptor(number: number)
        // The peer is already gone, so there is nothing to report.
        guard let limits = try? options.apply(to: accepted),
            let connection = try? TCPConnection(
                socket: accepted, queue: SerialQueue(label: "tcp accepted"),
                limitsRetransmissionTimeout: limits, hasData: waitsForData)
        else { return }
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
