import Foundation
import Synchronization
import TuttiSystemIO
import TuttiTestSupport

/// A web server on this machine that serves one file.
final class LoopbackServer: Sendable {
    enum Way: Sendable {
        /// Sends the file, or the requested range.
        case gives([UInt8])
        /// Sends an error.
        case refuses
        /// Accepts the request and never answers.
        case keepsSilent
    }

    /// The heads of all requests so far.
    let requests = Recorder<[String]>([])
    private let listener: TCPListener
    private let connections = Mutex<[TCPConnection]>([])

    /// - Parameter onRequest: Called for each request, on the server's own thread.
    init(_ way: Way, onRequest: @escaping @Sendable () -> Void = {}) throws {
        listener = try TCPListener(at: SocketAddress(.loopbackV4, port: 0))
        listener.start { [weak self] connection in
            self?.connections.withLock { $0.append(connection) }
            let head = Mutex<[UInt8]>([])
            connection.start(
                onBytes: { [weak self] bytes in
                    let text = head.withLock { head in
                        head += bytes
                        return String(decoding: head, as: UTF8.self)
                    }
                    guard text.hasSuffix("\r\n\r\n") else { return }
                    self?.requests.update { $0.append(text) }
                    onRequest()
                    Self.answer(text, way, on: connection)
                }, onClose: { _ in })
        }
    }

    deinit {
        listener.close()
        for connection in connections.withLock({ $0 }) { connection.close() }
    }

    func url(_ name: String) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(listener.address.port)/\(name)") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return url
    }

    private static func answer(_ request: String, _ way: Way, on connection: TCPConnection) {
        switch way {
        case .keepsSilent:
            return
        case .refuses:
            connection.send(Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8))
        case .gives(let bytes):
            let start =
                request.components(separatedBy: "bytes=").dropFirst().first
                .flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
            let part = bytes[min(start, bytes.count)...]
            let head =
                "HTTP/1.1 206 Partial Content\r\nContent-Length: \(part.count)\r\n"
                + "Content-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)\r\n"
                + "Accept-Ranges: bytes\r\nConnection: close\r\n\r\n"
            connection.send(Array(head.utf8) + part)
        }
    }
}
