import Foundation
import Glibc
import Testing
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiHTTPService

@Suite("A server at a socket of this machine", .tags(.machine))
struct LocalSocketTests {
    /// A folder that ends with the test.
    private final class Folder {
        let path: String

        init(longName: Bool = false) throws {
            let name = "tutti-\(UUID().uuidString)" + (longName ? String(repeating: "x", count: 150) : "")
            path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var socket: String { path + "/control.sock" }
    }

    private static func ask(_ path: String) async -> String {
        await onThread {
            guard let socket = try? LocalStream.connect(to: path) else { return "no connection" }
            let request = Array("GET /a HTTP/1.0\r\nHost: localhost\r\n\r\n".utf8)
            send(socket.number, request, request.count, Int32(MSG_NOSIGNAL))
            var answer: [UInt8] = []
            var block = [UInt8](repeating: 0, count: 4096)
            while true {
                var entry = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
                guard poll(&entry, 1, 60_000) == 1 else { return "no answer" }
                let count = recv(socket.number, &block, block.count, 0)
                guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
                answer += block[..<count]
            }
        }
    }

    @Test("answers local clients, whose address is this machine's", arguments: [false, true])
    func answers(longName: Bool) async throws {
        let folder = try Folder(longName: longName)
        let server = HTTPServer { request in
            HTTPResponse(type: "text/plain", body: Array("\(request.peer) \(request.isLocal)".utf8))
        }
        #expect(try await server.start(on: [], path: folder.socket).isEmpty)
        var about = stat()
        #expect(lstat(folder.socket, &about) == 0)
        #expect(about.st_mode & S_IFMT == S_IFSOCK)
        #expect(about.st_mode & 0o007 == 0)
        #expect(await Self.ask(folder.socket).hasSuffix("\r\n\r\n127.0.0.1:0 true"))
        await server.stop()
        #expect(lstat(folder.socket, &about) != 0)
    }

    @Test("replaces the socket that a crash has left, but no other file")
    func leftOver() async throws {
        let folder = try Folder()
        _ = try LocalStream.listen(at: folder.socket, backlog: 1)
        let server = HTTPServer(handler: TestServer.echo)
        _ = try await server.start(on: [], path: folder.socket)
        #expect(await Self.ask(folder.socket).contains("200 OK"))
        await server.stop()
        try "kept".write(toFile: folder.socket, atomically: true, encoding: .utf8)
        let second = HTTPServer(handler: TestServer.echo)
        let error = await #expect(throws: HTTPServerError.self) {
            try await second.start(on: [], path: folder.socket)
        }
        #expect(error?.description == "Cannot listen at \(folder.socket): File exists (bind).")
        #expect(try String(contentsOfFile: folder.socket, encoding: .utf8) == "kept")
    }

    @Test("a folder that is not there is an error")
    func noFolder() async throws {
        let folder = try Folder()
        let server = HTTPServer(handler: TestServer.echo)
        await #expect(throws: HTTPServerError.self) {
            try await server.start(on: [], path: folder.path + "/other/control.sock")
        }
    }

    @Test("a start that fails late leaves no socket, and lets the port go")
    func lateFailure() async throws {
        let folder = try Folder()
        let cause = SystemError(operation: "evhttp", code: ENOMEM)
        let address = SocketAddress(IPAddress(127, 0, 0, 1), port: 0)
        await #expect(throws: HTTPServerError(cause)) {
            try await HTTPServer.listen(on: [address], path: folder.socket) {
                sockets throws(HTTPServerError) in
                var about = stat()
                #expect(lstat(folder.socket, &about) == 0 && sockets.count == 2)
                throw HTTPServerError(cause)
            }
        }
        var about = stat()
        #expect(lstat(folder.socket, &about) != 0)
    }
}
