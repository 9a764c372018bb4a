import Foundation
import Synchronization
import TuttiSystemIO
import TuttiTestSupport

/// A web server on this machine with scripted responses.
package final class ScriptedServer: Sendable {
    package struct Request: Sendable {
        /// Counts the requests of the server, from 0.
        package let number: Int
        /// Counts its connections, from 0.
        package let connection: Int
        /// The path, from the first slash on.
        package let path: String
        package let head: String

        /// Returns the value of a header; `nil` without it.
        package func header(_ name: String) -> String? {
            head.components(separatedBy: "\r\n").dropFirst()
                .first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }

        /// First and last requested byte.
        package var range: (first: Int, last: Int?)? {
            guard let text = header("Range"), text.hasPrefix("bytes=") else { return nil }
            let parts = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let first = Int(parts[0]) else { return nil }
            return (first, Int(parts[1]))
        }
    }

    package enum Step: Sendable {
        case send([UInt8])
        /// Sends the same bytes endlessly.
        case sendEndlessly([UInt8])
        /// Sends nothing until the gate opens.
        case wait(Gate)
        case close
    }

    /// A gate that a test opens.
    package final class Gate: Sendable {
        private let state = Mutex<(isOpen: Bool, waiting: [@Sendable () -> Void])>((false, []))

        package init() {}

        package func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for handler in waiting { handler() }
        }

        /// - Returns: Whether the gate is open; otherwise the handler is called when it opens.
        func pass(_ handler: @escaping @Sendable () -> Void) -> Bool {
            state.withLock { state in
                if !state.isOpen { state.waiting.append(handler) }
                return state.isOpen
            }
        }
    }

    /// All requests so far.
    package let requests = Recorder<[Request]>([])
    private let listener: TCPListener
    private let lines = Mutex<[ScriptedLine]>([])

    /// - Parameter answer: Called for each request, on a thread of the server.
    package init(_ answer: @escaping @Sendable (Request) -> [Step]) throws {
        listener = try TCPListener(at: SocketAddress(.loopbackV4, port: 0))
        listener.start { [weak self] connection in
            guard let self else { return connection.close() }
            let line = ScriptedLine(connection)
            let index = lines.withLock { lines in
                lines.append(line)
                return lines.count - 1
            }
            line.start { [weak self] head in
                guard let self else { return [.close] }
                let words = head.prefix { $0 != "\r\n" && $0 != "\r" }.split(separator: " ")
                let request = requests.update { requests in
                    let request = Request(
                        number: requests.count, connection: index,
                        path: words.count > 1 ? String(words[1]) : "", head: head)
                    requests.append(request)
                    return request
                }
                return answer(request)
            }
        }
    }

    deinit {
        listener.close()
        for line in lines.withLock({ $0 }) { line.close() }
    }

    package var host: String { "127.0.0.1:\(listener.address.port)" }

    package func address(_ path: String) -> String { "http://\(host)/\(path)" }

    /// The number of connections so far.
    package var connectionCount: Int { lines.withLock { $0.count } }
}

extension [ScriptedServer.Step] {
    /// A head and what follows it.
    package static func answer(
        _ status: String, _ headers: [String] = [], body: [UInt8] = []
    ) -> [ScriptedServer.Step] {
        let lines = ["HTTP/1.1 \(status)"] + headers + ["", ""]
        return [.send([UInt8](lines.joined(separator: "\r\n").utf8) + body)]
    }

    /// A file or its requested range, as from a server that supports ranges.
    package static func file(
        _ bytes: [UInt8], to request: ScriptedServer.Request, headers: [String] = []
    ) -> [ScriptedServer.Step] {
        guard let range = request.range else {
            return .answer(
                "200 OK", ["Content-Length: \(bytes.count)", "Accept-Ranges: bytes"] + headers, body: bytes)
        }
        guard range.first < bytes.count else {
            return .answer(
                "416 Range Not Satisfiable", ["Content-Range: bytes */\(bytes.count)", "Content-Length: 0"])
        }
        let part = bytes[range.first...Swift.min(range.last ?? bytes.count - 1, bytes.count - 1)]
        let range1 = "bytes \(part.startIndex)-\(part.endIndex - 1)/\(bytes.count)"
        return .answer(
            "206 Partial Content",
            ["Content-Range: \(range1)", "Content-Length: \(part.count)"] + headers, body: [UInt8](part))
    }

    /// A file as from a server without range support.
    package static func whole(_ bytes: [UInt8], headers: [String] = []) -> [ScriptedServer.Step] {
        .answer("200 OK", ["Content-Length: \(bytes.count)"] + headers, body: bytes)
    }
}
