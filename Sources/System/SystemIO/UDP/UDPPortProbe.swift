import CTuttiLinux
import Glibc
import Synchronization

/// A question whether a program listens at a UDP port of another machine: one datagram, and perhaps an answer.
///
/// A machine on which no program listens there answers with an ICMP message. The kernel reports it on a connected socket
/// only, so the probe has a socket of its own, and the sockets that serve others are not disturbed. Silence tells
/// nothing: the program has taken the datagram, or a firewall has dropped it. Thread-safe; nothing waits.
package final class UDPPortProbe: Sendable {
    private let socket: SocketDescriptor
    private let hasBeenRefused = Atomic<Bool>(false)

    /// Sends the datagram.
    ///
    /// - Parameter bytes: Bytes that a program which listens there ignores; at least one.
    /// - Throws: The system's error, e.g. `ENETUNREACH` without a route.
    package init(of port: SocketAddress, sending bytes: [UInt8]) throws(SystemError) {
        socket = try SocketDescriptor(family: port.address.family, type: SOCK_DGRAM)
        let number = socket.number
        guard port.withSockaddr({ Glibc.connect(number, $0, $1) }) == 0 else { throw .last("connect") }
        let count = bytes.withUnsafeBytes { raw in
            Glibc.send(number, raw.baseAddress, raw.count, Int32(MSG_NOSIGNAL))
        }
        guard count >= 0 else { throw .last("send") }
    }

    /// Whether the answer has come that no program listens at the port. A firewall that rejects the datagram answers
    /// the same.
    package var isRefused: Bool {
        // The kernel hands the error out once. A failed question is no refusal; the next one may tell.
        if let error = try? socket.option(SOL_SOCKET, SO_ERROR), error == ECONNREFUSED {
            hasBeenRefused.store(true, ordering: .relaxed)
        }
        return hasBeenRefused.load(ordering: .relaxed)
    }
}
