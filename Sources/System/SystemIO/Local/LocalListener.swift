import CTuttiLinux
import Glibc

/// Accepts ``LocalChannel`` connections at a path.
///
/// A listener can be passed to another program like any open file. Connections then wait for the first
/// program that accepts them, and the path outlives the program that made it. Non-blocking and thread-safe.
package final class LocalListener: Sendable {
    /// Connections that the kernel queues until a program accepts them.
    private static let backlog: Int32 = 64

    let socket: SocketDescriptor

    /// Listens at a path and replaces its present file. The folder's permissions decide who may connect.
    package init(at path: String) throws(SystemError) {
        socket = try SocketDescriptor.local()
        var address = sockaddr_un()
        guard shim_local_address(&address, path) == 0 else {
            throw SystemError(operation: "bind", code: ENAMETOOLONG)
        }
        unlink(path)
        let number = socket.number
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw .last("bind") }
        guard chmod(path, 0o666) == 0 else { throw .last("chmod") }
        guard listen(number, Self.backlog) == 0 else { throw .last("listen") }
    }

    /// Adopts a listener that another program has passed.
    ///
    /// - Throws: `EPROTOTYPE` if the descriptor is no local listener.
    package init(adopting passed: PassedDescriptor) throws(SystemError) {
        socket = passed.descriptor
        guard try socket.option(SOL_SOCKET, SO_ACCEPTCONN) == 1,
            try socket.option(SOL_SOCKET, SO_DOMAIN) == AF_UNIX,
            try socket.option(SOL_SOCKET, SO_TYPE) == Int32(SOCK_SEQPACKET.rawValue)
        else { throw SystemError(operation: "adopt", code: EPROTOTYPE) }
    }

    /// The open listener, for another program.
    package var passed: PassedDescriptor { PassedDescriptor(descriptor: socket) }

    /// Accepts the next queued connection; `nil` if there is none.
    package func accept() -> LocalChannel? {
        let number = shim_accept(socket.number)
        guard number >= 0 else { return nil }
        return LocalChannel(socket: SocketDescriptor(number: number))
    }
}
