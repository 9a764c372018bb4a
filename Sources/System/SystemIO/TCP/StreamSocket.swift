import CTuttiLinux
import Glibc

/// A connected, non-blocking stream socket: the kernel's, or one in virtual time.
package protocol StreamSocket: Sendable {
    /// The local address and port.
    var localAddress: SocketAddress { get }
    /// The peer's address and port.
    var peerAddress: SocketAddress { get }
    /// Bytes that were taken and that the peer has not acknowledged.
    var unsentBytes: Int { get }
    /// How often what the peer should have acknowledged was repeated in vain. A peer without room, which acknowledges probes,
    /// does not count.
    var repetitions: Int { get }
    /// The round-trip measurement; `nil` if there is none.
    var roundTrip: TCPRoundTrip? { get }

    /// Takes received bytes.
    ///
    /// - Returns: The number of bytes; 0 after the peer's orderly end.
    /// - Throws: `EAGAIN` if there are none.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int

    /// Gives bytes.
    ///
    /// - Returns: The number of bytes that were taken.
    /// - Throws: `EAGAIN` if there is no room.
    func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int

    /// Ends sending, after what was taken.
    func endSending()

    /// Makes calls of `handler` on `queue` while the socket is ready, disarmed at first.
    func readiness(
        _ kind: ReadinessKind, on queue: SerialQueue, _ handler: @escaping @Sendable () -> Void
    ) -> any Readiness
}

/// A stream socket of the kernel.
struct KernelStream: StreamSocket {
    let localAddress: SocketAddress
    let peerAddress: SocketAddress
    let socket: SocketDescriptor

    /// Adopts a connected socket.
    init(_ socket: SocketDescriptor) throws(SystemError) {
        self.socket = socket
        localAddress = try socket.localAddress()
        peerAddress = try socket.peerAddress()
    }

    var unsentBytes: Int {
        var count: Int32 = 0
        guard shim_unsent_bytes(socket.number, &count) == 0 else { return 0 }
        return Int(count)
    }

    var repetitions: Int { socket.repetitions }
    var roundTrip: TCPRoundTrip? { TCPRoundTrip(of: socket) }

    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        let count = recv(socket.number, buffer.baseAddress, buffer.count, 0)
        guard count >= 0 else { throw .last("recv") }
        return count
    }

    func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        let count = Glibc.send(socket.number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        guard count >= 0 else { throw .last("send") }
        return count
    }

    func endSending() { shutdown(socket.number, Int32(SHUT_WR)) }

    func readiness(
        _ kind: ReadinessKind, on queue: SerialQueue, _ handler: @escaping @Sendable () -> Void
    ) -> any Readiness { ReadinessSource(kind, of: socket, on: queue, handler) }
}
