import Foundation
import Glibc
import Synchronization

/// A message bus with one client at a time, on a socket of its own: it greets, grants names, and does what a
/// test says.
final class FakeBus: Sendable {
    /// A client on the bus.
    final class Client: Sendable {
        let descriptor: Int32
        /// The client's messages, but for those that the bus answers.
        let messages: AsyncStream<WireMessage>
        private let emit: AsyncStream<WireMessage>.Continuation
        private let lastSerial = Atomic<UInt32>(1_000)

        init(_ descriptor: Int32) {
            self.descriptor = descriptor
            (messages, emit) = AsyncStream.makeStream()
        }

        func yield(_ message: WireMessage) { emit.yield(message) }
        func finish() { emit.finish() }

        func send(_ bytes: [UInt8]) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }

        /// Sends a call of another program, and returns its serial number.
        @discardableResult
        func call(
            _ member: String, path: String = "/o", interface: String? = "a.b", signature: String = "",
            body: [UInt8] = [], flags: UInt8 = 0
        ) -> UInt32 {
            var message = WireMessage(.call, serial: lastSerial.add(1, ordering: .relaxed).newValue)
            message.texts = [.path: path, .member: member, .sender: ":1.9"]
            if let interface { message.texts[.interface] = interface }
            if !signature.isEmpty { message.texts[.signature] = signature }
            (message.body, message.flags) = (body, flags)
            send(message.encoded)
            return message.serial
        }

        /// Sends calls until the connection takes none for a while.
        ///
        /// - Returns: The number of calls, all whole.
        func callUntilRefused(_ member: String, limit: Int) -> Int {
            for count in 0..<limit {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                if poll(&ready, 1, 250) == 0 { return count }
                call(member)
            }
            return limit
        }

        func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    let address: String
    /// The clients that own a name, as they come.
    let clients: AsyncStream<Client>
    private let path: String
    private let listener: Int32
    private let emit: AsyncStream<Client>.Continuation
    /// Names that other programs have.
    private let taken: Set<String>
    /// Whether the bus reads the messages of clients that own a name.
    private let reads: Bool

    init(taken: Set<String> = [], reads: Bool = true) throws {
        (self.taken, self.reads) = (taken, reads)
        path = FileManager.default.temporaryDirectory.path + "/tutti-bus-\(UUID().uuidString.prefix(13))"
        address = "unix:path=\(path)"
        (clients, emit) = AsyncStream.makeStream()
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0, listen(listener, 8) == 0 else { throw POSIXError(.EIO) }
        Thread.detachNewThread { [self] in serve() }
    }

    private let isOver = Atomic<Bool>(false)

    /// Ends the bus; its socket is gone. Idempotent: a second shutdown could meet another test's descriptor.
    func end() {
        guard !isOver.exchange(true, ordering: .relaxed) else { return }
        unlink(path)
        shutdown(listener, Int32(SHUT_RDWR))
        emit.finish()
    }

    private func serve() {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            serve(Client(descriptor))
            close(descriptor)
        }
        close(listener)
    }

    private func serve(_ client: Client) {
        defer { client.finish() }
        var bytes: [UInt8] = []
        var isGreeted = false
        while true {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = recv(client.descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return }
            bytes += chunk.prefix(count)
            if !isGreeted {
                guard let end = Data(bytes).range(of: Data("BEGIN\r\n".utf8)) else { continue }
                client.send(Array("DATA\r\nOK 0123456789abcdef0123456789abcdef\r\n".utf8))
                bytes.removeFirst(end.upperBound)
                isGreeted = true
            }
            while let length = WireMessage.length(bytes[...]), bytes.count >= length {
                if let message = WireMessage(bytes.prefix(length)), handle(message, client), !reads {
                    // Waits for the end of the test without reading.
                    while recv(client.descriptor, &chunk, 1, Int32(MSG_PEEK)) > 0,
                        poll(nil, 0, 5) == 0
                    {
                        if hasResumed.load(ordering: .relaxed) { break }
                    }
                }
                bytes.removeFirst(length)
            }
        }
    }

    /// Whether a bus that does not read reads from now on.
    let hasResumed = Atomic<Bool>(false)

    /// - Returns: Whether the client owns a name from now on.
    private func handle(_ message: WireMessage, _ client: Client) -> Bool {
        guard message.kind == .call, message.texts[.destination] == "org.freedesktop.DBus" else {
            client.yield(message)
            return false
        }
        var reply = WireMessage(.reply, serial: message.serial)
        reply.replySerial = message.serial
        (reply.texts[.sender], reply.texts[.destination]) = ("org.freedesktop.DBus", ":1.1")
        var body = WireBytes()
        var isOwner = false
        switch message.texts[.member] {
        case "Hello":
            reply.texts[.signature] = "s"
            body.put(text: ":1.1")
        default:
            let name = String(decoding: message.body.dropFirst(4).prefix { $0 != 0 }, as: UTF8.self)
            isOwner = !taken.contains(name)
            reply.texts[.signature] = "u"
            body.put(UInt32(isOwner ? 1 : 3))
        }
        reply.body = body.bytes
        client.send(reply.encoded)
        if isOwner { emit.yield(client) }
        return isOwner
    }
}
