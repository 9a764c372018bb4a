import Foundation
import Testing
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiHTTPService

@Suite("Streams of events", .tags(.machine))
struct EventStreamTests {
    /// Listeners of a server, as its handler makes them.
    private static func server(
        limits: HTTPLimits = HTTPLimits(), _ streams: Recorder<[EventStream]>,
        closed: Recorder<Int> = Recorder(0)
    ) async throws -> TestServer {
        try await TestServer(limits: limits) { request in
            guard request.path == ["events"] else { return HTTPResponse() }
            let stream = EventStream { closed.update { $0 += 1 } }
            streams.update { $0.append(stream) }
            return HTTPResponse(events: stream)
        }
    }

    private static let request = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"

    private static func event(_ name: String, size: Int = 0) -> ServerSentEvent {
        ServerSentEvent(name: name, data: [UInt8](repeating: 0x78, count: size))
    }

    @Test("events sent before and after the answer arrive in order, and the end closes the connection")
    func order() async throws {
        let streams = Recorder<[EventStream]>([])
        let server = try await Self.server(streams)
        let client = try server.client()
        client.send(Self.request)
        let stream = try await streams.wait(for: "a stream") { $0.first }
        for number in 0..<100 { stream.send(Self.event("e\(number)")) }
        stream.end()
        stream.send(Self.event("late"))
        let text = await client.text(until: "\r\n0\r\n\r\n")
        // Swift takes a line break of chunks as one character, unlike that of events.
        let names = text.replacing("\r\n", with: "\n").split(separator: "\n").filter {
            $0.hasPrefix("event: ")
        }
        #expect(names == (0..<100).map { "event: e\($0)" })
        #expect(text.contains("text/event-stream"))
        #expect(await client.isClosed())
        await server.server.stop()
    }

    @Test("the program hears of a client that goes")
    func goneClient() async throws {
        let (streams, closed) = (Recorder<[EventStream]>([]), Recorder(0))
        let server = try await Self.server(streams, closed: closed)
        let client = try server.client()
        client.send(Self.request)
        let stream = try await streams.wait(for: "a stream") { $0.first }
        stream.send(Self.event("a"))
        _ = await client.text(until: "event: a")
        client.reset()
        try await closed.reach("the end") { $0 == 1 }
        #expect(stream.isClosed)
        stream.send(Self.event("b"))
        stream.end()
        #expect(await server.waitForStatistics { $0.eventStreams == 0 })
        #expect(closed.value == 1)
        await server.server.stop()
    }

    @Test("a comment keeps a silent stream alive")
    func keepAlive() async throws {
        var limits = HTTPLimits()
        limits.keepAlive = .milliseconds(10)
        let server = try await Self.server(limits: limits, Recorder([]))
        let client = try server.client()
        client.send(Self.request)
        let text = await client.text(until: ": \n\n\r\n4\r\n: \n\n")
        #expect(text.contains("4\r\n: \n\n"))
        await server.server.stop()
    }

    @Test("a client that never reads is disconnected and counted, and others are not held up")
    func neverReads() async throws {
        let (streams, closed) = (Recorder<[EventStream]>([]), Recorder(0))
        let server = try await Self.server(streams, closed: closed)
        let deaf = try TestClient(server.address, receiveBuffer: 4_096)
        deaf.send(Self.request)
        let stream = try await streams.wait(for: "a stream") { $0.first }
        let good = try server.client()
        good.send(Self.request)
        let other = try await streams.wait(for: "a second stream") { $0.count == 2 ? $0[1] : nil }
        while !stream.isClosed {
            stream.send(Self.event("a", size: 10_000))
            other.send(Self.event("b"))
            // A whole exchange, so that the backlog is one of the network and not of the thread.
            _ = try await server.client().ask("GET", "/")
        }
        other.send(Self.event("last"))
        #expect(await good.text(until: "event: last").contains("event: b"))
        #expect(server.server.statistics.droppedListeners == 1 && closed.value == 1)
        await server.server.stop()
    }

    @Test("a backlog of a client that does not read is not copied for it, and arrives once it reads")
    func sharedBacklog() async throws {
        let streams = Recorder<[EventStream]>([])
        let server = try await Self.server(streams)
        let client = try TestClient(server.address, receiveBuffer: 4_096)
        client.send(Self.request)
        let stream = try await streams.wait(for: "a stream") { $0.first }
        for number in 0..<250 {
            stream.send(Self.event("e\(number)", size: 1_000))
            _ = try await server.client().ask("GET", "/")
        }
        #expect(stream.waitingBytes > 50_000)
        stream.end()
        let text = await client.text(until: "\r\n0\r\n\r\n")
        #expect((0..<250).allSatisfy { text.contains("event: e\($0)\n") })
        #expect(server.server.statistics.droppedListeners == 0)
        await server.server.stop()
    }

    @Test("a thousand clients listen, and each gets each event")
    func thousand() async throws {
        let streams = Recorder<[EventStream]>([])
        let server = try await Self.server(streams)
        let address = server.address
        let clients = await onThread {
            (0..<1_000).compactMap { _ in
                let client = try? TestClient(address)
                client?.send(Self.request)
                return client
            }
        }
        #expect(clients.count == 1_000)
        let all = try await streams.wait(for: "all streams") { $0.count == 1_000 ? $0 : nil }
        for number in 0..<10 {
            for stream in all { stream.send(Self.event("e\(number)", size: 500)) }
        }
        for stream in all { stream.end() }
        var whole = 0
        for client in clients {
            let text = await client.text(until: "\r\n0\r\n\r\n")
            if (0..<10).allSatisfy({ text.contains("event: e\($0)\n") }) { whole += 1 }
        }
        #expect(whole == 1_000 && server.server.statistics.droppedListeners == 0)
        await server.server.stop()
    }

    @Test("a stream beyond the limit gets 503, and its program hears that it is closed")
    func limit() async throws {
        var limits = HTTPLimits()
        limits.eventStreams = 1
        let (streams, closed) = (Recorder<[EventStream]>([]), Recorder(0))
        let server = try await Self.server(limits: limits, streams, closed: closed)
        let first = try server.client()
        first.send(Self.request)
        let stream = try await streams.wait(for: "a stream") { $0.first }
        stream.send(Self.event("a"))
        _ = await first.text(until: "event: a")
        let refused = try await server.client().ask("GET", "/events")
        #expect(refused.status == 503 && refused.headers["Retry-After"] == "10" && closed.value == 1)
        await server.server.stop()
    }

    @Test("HEAD of a stream has its headers and no stream")
    func head() async throws {
        let (streams, closed) = (Recorder<[EventStream]>([]), Recorder(0))
        let server = try await Self.server(streams, closed: closed)
        let client = try server.client()
        let head = try await client.ask("HEAD", "/events")
        #expect(head.headers["Content-Type"]?.hasPrefix("text/event-stream") == true && closed.value == 1)
        await server.server.stop()
    }
}
