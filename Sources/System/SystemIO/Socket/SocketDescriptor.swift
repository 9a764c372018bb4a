import Glibc

/// An owned socket, closed with its last owner.
///
/// Sockets made here are non-blocking and closed on exec.
package final class SocketDescriptor: Sendable {
    /// The descriptor.
    package let number: Int32

    init(number: Int32) { self.number = number }

    /// Makes a socket.
    package convenience init(family: IPAddress.Family, type: __socket_type) throws(SystemError) {
        let domain = family == .v4 ? AF_INET : AF_INET6
        let flags = Int32(type.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = socket(domain, flags, 0)
        guard number >= 0 else { throw .last("socket") }
        self.init(number: number)
    }

    deinit { close(number) }

    /// Sets an option.
    package func setOption<Value: BitwiseCopyable>(
        _ level: Int32, _ name: Int32, to value: Value
    ) throws(SystemError) {
        var value = value
        let result = setsockopt(number, level, name, &value, socklen_t(MemoryLayout<Value>.size))
        guard result == 0 else { throw .last("setsockopt") }
    }

    func option(_ level: Int32, _ name: Int32) throws(SystemError) -> Int32 {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(number, level, name, &value, &length) == 0 else { throw .last("getsockopt") }
        return value
    }

    /// Binds the socket.
    package func bind(to address: SocketAddress) throws(SystemError) {
        let result = address.withSockaddr { Glibc.bind(number, $0, $1) }
        guard result == 0 else { throw .last("bind") }
    }

    /// Returns the address that the socket is bound to.
    package func localAddress() throws(SystemError) -> SocketAddress {
        try name("getsockname", getsockname)
    }

    func peerAddress() throws(SystemError) -> SocketAddress {
        try name("getpeername", getpeername)
    }

    private func name(
        _ operation: String,
        _ call: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) throws(SystemError) -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(number, $0, &length) }
        }
        guard result == 0 else { throw .last(operation) }
        guard
            let address = withUnsafeBytes(
                of: storage,
                { raw in
                    raw.baseAddress.flatMap { SocketAddress($0, length: Int(length)) }
                })
        else { throw SystemError(operation: operation, code: EAFNOSUPPORT) }
        return address
    }
}
