import Testing
import TuttiCodecs
import TuttiTestMedia
import TuttiTestSupport
import TuttiWebTestSupport

@Suite("Endless playlists", .tags(.machine))
struct HostilePlaylistsTests {
    /// Returns the error of opening or of reading to the end, and the number of requests.
    private func outcome(
        _ answer: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step]
    ) async throws -> (error: MediaError?, requestCount: Int) {
        let server = try ScriptedServer(answer)
        let address = server.address("list.m3u8")
        let error = await #expect(throws: MediaError.self) {
            try await elsewhere { () throws in
                let reader = try MediaReader(address)
                while try reader.nextPacket() != nil {}
            }
        }
        return (error, server.requests.value.count)
    }

    private static func pieces(_ count: Int, query: String = "") -> [UInt8] {
        let lines = (0..<count).flatMap { ["#EXTINF:1,", "piece\($0).aac" + query] }
        return SegmentedStreamTests.text(SegmentedStreamTests.lines + lines + ["#EXT-X-ENDLIST"])
    }

    @Test("variant lists that refer to each other are refused at a depth of three", arguments: [false, true])
    func nested(isCircle: Bool) async throws {
        let found = try await outcome { request in
            // The list ends, so that a reader without a limit fails this test instead of hanging.
            guard request.number < 2000 else { return .answer("404 Not Found", ["Content-Length: 0"]) }
            let other = request.path == "/list.m3u8" ? "other.m3u8" : "list.m3u8"
            return .whole(
                SegmentedStreamTests.text([
                    "#EXTM3U", "#EXT-X-STREAM-INF:BANDWIDTH=1",
                    isCircle ? other : "list\(request.number).m3u8",
                ]))
        }
        #expect(found.requestCount <= 4)
        #expect("\(String(describing: found.error))".contains("more than 3 deep"))
    }

    @Test("the eight best of 2,000 variants are examined, and one plays")
    func variants() async throws {
        let pieces = try SegmentedStreamTests.pieces(2)
        let lines = (0..<2000).flatMap { ["#EXT-X-STREAM-INF:BANDWIDTH=\($0 + 1)", "variant\($0).m3u8"] }
        let list = SegmentedStreamTests.text(["#EXTM3U"] + lines)
        let variant = SegmentedStreamTests.text(
            SegmentedStreamTests.lines + [
                "#EXTINF:3,", "/piece0.aac", "#EXTINF:3,", "/piece1.aac", "#EXT-X-ENDLIST",
            ])
        let server = try ScriptedServer { request in
            if request.path == "/list.m3u8" { return .whole(list) }
            if request.path.hasPrefix("/variant") { return .whole(variant) }
            return .file(SegmentedStreamTests.number(request).map { pieces[$0] } ?? [], to: request)
        }
        let address = server.address("list.m3u8")
        try await elsewhere { () throws in
            let reader = try MediaReader(address)
            let whole = try SegmentedStreamTests.whole(pieces)
            #expect(try DecodedRun(reader).buffer.frameCount == whole.frameCount)
        }
        let asked = Set(server.requests.value.map(\.path).filter { $0.hasPrefix("/variant") })
        #expect(asked == Set((1992..<2000).map { "/variant\($0).m3u8" }))
        #expect(server.requests.value.count <= 30)
    }

    @Test("missing segments are given up after 256 requests")
    func missing() async throws {
        let list = Self.pieces(2000)
        let found = try await outcome { request in
            request.path == "/list.m3u8" ? .whole(list) : .answer("404 Not Found", ["Content-Length: 0"])
        }
        #expect(found.requestCount <= 257)
        #expect("\(String(describing: found.error))".contains("404 Not Found"))
    }

    @Test("a playlist of more than 8 MiB is refused", arguments: [false, true])
    func long(isVariant: Bool) async throws {
        let list = Self.pieces(20_000, query: "?" + String(repeating: "x", count: 400))
        #expect(list.count > 8 << 20)
        let master = SegmentedStreamTests.text(["#EXTM3U", "#EXT-X-STREAM-INF:BANDWIDTH=1", "long.m3u8"])
        let found = try await outcome { request in
            if isVariant, request.path == "/list.m3u8" { return .whole(master) }
            guard request.path.hasSuffix("m3u8") else {
                return .answer("404 Not Found", ["Content-Length: 0"])
            }
            return .whole(list)
        }
        #expect("\(String(describing: found.error))".contains("longer than 8192 KiB"))
        #expect(found.requestCount <= 2)
    }
}
