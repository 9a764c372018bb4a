import Testing
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiHTTPService

@Suite("Requests over a socket", .tags(.machine))
struct RequestsTests {
    @Test("a handler sees method, path, query and body, and the connection stays open")
    func echo() async throws {
        let server = try await TestServer()
        let client = try server.client()
        let first = try await client.ask("POST", "/a/b%20c?x=1", body: "hello")
        #expect(first.status == 200 && first.text == #"POST ["a", "b c"] x=1 hello"#)
        #expect(first.headers["Content-Type"] == "text/plain" && first.headers["Content-Length"] == "27")
        for method in ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            #expect(try await client.ask(method, "/").text == "\(method) []  ")
        }
        await server.server.stop()
    }

    @Test("a server also listens at the IPv6 loopback address")
    func version6() async throws {
        let server = try await TestServer(at: .loopbackV6)
        #expect(try await server.client().ask("GET", "/").status == 200)
        await server.server.stop()
    }

    @Test("pipelined requests are answered in their order")
    func pipelining() async throws {
        let server = try await TestServer()
        let client = try server.client()
        client.send((0..<50).map { "GET /\($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined())
        for number in 0..<50 {
            #expect(try await client.response().text == #"GET ["\#(number)"]  "#)
        }
        await server.server.stop()
    }

    @Test("an answer to HEAD has the length and no body, and the next answer follows")
    func head() async throws {
        let server = try await TestServer()
        let client = try server.client()
        let head = try await client.ask("HEAD", "/a")
        #expect(head.status == 200 && head.headers["Content-Length"] == "12" && head.body.isEmpty)
        #expect(try await client.ask("GET", "/a").text == #"GET ["a"]  "#)
        await server.server.stop()
    }

    @Test("a chunked body arrives whole, wherever the chunks end")
    func chunked() async throws {
        let server = try await TestServer()
        let client = try server.client()
        client.send("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        for piece in ["3\r", "\nabc\r\n", "a\r\n", "0123456789\r\n0\r\n", "\r\n"] { client.send(piece) }
        #expect(try await client.response().text == "POST []  abc0123456789")
        await server.server.stop()
    }

    @Test("a client that asks first gets 100 before it sends the body")
    func continuing() async throws {
        let server = try await TestServer()
        let client = try server.client()
        client.send("PUT / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(try await client.response().status == 100)
        client.send("hi")
        #expect(try await client.response().text == "PUT []  hi")
        await server.server.stop()
    }

    @Test("every cut of a request gives the same answer")
    func cuts() async throws {
        let server = try await TestServer()
        let client = try server.client()
        let request = Array("POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody".utf8)
        for cut in 1..<request.count {
            client.send(Array(request[..<cut]))
            client.send(Array(request[cut...]))
            #expect(try await client.response().text == #"POST ["x"]  body"#)
        }
        await server.server.stop()
    }

    @Test("a request that ends in the middle is dropped without harm")
    func truncated() async throws {
        let server = try await TestServer()
        let request = Array("POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbod".utf8)
        for cut in stride(from: 0, to: request.count, by: 7) {
            let client = try server.client()
            client.send(Array(request[..<cut]))
            client.finish()
            #expect(await client.isClosed())
        }
        #expect(try await server.client().ask("GET", "/").status == 200)
        #expect(server.server.statistics.requests == 1)
        await server.server.stop()
    }

    @Test("junk is refused or dropped, and the server goes on")
    func junk() async throws {
        let server = try await TestServer()
        var random = SeededGenerator(seed: 7)
        for _ in 0..<100 {
            let client = try server.client()
            client.send(
                (0..<Int.random(in: 1...2_000, using: &random)).map { _ in
                    .random(in: 0...255, using: &random)
                })
            client.send("\r\n\r\n\r\n")
            client.finish()
            #expect(await client.isClosed())
        }
        #expect(try await server.client().ask("GET", "/").status == 200)
        await server.server.stop()
    }

    @Test(
        "a request that two programs could read differently is refused, and the connection closes",
        arguments: [
            "Content-Length: 1\r\nContent-Length: 2\r\n", "Content-Length: +1\r\n",
            "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip\r\n",
            "Host: other\r\n", "X y: 1\r\n", "X\u{7F}: 1\r\n", "Content-Length: -5\r\n", "no colon\r\n",
        ])
    func ambiguous(fields: String) async throws {
        let server = try await TestServer()
        let client = try server.client()
        client.send("POST / HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n0\r\n\r\n")
        #expect(try await client.response().status == 400)
        #expect(await client.isClosed())
        #expect(server.server.statistics.requests == 0)
        await server.server.stop()
    }

    @Test(
        "a wrong path is refused with a sentence",
        arguments: ["/%zz", "/%", "/%FF", "/../etc/passwd", "/a/%2e%2e/b", "/a%2F..%2Fb", "/a%00"])
    func wrongPath(path: String) async throws {
        let server = try await TestServer()
        let response = try await server.client().ask("GET", path)
        #expect(response.status == 400 && response.text.contains("The address "))
        #expect(response.headers["Content-Type"]?.hasPrefix("application/problem+json") == true)
        await server.server.stop()
    }

    @Test(
        "an unknown method is refused in words",
        arguments: [("BREW", 501), ("TRACE", 405), ("get", 501), ("CONNECT", 405)])
    func methods(method: String, status: Int) async throws {
        let server = try await TestServer()
        let client = try server.client()
        let target = method == "CONNECT" ? "localhost:80" : "/"
        client.send("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let response = try await client.response(toHead: method == "CONNECT")
        #expect(response.status == status)
        await server.server.stop()
    }
}
