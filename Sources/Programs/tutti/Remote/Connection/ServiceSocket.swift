import Foundation
import Glibc
import TuttiSystemIO

/// A connection to a service. Its functions wait, each until a deadline; ``interrupt()`` alone is for other
/// threads.
final class ServiceSocket: Sendable {
    typealias Instant = ContinuousClock.Instant

    private let socket: SocketDescriptor

    /// Connects to the first of some addresses that answers. Each has an equal share of the time that is left.
    ///
    /// - Throws: The error of the last one; `ETIMEDOUT` at the deadline.
    static func connect(
        to addresses: [SocketAddress], until deadline: Instant
    ) throws(SystemError) -> ServiceSocket {
        var failure = SystemError(operation: "connect", code: EADDRNOTAVAIL)
        for (index, address) in addresses.enumerated() {
            let now = Instant.now
            let end = now + now.duration(to: deadline) / (addresses.count - index)
            do throws(SystemError) {
                let socket = try SocketDescriptor(family: address.address.family, type: SOCK_STREAM)
                try socket.setOption(Int32(IPPROTO_TCP), TCP_NODELAY, to: Int32(1))
                let result = address.withSockaddr { Glibc.connect(socket.number, $0, $1) }
                guard result == 0 || errno == EINPROGRESS else {
                    throw SystemError(operation: "connect", code: errno)
                }
                try wait(socket, POLLOUT, until: end)
                try checkError(of: socket)
                return ServiceSocket(socket)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    init(_ socket: SocketDescriptor) { self.socket = socket }

    /// Sends all bytes.
    func send(_ bytes: [UInt8], until deadline: Instant) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno == EAGAIN {
                try Self.wait(socket, POLLOUT, until: deadline)
            } else if errno != EINTR {
                throw SystemError(operation: "send", code: errno)
            }
        }
    }

    /// Returns the next bytes; none at the end of the connection.
    func receive(until deadline: Instant) throws(SystemError) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket.number, &block, block.count, 0)
            if count >= 0 { return Array(block.prefix(count)) }
            if errno == EAGAIN {
                try Self.wait(socket, POLLIN, until: deadline)
            } else if errno != EINTR {
                throw SystemError(operation: "recv", code: errno)
            }
        }
    }

    /// Ends the connection, and with it the wait of another thread.
    func interrupt() { shutdown(socket.number, Int32(SHUT_RDWR)) }

    private static func wait(
        _ socket: SocketDescriptor, _ events: Int32, until deadline: Instant
    ) throws(SystemError) {
        while true {
            let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
            guard left > 0 else { throw SystemError(operation: "poll", code: ETIMEDOUT) }
            var entry = pollfd(fd: socket.number, events: Int16(events), revents: 0)
            let count = poll(&entry, 1, Int32(min(left.rounded(.up), 3_600_000)))
            if count > 0 { return }
            if count < 0, errno != EINTR { throw SystemError(operation: "poll", code: errno) }
        }
    }

    private static func checkError(of socket: SocketDescriptor) throws(SystemError) {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &code, &length)
        guard code == 0 else { throw SystemError(operation: "connect", code: code) }
    }
}
