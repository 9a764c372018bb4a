import Testing
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiHTTPService

@Suite("Limits of a server", .tags(.machine))
struct LimitsTests {
    @Test("a body above the limit gets 413, and one at the limit passes")
    func body() async throws {
        var limits = HTTPLimits()
        limits.bodyBytes = 10_000
        let server = try await TestServer(limits: limits)
        let fitting = String(repeating: "x", count: 10_000)
        #expect(try await server.client().ask("POST", "/", body: fitting).status == 200)
        let client = try server.client()
        let large = try await client.ask("POST", "/", body: fitting + "x")
        #expect(large.status == 413)
        #expect(await client.isClosed())
        #expect(server.server.statistics.requests == 1)
        await server.server.stop()
    }

    @Test("a chunked body above the limit gets 413")
    func chunkedBody() async throws {
        var limits = HTTPLimits()
        limits.bodyBytes = 10_000
        let server = try await TestServer(limits: limits)
        let client = try server.client()
        client.send("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        client.send("2000\r\n" + String(repeating: "x", count: 8_192) + "\r\n2000\r\n")
        #expect(try await client.response().status == 413)
        #expect(await client.isClosed())
        await server.server.stop()
    }

    @Test("headers above the limit are refused, and a long address gets 414")
    func headers() async throws {
        let server = try await TestServer()
        let long = String(repeating: "x", count: 20_000)
        #expect(try await server.client().ask("GET", "/", headers: ["X: \(long)"]).status == 400)
        let address = "/" + String(repeating: "x", count: 13_000)
        #expect(try await server.client().ask("GET", address).status == 414)
        #expect(server.server.statistics.requests == 0)
        await server.server.stop()
    }

    @Test("a client that brings no whole request in time is disconnected")
    func slowRequest() async throws {
        var limits = HTTPLimits()
        limits.requestPatience = .milliseconds(50)
        let server = try await TestServer(limits: limits)
        let idle = try server.client()
        let slow = try server.client()
        slow.send("GET / HTTP/1.1\r\nHo")
        #expect(await idle.isClosed())
        #expect(await slow.isClosed())
        await server.server.stop()
    }

    @Test("a handler that takes too long is answered for, and its late answer is dropped")
    func slowHandler() async throws {
        var limits = HTTPLimits()
        limits.handlerPatience = .milliseconds(20)
        let gate = Recorder(false)
        let server = try await TestServer(limits: limits) { request in
            if request.path == ["slow"] { try? await gate.reach("the end") { $0 } }
            return HTTPResponse(type: "text/plain", body: Array((request.path.first ?? "").utf8))
        }
        let client = try server.client()
        #expect(try await client.ask("GET", "/slow").status == 503)
        gate.update { $0 = true }
        // A busy machine may answer for this one too.
        var text: String
        repeat { text = try await client.ask("GET", "/fast").text } while text.contains("took too long")
        #expect(text == "fast")
        await server.server.stop()
    }

    @Test("connections beyond the limit are closed, and there is room again after one ends")
    func connections() async throws {
        var limits = HTTPLimits()
        limits.connections = 3
        let server = try await TestServer(limits: limits)
        var clients = [try server.client(), try server.client(), try server.client()]
        for client in clients { #expect(try await client.ask("GET", "/").status == 200) }
        let fourth = try server.client()
        #expect(await fourth.isClosed())
        #expect(server.server.statistics.refusedConnections == 1)
        clients[0].finish()
        #expect(await clients[0].isClosed())
        clients.removeFirst()
        #expect(try await server.client().ask("GET", "/").status == 200)
        await server.server.stop()
    }

    @Test("a client may go while the handler works")
    func goneClient() async throws {
        let gate = Recorder((arrived: 0, isOpen: false))
        let server = try await TestServer { _ in
            gate.update { $0.arrived += 1 }
            try? await gate.reach("the end") { $0.isOpen }
            return HTTPResponse(body: [UInt8](repeating: 0x78, count: 200_000))
        }
        for number in 1...20 {
            let client = try server.client()
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await gate.reach("a request") { $0.arrived == number }
            if number.isMultiple(of: 2) { client.reset() } else { client.finish() }
        }
        gate.update { $0.isOpen = true }
        #expect(try await server.client().ask("GET", "/").body.count == 200_000)
        #expect(await server.waitForStatistics { $0.connections <= 1 })
        await server.server.stop()
    }
}
