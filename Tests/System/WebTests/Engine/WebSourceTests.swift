import Testing
import TuttiSystemIO
import TuttiTestSupport
import TuttiWebTestSupport

@testable import TuttiWeb

@Suite("Bytes of an address", .tags(.machine))
struct WebSourceTests {
    static let file = noise(300_000)

    private func limits(window: Int = 64 << 10, kept: Int = 16 << 10, jump: Int = 8 << 10) -> WebLimits {
        var limits = WebLimits.patient
        (limits.windowBytes, limits.keptBytes, limits.shortJumpBytes) = (window, kept, jump)
        limits.leadBytes = 0
        return limits
    }

    @Test("a file is fetched whole, with one request")
    func whole() async throws {
        let server = try ScriptedServer { .file(Self.file, to: $0) }
        let source = try WebSource(server.address("a"), limits: limits())
        #expect(try await elsewhere { try source.bytes() } == Self.file)
        #expect(source.resource.length == 300_000)
        #expect(source.resource.givesRanges)
        #expect(server.requests.value.map { $0.header("Range") } == ["bytes=0-"])
        let record = try #require(source.log.records.first)
        #expect(record.status == 206 && record.byteCount == 300_000 && record.cause == .opening)
        #expect(record.serverAddress == server.host && record.address == server.address("a"))
        #expect(source.log.totals.requestCount == 1 && source.log.totals.byteCount == 300_000)
    }

    @Test("no more than the window is prefetched")
    func bounded() async throws {
        let server = try ScriptedServer { _ in
            .answer("200 OK") + [.sendEndlessly(noise(50_000))]
        }
        let source = try WebSource(server.address("a"), limits: limits())
        let some = try await elsewhere { try source.bytes(200_000) }
        #expect(some.count == 200_000)
        // The library delivers 64 KiB at a time.
        for range in source.ranges { #expect(range.count <= (64 + 16 + 64) << 10) }
        #expect(source.bytesAhead <= 128 << 10)
    }

    @Test("seeks within the window request nothing")
    func nearJumps() async throws {
        let server = try ScriptedServer { .file(Self.file, to: $0) }
        let source = try WebSource(server.address("a"), limits: limits(window: 1 << 20, kept: 1 << 20))
        try await elsewhere { () throws in
            #expect(try source.bytes() == Self.file)
            for place in [100_000, 0, 250_000, 999, 299_999] {
                source.seek(to: Int64(place))
                #expect(try source.bytes(500) == Array(Self.file[place...].prefix(500)), "at \(place)")
            }
        }
        #expect(server.requests.value.count == 1)
    }

    @Test(
        "a short seek forward reads on, a longer one sends a request", arguments: [(25_000, 1), (50_000, 2)])
    func onward(place: Int, requestCount: Int) async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer { request in
            guard request.number == 0 else { return .file(Self.file, to: request) }
            return .answer(
                "206 Partial Content", ["Content-Range: bytes 0-299999/300000", "Content-Length: 300000"],
                body: Array(Self.file[..<20_000])) + [.wait(gate), .send(Array(Self.file[20_000...]))]
        }
        let source = try WebSource(server.address("a"), limits: limits())
        let part = try await elsewhere { () throws in
            _ = try source.bytes(20_000)
            source.seek(to: Int64(place))
            if requestCount == 1 { gate.open() }
            return try source.bytes(3000)
        }
        #expect(part == Array(Self.file[place..<place + 3000]))
        #expect(server.requests.value.count == requestCount)
        gate.open()
    }

    @Test("a look at the end and back, and then a distant seek take three requests in all")
    func threeRequests() async throws {
        let gate = ScriptedServer.Gate()
        let length = 1_000_000_000
        // Each range sends its own bytes, and then waits.
        let server = try ScriptedServer { request in
            let first = request.range?.first ?? 0
            let head = [
                "Content-Range: bytes \(first)-\(length - 1)/\(length)", "Content-Length: \(length - first)",
            ]
            let body = [UInt8](repeating: UInt8(first % 251), count: min(100_000, length - first))
            return .answer("206 Partial Content", head, body: body)
                + (first + body.count < length ? [.wait(gate)] : [])
        }
        let source = try WebSource(server.address("a"), limits: limits())
        let parts = try await elsewhere { () throws in
            try [0, length - 50_000, 20, 500_000_000].map { place in
                source.seek(to: Int64(place))
                return try source.bytes(10)
            }
        }
        let first = [0, length - 50_000, 0, 500_000_000].map { UInt8($0 % 251) }
        #expect(parts == first.map { [UInt8](repeating: $0, count: 10) })
        #expect(server.requests.value.map { $0.range?.first } == [0, length - 50_000, 500_000_000])
        #expect(source.log.records.map(\.cause) == [.opening, .jump, .jump])
    }

