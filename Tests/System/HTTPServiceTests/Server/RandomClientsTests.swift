import Testing
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiHTTPService

@Suite("Clients that do anything", .tags(.machine))
struct RandomClientsTests {
    /// Sends whole and cut requests, and leaves or stays.
    private static func act(_ client: TestClient, _ random: inout SeededGenerator) async {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let request = requests.randomElement(using: &random) ?? ""
            let bytes = Array(request.utf8)
            client.send(Array(bytes.prefix(Int.random(in: 0...2 * bytes.count, using: &random))))
        }
        switch Int.random(in: 0...3, using: &random) {
        case 0: client.reset()
        case 1: client.finish()
        case 2:
            client.finish()
            _ = await client.isClosed()
        default: break
        }
    }

    private static let requests = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "HEAD /large HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /large HTTP/1.1\r\nHost: a\r\n\r\nGET /large HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /events HTTP/1.1\r\nHost: a\r\n\r\n", "GET /short HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcGET /events HTTP/1.1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n",
        "PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5000000\r\n\r\n", "\r\n\r\n\u{0}",
        "PUT / HTTP/1.1\r\nExpect: something\r\nContent-Length: 1\r\n\r\na",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
    ]

    @Test("the server outlives clients that leave at any time", arguments: 0..<4)
    func outlives(seed: UInt64) async throws {
        var limits = HTTPLimits()
        limits.requestPatience = .milliseconds(200)
        limits.keepAlive = .milliseconds(1)
        let open = Recorder(0)
        let server = try await TestServer(limits: limits) { request in
            switch request.path {
            case ["large"]: return HTTPResponse(body: [UInt8](repeating: 0x78, count: 300_000))
            case ["events"], ["short"]:
                let stream = EventStream { open.update { $0 -= 1 } }
                open.update { $0 += 1 }
                for _ in 0..<10 { stream.send(ServerSentEvent(name: "a", data: request.body)) }
                if request.path == ["short"] { stream.end() }
                return HTTPResponse(events: stream)
            default:
                await Task.yield()
                return HTTPResponse()
            }
        }
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 { await Self.act(try server.client(), &random) }
        #expect(await server.waitForStatistics { $0.eventStreams == 0 && $0.connections <= 1 })
        await server.server.stop()
        #expect(open.value == 0)
    }
}
