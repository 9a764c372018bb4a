import Testing
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiHTTPService

@Suite("Start and stop of a server", .tags(.machine))
struct StartAndStopTests {
    @Test("a port in use is an error that names it and says what to do")
    func portInUse() async throws {
        let first = try await TestServer()
        let second = HTTPServer(handler: TestServer.echo)
        let error = await #expect(throws: HTTPServerError.self) {
            try await second.start(on: [first.address])
        }
        #expect(error?.cause.isAddressInUse == true)
        #expect(error?.description.hasPrefix("Port \(first.address.port) is in use at 127.0.0.1:") == true)
        await second.stop()
        await first.server.stop()
    }

    @Test("an address of another machine is an error")
    func foreignAddress() async throws {
        let server = HTTPServer(handler: TestServer.echo)
        let address = SocketAddress(IPAddress(192, 0, 2, 1), port: 0)
        let error = await #expect(throws: HTTPServerError.self) { try await server.start(on: [address]) }
        #expect(error?.description == "192.0.2.1 is not an address of this machine. `ip address` lists them.")
    }

    @Test("a port is free again after the stop, and stopping twice is harmless")
    func restart() async throws {
        // An address that no other test uses: the port must stay free between the two.
        let own = SocketAddress(IPAddress(127, 83, 0, 1), port: 0)
        let first = HTTPServer(handler: TestServer.echo)
        let bound = try await first.start(on: [own])
        await first.stop()
        await first.stop()
        let second = HTTPServer(handler: TestServer.echo)
        #expect(try await second.start(on: bound) == bound)
        await second.stop()
    }

    @Test("a stopped socket leaves its port to others, whoever still has it open")
    func stoppedSocket() throws {
        // An address that no other test uses: the port must stay free between the two.
        let socket = try ListeningSocket(at: SocketAddress(IPAddress(127, 83, 0, 2), port: 0))
        #expect(throws: HTTPServerError.self) { try ListeningSocket(at: socket.address) }
        socket.stop()
        #expect(try ListeningSocket(at: socket.address).address == socket.address)
    }

    @Test("the stop ends open streams, closes idle connections and lets a request finish")
    func gracefulStop() async throws {
        let gate = Recorder((arrived: false, isOpen: false))
        let closed = Recorder(false)
        let server = try await TestServer { request in
            if request.path == ["events"] {
                let stream = EventStream { closed.update { $0 = true } }
                stream.send(ServerSentEvent(name: "a", data: []))
                return HTTPResponse(events: stream)
            }
            gate.update { $0.arrived = true }
            try? await gate.reach("the stop") { $0.isOpen }
            return HTTPResponse(type: "text/plain", body: Array("last".utf8))
        }
        let (idle, listener, asker) = (try server.client(), try server.client(), try server.client())
        listener.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await listener.text(until: "event: a").contains("200 OK"))
        asker.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try await gate.reach("the request") { $0.arrived }

        async let stop: Void = server.server.stop()
        #expect(await idle.isClosed())
        #expect(await listener.isClosed())
        try await closed.reach("the end of the stream") { $0 }
        gate.update { $0.isOpen = true }
        let last = try await asker.response()
        #expect(last.text == "last" && last.headers["Connection"] == "close")
        await stop
    }

    @Test("a handler that does not return does not keep the server from stopping")
    func hangingHandler() async throws {
        var limits = HTTPLimits()
        limits.stopPatience = .milliseconds(20)
        let gate = Recorder((arrived: false, isOpen: false))
        let server = try await TestServer(limits: limits) { _ in
            gate.update { $0.arrived = true }
            try? await gate.reach("the end of the test") { $0.isOpen }
            return HTTPResponse(events: EventStream())
        }
        let client = try server.client()
        client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try await gate.reach("the request") { $0.arrived }
        await server.server.stop()
        #expect(await client.isClosed())
        gate.update { $0.isOpen = true }
    }
}
