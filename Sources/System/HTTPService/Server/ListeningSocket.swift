import Glibc
import TuttiSystemIO

/// A socket that listens, of TCP or at a path of this machine; closed with its last owner. Accepted
/// connections inherit its options.
final class ListeningSocket: Sendable {
    /// The bound address, with the port that the kernel chose if 0 was asked for; 127.0.0.1 and port 0 of a
    /// socket at a path.
    let address: SocketAddress
    private let socket: SocketDescriptor
    /// The path of a socket of this machine; `nil` of TCP.
    let path: String?

    /// The kernel's patience in milliseconds with a client that acknowledges nothing, such as a laptop that
    /// sleeps.
    private static let acknowledgementPatience: Int32 = 60_000

    var number: Int32 { socket.number }

    /// Stops listening: others may listen at the address at once, even while another owner, or a program that
    /// this one starts just then, has the socket open.
    func stop() {
        shutdown(socket.number, Int32(SHUT_RDWR))
        // A file that stays is replaced by the next socket there.
        if let path { try? LocalStream.removeSocket(at: path) }
    }

    init(at address: SocketAddress) throws(HTTPServerError) {
        path = nil
        do throws(SystemError) {
            socket = try SocketDescriptor(family: address.address.family, type: SOCK_STREAM)
            try socket.setOption(SOL_SOCKET, SO_REUSEADDR, to: Int32(1))
            if address.address.family == .v6 {
                try socket.setOption(Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: Int32(1))
            }
            // Small answers and events leave at once.
            try socket.setOption(Int32(IPPROTO_TCP), TCP_NODELAY, to: Int32(1))
            try socket.setOption(
                Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, to: Self.acknowledgementPatience)
            try socket.bind(to: address)
            guard listen(socket.number, HTTPLimits.listenBacklog) == 0 else {
                throw SystemError(operation: "listen", code: errno)
            }
            self.address = try socket.localAddress()
        } catch {
            throw HTTPServerError(error, at: address)
        }
    }

    /// Listens at a path; the permissions of the file and its folders decide who may connect.
    init(atPath path: String) throws(HTTPServerError) {
        (address, self.path) = (SocketAddress(.loopbackV4, port: 0), path)
        do throws(SystemError) {
            socket = try LocalStream.listen(at: path, backlog: HTTPLimits.listenBacklog)
        } catch {
            throw HTTPServerError(error, atPath: path)
        }
    }
}
