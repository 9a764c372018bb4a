import Foundation
import Glibc
import TuttiSystemIO
import TuttiTestSupport

/// A service at a socket, or at a port of this machine, that answers each connection as a test says, one after
/// the other.
final class FakeService: Sendable {
    /// A folder that ends with the service, with the socket if there is one.
    let folder: URL
    /// The heads of the requests so far.
    let requests = Recorder<[String]>([])
    /// The address, of TCP.
    let address: SocketAddress?
    private let socket: SocketDescriptor

    /// The path of the socket.
    var path: String { folder.appendingPathComponent("control.sock").path }

    init(_ answers: [String], isTCP: Bool = false) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        if isTCP {
            socket = try SocketDescriptor(family: .v4, type: SOCK_STREAM)
            try socket.bind(to: SocketAddress(.loopbackV4, port: 0))
            listen(socket.number, 8)
            address = try socket.localAddress()
        } else {
            address = nil
            socket = try LocalStream.listen(
                at: folder.appendingPathComponent("control.sock").path, backlog: 8)
        }
        Thread { [self] in for answer in answers { serve(answer) } }.start()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns an answer with JSON.
    static func answer(_ json: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(json.utf8.count)\r\n\r\n\(json)"
    }

    private func serve(_ answer: String) {
        var entry = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 60_000) == 1 else { return }
        let client = accept(socket.number, nil, nil)
        guard client >= 0 else { return }
        defer { close(client) }
        var head: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while head.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
            let count = recv(client, &block, block.count, 0)
            guard count > 0 else { return }
            head += block[..<count]
        }
        requests.update { $0.append(String(decoding: head, as: UTF8.self)) }
        let bytes = Array(answer.utf8)
        send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
