import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport
import TuttiWebTestSupport

@testable import TuttiWeb

@Suite("Misbehaving servers", .tags(.machine))
struct BadServersTests {
    private func error(_ answer: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step])
        async throws
        -> WebError?
    {
        let server = try ScriptedServer(answer)
        let source = try WebSource(server.address("a"), limits: .patient)
        return await #expect(throws: WebError.self) { _ = try await elsewhere { try source.bytes() } }
    }

    @Test("status codes map to their errors", arguments: [401, 403, 404, 410, 451, 500, 503])
    func status(_ status: Int) async throws {
        let error = try await error { _ in .answer("\(status) No", ["Content-Length: 0"]) }
        #expect(error == .status(status))
        #expect(error?.description.contains("\(status)") == true)
    }

    @Test("circular redirects and redirects to other schemes are refused")
    func redirects() async throws {
        #expect(
            try await error { _ in .answer("302 Found", ["Location: /a", "Content-Length: 0"]) }
                == .redirectLoop(limit: 10))
        #expect(
            try await error { _ in
                .answer("302 Found", ["Location: file:///etc/passwd", "Content-Length: 0"])
            }
                == .redirectElsewhere)
    }

    @Test("endless heads are refused: one line, many lines, many heads")
    func endlessHeads() async throws {
        #expect(
            try await error { _ in
                [.send(Array("HTTP/1.1 200 OK\r\n".utf8)), .sendEndlessly(Array("X-A: b\r\n".utf8))]
            } == .endlessHead)
        #expect(
            try await error { _ in [.sendEndlessly(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))] }
                == .endlessHead)
        let long = try await error { _ in
            [.send(Array("HTTP/1.1 200 OK\r\nX: ".utf8)), .sendEndlessly(Array("xxxxxxxxx".utf8))]
        }
        // The library has its own limit for one line.
        #expect(long != nil)
    }

    @Test("endless chunk extensions and trailers are refused")
    func endlessFraming() async throws {
        let head = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        let extensions = try await error { _ in
            [.send(head), .send(Array("5;".utf8)), .sendEndlessly(Array(repeating: 0x78, count: 64))]
        }
        #expect(extensions == .badAnswer("it contains more framing than content"))
        let trailers = try await error { _ in
            [.send(head), .send(Array("0\r\n".utf8)), .sendEndlessly(Array("X-Trailer: abc\r\n".utf8))]
        }
        #expect(trailers == .endlessHead)
    }

    @Test(
        "nested compression is refused",
        arguments: [
            ["Content-Encoding: gzip, gzip"], ["Content-Encoding: gzip", "Content-Encoding: deflate"],
        ])
    func encodedTwice(headers: [String]) async throws {
        let error = try await error { _ in .whole([31, 139, 8, 0], headers: headers) }
        #expect(error == .badAnswer("it is compressed more than once"))
    }

    @Test("a response that is not HTTP, or answers another request, is refused")
    func notHTTP() async throws {
        let strange = try await error { _ in [.send(Array("220 mail.example ESMTP\r\n\r\n".utf8)), .close] }
        guard case .badAnswer = strange else {
            Issue.record("\(String(describing: strange))")
            return
        }
        let other = try await error { _ in
            .answer(
                "206 Partial Content", ["Content-Range: bytes 5-9/10", "Content-Length: 5"],
                body: [1, 2, 3, 4, 5])
        }
        guard case .badAnswer = other else {
            Issue.record("\(String(describing: other))")
            return
        }
    }

    @Test("a server that hangs up before its response is asked three times")
    func hangsUp() async throws {
        let server = try ScriptedServer { _ in [.close] }
        let source = try WebSource(server.address("a"), limits: .patient)
        let error = await #expect(throws: WebError.self) { _ = try await elsewhere { try source.bytes() } }
        guard case .lost = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.requests.value.count == 3)
    }

    @Test("a missing connection, name or address is reported")
    func nobody() async throws {
        // Nothing listens on this port, and no test can get it.
        let address = "http://127.64.1.1:1/a"
        let refused = await #expect(throws: WebError.self) {
            _ = try await elsewhere { try WebSource(address, limits: .patient).bytes() }
        }
        guard case .noConnection("127.64.1.1", _) = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        await #expect(throws: WebError.unknownHost("no-such-host.invalid")) {
            try await elsewhere { try WebSource("http://no-such-host.invalid/a", limits: .patient).bytes() }
        }
        for text in [
            "", "file:///etc/passwd", "http://", "http:///a", "http://a b/", "ftp://a/", "http://a/\n",
        ] {
            #expect(throws: WebError.invalidAddress) { try WebSource(text) }
        }
    }

    @Test("a server without TLS cannot be trusted")
    func notSecure() async throws {
        let listener = try TCPListener(at: SocketAddress(.loopbackV4, port: 0))
        let lines = Recorder<[TCPConnection]>([])
        listener.start { connection in
            lines.update { $0.append(connection) }
            connection.start(
                onBytes: { _ in connection.send(Array("no TLS here\r\n\r\n".utf8)) }, onClose: { _ in })
        }
        let address = "https://127.0.0.1:\(listener.address.port)/a"
        let error = await #expect(throws: WebError.self) {
            _ = try await elsewhere { try WebSource(address, limits: .patient).open() }
        }
        guard case .notTrusted("127.0.0.1", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        for connection in lines.value { connection.close() }
        listener.close()
    }

    @Test("a text that is incomplete at its deadline is given up")
    func endlessText() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer { _ in
            [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n#EXTM3U".utf8)), .wait(gate)]
        }
        let address = server.address("a")
        await #expect(throws: WebError.tooSlow(bytes: 7, .zero)) {
            _ = try await elsewhere { try WebText(of: address, limit: 1000, total: .zero).bytes }
        }
        gate.open()
    }

    @Test("an empty file is empty")
    func empty() async throws {
        let server = try ScriptedServer { _ in .whole([]) }
        let source = try WebSource(server.address("a"), limits: .patient)
        #expect(try await elsewhere { try source.bytes() } == [])
        #expect(source.resource.length == 0)
    }

    @Test("a cancelled wait ends at once")
    func cancelled() async throws {
        let server = try ScriptedServer { _ in [] }
        let source = try WebSource(server.address("a"), limits: .patient)
        let reading = Task { try await elsewhere { try source.bytes() } }
        _ = try await server.requests.wait(for: "request") { $0.first.map { _ in true } }
        source.cancel()
        await #expect(throws: WebError.cancelled) { try await reading.value }
    }

    @Test("a server that stops midway is asked again when the clock says so")
    func stalls() async throws {
        let file = noise(100_000)
        let server = try ScriptedServer { request in
            request.number > 0
                ? .file(file, to: request)
                : .answer(
                    "206 Partial Content",
                    ["Content-Range: bytes 0-99999/100000", "Content-Length: 100000"],
                    body: Array(file[..<30_000]))
        }
        let clock = MovableClock()
        let engine = WebEngine(clock: clock)
        let source = try WebSource(server.address("a"), engine: engine)
        let count = try await elsewhere { try source.bytes(30_000).count }
        #expect(count == 30_000)
        clock.advance(by: .seconds(5))
        engine.clockHasMoved()
        #expect(try await elsewhere { try source.bytes() } == Array(file[30_000...]))
        #expect(source.log.records.last?.cause == .retry("\(WebError.lost("data stopped arriving"))"))
    }

    @Test("a read without a byte ends at the time limit, and the next may succeed")
    func timeLimit() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer { _ in [.wait(gate)] + .whole([1, 2, 3]) }
        let clock = MovableClock()
        let engine = WebEngine(clock: clock)
        let source = try WebSource(server.address("a"), engine: engine)
        let reading = Task { try await elsewhere { try source.bytes() } }
        let moving = Task {
            while !Task.isCancelled {
                clock.advance(by: .seconds(1))
                engine.clockHasMoved()
                await Task.yield()
            }
        }
        await #expect(throws: WebError.timedOut(.seconds(15))) { try await reading.value }
        moving.cancel()
        gate.open()
        #expect(try await elsewhere { try source.bytes() } == [1, 2, 3])
    }
}
