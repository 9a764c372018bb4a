import CTuttiLinux
import Glibc

/// A listening, non-blocking stream socket: the kernel's, or one in virtual time.
package protocol ListeningSocket: Sendable {
    /// The bound address and port.
    var address: SocketAddress { get }

    /// Takes one connection.
    ///
    /// - Returns: `nil` if the peer is already gone.
    /// - Throws: `EAGAIN` if none waits.
    func accept() throws(SystemError) -> (any StreamSocket)?

    /// Ends listening. Idempotent.
    func close()

    /// Makes calls of `handler` on `queue` while connections wait, disarmed at first.
    func readiness(on queue: SerialQueue, _ handler: @escaping @Sendable () -> Void) -> any Readiness
}

/// A listening socket of the kernel.
struct KernelListener: ListeningSocket {
    /// Connections that the kernel queues. If a flood fills the queue, the kernel drops a new client's first
    /// attempts, and the client waits for seconds before it retries.
    private static let backlog: Int32 = 512
    /// Patience of the kernel with a client that sends nothing.
    private static let dataPatience = Duration.seconds(5)

    let address: SocketAddress
    private let socket: SocketDescriptor
    private let options: TCPOptions

    init(at address: SocketAddress, options: TCPOptions, waitsForData: Bool) throws(SystemError) {
        socket = try SocketDescriptor(family: address.address.family, type: SOCK_STREAM)
        try socket.setOption(SOL_SOCKET, SO_REUSEADDR, to: Int32(1))
        if address.address.family == .v6 {
            try socket.setOption(Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: Int32(1))
        }
        if waitsForData { try TCPOptions.acceptWithData(on: socket, patience: Self.dataPatience) }
        try socket.bind(to: address)
        guard listen(socket.number, Self.backlog) == 0 else { throw .last("listen") }
        self.address = try socket.localAddress()
        self.options = options
    }

    func accept() throws(SystemError) -> (any StreamSocket)? {
        let number = shim_accept(socket.number)
        guard number >= 0 else { throw .last("accept") }
        let accepted = SocketDescriptor(number: number)
        do throws(SystemError) {
            try options.apply(to: accepted)
            return try KernelStream(accepted)
        } catch {
            return nil
        }
    }

    func close() { shutdown(socket.number, Int32(SHUT_RDWR)) }

    func readiness(on queue: SerialQueue, _ handler: @escaping @Sendable () -> Void) -> any Readiness {
        ReadinessSource(.readable, of: socket, on: queue, handler)
    }
}
