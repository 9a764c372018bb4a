internal import CLinux
internal import Glibc

/// Waits for ``LocalChannel`` connections at a path.
///
/// A listener can be passed to another program like any open file; connections then wait for whichever program
/// accepts them, and the path keeps working after the program that made it has ended. Non-blocking; any thread.
public final class LocalListener: Sendable {
    /// Connections that the kernel keeps until a program accepts them.
    private static let backlog: Int32 = 64

    let socket: SocketDescriptor

    /// Listens at a path, whose present file it replaces. The rights of the folder decide who may connect.
    public init(at path: String) throws(SystemError) {
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

    /// Takes over a listener that another program has passed.
    public init(adopting passed: PassedDescriptor) throws(SystemError) {
        socket = passed.descriptor
        guard try socket.option(SOL_SOCKET, SO_ACCEPTCONN) == 1,
            try socket.option(SOL_SOCKET, SO_DOMAIN) == AF_UNIX,
            try socket.option(SOL_SOCKET, SO_TYPE) == Int32(SOCK_SEQPACKET.rawValue)
        else { throw SystemError(operation: "adopt", code: EPROTOTYPE) }
    }

    public var passed: PassedDescriptor { PassedDescriptor(descriptor: socket) }

    /// The next connection that waits; `nil` when there is none.
    public func accept() -> LocalChannel? {
        let number = shim_accept(socket.number)
        guard number >= 0 else { return nil }
        return LocalChannel(socket: SocketDescriptor(number: number))
    }
}