    @Test("an idle connection is reused; before the first address there is no thread and no library")
    func keepAlive() async throws {
        let server = try ScriptedServer { .file(Array(Self.file[..<5000]), to: $0) }
        let engine = WebEngine()
        engine.clockHasMoved()
        #expect(throws: WebError.self) { try WebSource("no address", engine: engine) }
        #expect(!engine.isStarted)
        // No pause, during which the library might close the connection.
        let read = try await elsewhere {
            try (0..<4).map { _ in
                let source = try WebSource(server.address("a"), limits: .patient, engine: engine)
                return (count: try source.bytes().count, records: source.log.records)
            }
        }
        #expect(read.map(\.count) == [5000, 5000, 5000, 5000])
        #expect(server.connectionCount == 1, "\(read.flatMap(\.records))")
    }

    @Test("a dropped connection resumes at its last byte", arguments: ["\"v1\"", nil])
    func dropped(tag: String?) async throws {
        let headers = tag.map { ["ETag: \($0)"] } ?? ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"]
        let server = try ScriptedServer { request in
            let steps = [ScriptedServer.Step].file(Self.file, to: request, headers: headers)
            guard request.number < 3, case .send(let bytes)? = steps.first else { return steps }
            return [.send(Array(bytes.prefix(60_000))), .close]
        }
        let source = try WebSource(server.address("a"), limits: limits())
        #expect(try await elsewhere { try source.bytes() } == Self.file)
        let requests = server.requests.value
        #expect(requests.count == 4)
        #expect(requests[0].header("If-Range") == nil)
        #expect(requests[1].header("If-Range") == tag ?? "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(requests.dropFirst().allSatisfy { ($0.range?.first ?? 0) > 50_000 })
        #expect(source.log.totals.retryCount == 3)
        #expect(source.takeWarnings().isEmpty)
    }

    @Test("without range support it is read again from the beginning, and known bytes are skipped")
    func withoutRanges() async throws {
        let server = try ScriptedServer { request in
            let steps = [ScriptedServer.Step].whole(Self.file)
            guard request.number == 0, case .send(let bytes)? = steps.first else { return steps }
            return [.send(Array(bytes.prefix(60_000))), .close]
        }
        let source = try WebSource(server.address("a"), limits: limits())
        #expect(try await elsewhere { try source.bytes() } == Self.file)
        #expect(!source.resource.givesRanges)
        // Seek back, and forward.
        let part = try await elsewhere { () throws in
            source.seek(to: 1000)
            return try source.bytes(2000)
        }
        #expect(part == Array(Self.file[1000..<3000]))
        #expect(server.requests.value.count == 3)
    }

