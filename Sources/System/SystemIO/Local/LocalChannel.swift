import CTuttiLinux
import Glibc

/// An open file that one program passes to another over a ``LocalChannel``; closed with its last owner.
package struct PassedDescriptor: Sendable {
    let descriptor: SocketDescriptor
}

/// The program at the other end of a local connection, as reported by the kernel.
package struct LocalPeer: Hashable, Sendable {
    /// The process ID; 0 if the program lives in another process namespace.
    package let processID: Int32
    /// The effective user ID.
    package let userID: UInt32
}

/// One end of a connection between two programs of this machine. Preserves message boundaries
/// (`SOCK_SEQPACKET`) and passes open files.
///
/// Non-blocking and thread-safe.
package final class LocalChannel: Sendable {
    /// Longest message in bytes; longer messages are dropped unread.
    package static let longestMessage = 4096
    /// Maximum number of open files in one message.
    package static let mostDescriptors = 64

    /// The result of ``receive()``.
    package enum Received: Sendable {
        /// A message and the descriptors that came with it.
        case message([UInt8], descriptors: [PassedDescriptor])
        /// The message was too long, or carried too many files.
        case cut
        /// No message waits.
        case nothing
        /// The other end is closed.
        case closed
    }

    let socket: SocketDescriptor

    init(socket: SocketDescriptor) { self.socket = socket }

    /// Connects to the listener at a path.
    ///
    /// - Throws: An error with ``SystemError/isConnectionRefused`` if no program listens there any more.
    package convenience init(to path: String) throws(SystemError) {
        let socket = try SocketDescriptor.local()
        var address = sockaddr_un()
        guard shim_local_address(&address, path) == 0 else {
            throw SystemError(operation: "connect", code: ENAMETOOLONG)
        }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw .last("connect") }
        self.init(socket: socket)
    }

    /// Creates two connected ends.
    package static func pair() throws(SystemError) -> (LocalChannel, LocalChannel) {
        var numbers: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, SocketDescriptor.localType, 0, &numbers) == 0 else {
            throw .last("socketpair")
        }
        return (
            LocalChannel(socket: SocketDescriptor(number: numbers[0])),
            LocalChannel(socket: SocketDescriptor(number: numbers[1]))
        )
    }

    /// The program at the other end; on the connecting side, the one that called `listen`.
    package var peer: LocalPeer? {
        var credentials: [Int32] = [0, 0, 0]
        guard shim_peer_credentials(socket.number, &credentials) == 0 else { return nil }
        return LocalPeer(processID: credentials[0], userID: UInt32(bitPattern: credentials[1]))
    }

    /// Sends one message.
    ///
    /// - Returns: `false` if the kernel has no room, because the other end reads too slowly.
    /// - Throws: An error if the other end is closed.
    package func send(_ bytes: [UInt8], passing passed: [PassedDescriptor] = []) throws(SystemError) -> Bool {
        let numbers = passed.map(\.descriptor.number)
        let count = bytes.withUnsafeBytes { raw in
            shim_send_descriptors(socket.number, raw.baseAddress, raw.count, numbers, numbers.count)
        }
        if count >= 0 { return true }
        let error = SystemError.last("sendmsg")
        if [EAGAIN, EINTR, ENOBUFS].contains(error.code) { return false }
        throw error
    }

    /// Takes one queued message.
    package func receive() -> Received {
        withUnsafeTemporaryAllocation(byteCount: Self.longestMessage, alignment: 8) { buffer in
            var numbers = [Int32](repeating: -1, count: Self.mostDescriptors)
            var found = 0
            var cut: Int32 = 0
            let count = shim_receive_descriptors(
                socket.number, buffer.baseAddress, buffer.count, &numbers, &found, &cut)
            if count < 0 { return [EAGAIN, EINTR].contains(errno) ? .nothing : .closed }
            let passed = numbers.prefix(found).map {
                PassedDescriptor(descriptor: SocketDescriptor(number: $0))
            }
            if cut != 0 { return .cut }
            // No program sends an empty message, so this is the end of the connection.
            guard count > 0 else { return .closed }
            return .message(Array(buffer.prefix(count)), descriptors: passed)
        }
    }
}

extension SocketDescriptor {
    static var localType: Int32 {
        Int32(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    }

    static func local() throws(SystemError) -> SocketDescriptor {
        let number = Glibc.socket(AF_UNIX, localType, 0)
        guard number >= 0 else { throw .last("socket") }
        return SocketDescriptor(number: number)
    }
}
