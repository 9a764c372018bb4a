import Codecs
import Testing
import WebTestSupport

@Suite("Playlists of pieces that have no end")
struct HostilePlaylistsTests {
    /// The error of an opening or of reading to the end, and how many requests that took.
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

    @Test("a playlist that leads to another one each time is refused after 256 requests")
    func nested() async throws {
        let found = try await outcome { request in
            // With an end, so that a reader without a limit fails this test and does not hang.
            guard request.number < 2000 else { return .answer("404 Not Found", ["Content-Length: 0"]) }
            return .whole(
                SegmentedStreamTests.text([
                    "#EXTM3U", "#EXT-X-STREAM-INF:BANDWIDTH=1", "list\(request.number).m3u8",
                ]))
        }
        #expect(found.requestCount <= 257)
        #expect("\(String(describing: found.error))".contains("led to 256 other addresses"))
    }

    @Test("a playlist of 2,000 variants is refused after 256 requests")
    func variants() async throws {
        let lines = (0..<2000).flatMap { ["#EXT-X-STREAM-INF:BANDWIDTH=\($0 + 1)", "variant\($0).m3u8"] }
        let list = SegmentedStreamTests.text(["#EXTM3U"] + lines)
        let found = try await outcome { request in
            request.path == "/list.m3u8" ? .whole(list) : .whole(Self.pieces(1))
        }
        #expect(found.requestCount <= 257)
        #expect("\(String(describing: found.error))".contains("led to 256 other addresses"))
    }

    @Test("pieces that do not exist are given up after 256 requests")
    func missing() async throws {
        let list = Self.pieces(2000)
        let found = try await outcome { request in
            request.path == "/list.m3u8" ? .whole(list) : .answer("404 Not Found", ["Content-Length: 0"])
        }
        #expect(found.requestCount <= 257)
        #expect("\(String(describing: found.error))".contains("404 Not Found"))
    }

    @Test("a playlist longer than 8 MiB is refused", arguments: [false, true])
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