    @Test("a source of unknown length ends where it ends", arguments: [true, false])
    func unknownLength(isChunked: Bool) async throws {
        let body = Array(Self.file[..<20_000])
        let server = try ScriptedServer { _ in
            isChunked
                ? .answer("200 OK", ["Transfer-Encoding: chunked"])
                    + [.send(Array("4e20\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8))]
                : .answer("200 OK", body: body) + [.close]
        }
        let source = try WebSource(server.address("a"), limits: limits())
        #expect(try await elsewhere { try source.bytes() } == body)
        #expect(source.resource.length == 20_000)
    }

    @Test("with a length that is too long, the end is the end, and is reported")
    func tooLong() async throws {
        let body = Array(Self.file[..<20_000])
        let server = try ScriptedServer { request in
            let first = min(request.range?.first ?? 0, body.count)
            return .answer(
                "206 Partial Content",
                ["Content-Range: bytes \(first)-29999/30000", "Content-Length: \(30_000 - first)"],
                body: Array(body[first...])) + [.close]
        }
        let source = try WebSource(server.address("a"), limits: limits())
        #expect(try await elsewhere { try source.bytes() } == body)
        #expect(source.takeWarnings() == [.shorter(at: 20_000, promised: 30_000)])
        #expect(source.resource.length == 20_000)
        #expect(server.requests.value.count <= 4)
    }

    @Test("with a length that is too short, the promised bytes arrive, and the rest does no harm")
    func tooShort() async throws {
        let server = try ScriptedServer { request in
            request.number == 0
                ? .answer("200 OK", ["Content-Length: 5000"], body: Array(Self.file[..<20_000]))
                : .file(Self.file, to: request)
        }
        let engine = WebEngine()
        let source = try WebSource(server.address("a"), limits: limits(), engine: engine)
        #expect(try await elsewhere { try source.bytes() } == Array(Self.file[..<5000]))
        let next = try WebSource(server.address("a"), limits: limits(), engine: engine)
        #expect(try await elsewhere { try next.bytes() } == Self.file)
    }

    @Test("redirects are followed, and their target is used from then on")
    func redirects() async throws {
        let server = try ScriptedServer { request in
            request.path == "/a"
                ? .answer("302 Found", ["Location: /b", "Content-Length: 0"])
                : .file(Self.file, to: request)
        }
        let source = try WebSource(server.address("a"), limits: limits())
        let part = try await elsewhere { () throws in
            _ = try source.bytes(10)
            source.seek(to: 290_000)
            return try source.bytes()
        }
        #expect(part == Array(Self.file[290_000...]))
        #expect(server.requests.value.map(\.path) == ["/a", "/b", "/b"])
        #expect(source.resource.address == server.address("b"))
    }

    @Test("a file that changes on the server is not spliced")
    func changed() async throws {
        let server = try ScriptedServer { request in
            let steps = [ScriptedServer.Step].file(
                Self.file, to: request, headers: ["ETag: \"v\(request.number)\""])
            guard request.number == 0, case .send(let bytes)? = steps.first else { return steps }
            return [.send(Array(bytes.prefix(60_000))), .close]
        }
        let source = try WebSource(server.address("a"), limits: limits())
        await #expect(throws: WebError.changed) { try await elsewhere { try source.bytes() } }
    }

    @Test("a dropped radio station continues with later bytes, and its titles stay apart from the audio")
    func radio() async throws {
        let title = Array("StreamTitle='A';".utf8)
        let server = try ScriptedServer { request in
            let sound = [UInt8](repeating: UInt8(request.number + 1), count: 1000)
            return .answer(
                "200 OK", ["icy-metaint: 1000", "icy-name: Test FM"], body: sound + [1] + title + sound)
                + [.close]
        }
        var options = WebOptions()
        options.wantsTitles = true
        let source = try WebSource(server.address("a"), options: options, limits: limits())
        let bytes = try await elsewhere { try source.bytes(5000) }
        let expected = [1, 1, 2, 2, 3].flatMap { [UInt8](repeating: UInt8($0), count: 1000) }
        #expect(bytes == expected)
        #expect(source.takeTitles().prefix(2).map(\.offset) == [1000, 3000])
        #expect(source.takeWarnings().prefix(2) == [.interrupted(at: 2000), .interrupted(at: 4000)])
        #expect(source.resource.isLive && source.resource.length == nil)
        #expect(server.requests.value[0].header("Icy-MetaData") == "1")
        #expect(server.requests.value[1].header("Range") == nil)
    }

    @Test("the program's name, cookies and a compressed text are handled")
    func options() async throws {
        // `printf '#EXTM3U\nhello\n' | gzip -n`
        let gzip: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 83, 118, 141, 8, 241, 53, 14, 229, 202, 72, 205, 201, 201, 231,
            2, 0, 64, 199, 186, 112, 14, 0, 0, 0,
        ]
        let server = try ScriptedServer { _ in
            .whole(gzip, headers: ["Content-Encoding: gzip", "Content-Type: audio/x-mpegurl; x=y"])
        }
        let options = WebOptions(userAgent: "Player/1", cookies: ["a=b; path=/", "bad\r\nX: y", "c=d"])
        let address = server.address("list.m3u")
        let text = try await elsewhere { try WebText(of: address, limit: 1000, options: options) }
        #expect(String(decoding: text.bytes, as: UTF8.self) == "#EXTM3U\nhello\n")
        #expect(text.contentType == "audio/x-mpegurl")
        let request = try #require(server.requests.value.first)
        #expect(request.header("User-Agent") == "Player/1")
        #expect(request.header("Cookie").map { Set($0.components(separatedBy: "; ")) } == ["a=b", "c=d"])
        #expect(!request.head.contains("X: y"))
        await #expect(throws: WebError.tooLong(limit: 10)) {
            try await elsewhere { try WebText(of: address, limit: 10) }
        }
        // Some servers compress whatever the request says.
        let source = try WebSource(address, limits: limits())
        #expect(try await elsewhere { try source.bytes() } == text.bytes)
        #expect(server.requests.value.last?.header("Accept-Encoding") == "identity")
    }
}
