import Testing
import TuttiMediaTime
import TuttiRTSP
import TuttiTestSupport

extension RTSPServerConnection {
    mutating func drain() -> [Output] {
        var outputs: [Output] = []
        while let output = nextOutput() { outputs.append(output) }
        return outputs
    }
}

@Suite("RTSP server connection")
struct RTSPServerConnectionTests {
    static let start = HostTime(nanoseconds: 0)

    static func ids(_ events: [RTSPServerConnection.Event]) -> [RTSPRequestID] {
        events.compactMap { if case .request(let id, _) = $0 { id } else { nil } }
    }

    @Test("the recorded event is read and answered minimally")
    func recordedEvent() throws {
        let frames = try #require(
            try Vectors.dictionary("airplay/event-channel-frames.json")["frames"] as? [[String: Any]])
        let incoming = frames.filter { $0["dir"] as? String == "in" }
            .flatMap { Vectors.bytes(hex: $0["plaintext"] as? String ?? "") }
        var connection = RTSPServerConnection(style: .minimal, at: Self.start)
        var events: [RTSPServerConnection.Event] = []
        for byte in incoming { events += connection.receive([byte], at: Self.start) }
        guard case .request(let id, let request)? = events.first, events.count == 1 else {
            Issue.record("\(events.count) events")
            return
        }
        #expect(request.method == .post)
        #expect(request.path == "/command")
        #expect(request.headers.contentType == "application/x-apple-binary-plist")
        #expect(request.body.count == 1257)
        connection.respond(to: id, with: RTSPResponse())
        #expect(connection.drain() == [.send(Array("RTSP/1.0 200 OK\r\n\r\n".utf8))])
    }

    @Test("the answer repeats CSeq, and always states a length in the complete style")
    func complete() {
        var connection = RTSPServerConnection(style: .complete, at: Self.start)
        let request = RTSPRequest(.record, "rtsp://10.0.0.1/1", headers: ["CSeq": "6"])
        let ids = Self.ids(connection.receive(request.encoded, at: Self.start))
        connection.respond(to: ids[0], with: RTSPResponse(headers: ["Audio-Latency": "0", "CSeq": "99"]))
        #expect(
            connection.drain() == [
                .send(
                    Array("RTSP/1.0 200 OK\r\nCSeq: 6\r\nAudio-Latency: 0\r\nContent-Length: 0\r\n\r\n".utf8))
            ])
    }

    @Test("answers keep the order of the requests")
    func order() {
        var connection = RTSPServerConnection(style: .minimal, at: Self.start)
        let bytes = (1...3).flatMap { RTSPRequest(.get, "/info", headers: ["CSeq": String($0)]).encoded }
        let ids = Self.ids(connection.receive(bytes, at: Self.start))
        connection.respond(to: ids[2], with: RTSPResponse())
        connection.respond(to: ids[1], with: RTSPResponse(.notFound))
        #expect(connection.drain() == [])
        connection.respond(to: ids[0], with: RTSPResponse())
        connection.respond(to: ids[0], with: RTSPResponse())
        #expect(
            connection.drain() == [
                .send(Array("RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n".utf8)),
                .send(Array("RTSP/1.0 404 Not Found\r\nCSeq: 2\r\n\r\n".utf8)),
                .send(Array("RTSP/1.0 200 OK\r\nCSeq: 3\r\n\r\n".utf8)),
            ])
    }

    @Test("unanswered requests are limited, and earlier ones are delivered")
    func bounded() {
        var connection = RTSPServerConnection(style: .minimal, at: Self.start)
        let bytes = (1...20).flatMap { _ in RTSPRequest(.get, "/info").encoded }
        let events = connection.receive(bytes, at: Self.start)
        #expect(Self.ids(events).count == RTSPServerConnection.unansweredLimit)
        #expect(events.last == .closed(.tooManyUnansweredRequests(limit: 16)))
        #expect(connection.drain() == [.close])
    }

    @Test("an idle connection closes itself, a busy one does not")
    func idle() {
        var connection = RTSPServerConnection(style: .complete, idleLimit: .seconds(30), at: Self.start)
        let first = Self.start.advanced(by: .seconds(30))
        #expect(connection.drain() == [.wake(at: first)])
        let busy = Self.start.advanced(by: .seconds(20))
        #expect(connection.receive([0x47], at: busy) == [])
        #expect(connection.handleTimeout(at: first) == [])
        let second = busy.advanced(by: .seconds(30))
        #expect(connection.drain() == [.wake(at: second)])
        #expect(connection.handleTimeout(at: second) == [.closed(.idleTimeout)])
        #expect(connection.drain() == [.close])
    }

    @Test(
        "plaintext after the last pairing step ends the connection",
        arguments: [
            RTSPRequest(.get, "/info").encoded, Array("POST /command RTSP/1.0\r\n".utf8),
        ])
    func plaintextBehindPairing(extra: [UInt8]) {
        var connection = RTSPServerConnection(style: .minimal, at: Self.start)
        let pairing = RTSPRequest(.post, "/pair-setup").encoded
        let ids = Self.ids(connection.receive(pairing + extra, at: Self.start))
        let events = connection.respond(to: ids[0], with: RTSPResponse(), thenEncryptWith: CountingCipher())
        #expect(events == [.closed(.plaintextBeforeEncryption)])
        #expect(connection.drain() == [.send(Array("RTSP/1.0 200 OK\r\n\r\n".utf8)), .close])
        #expect(connection.receive(extra, at: Self.start) == [])
    }

    @Test("client and server pair in the clear, then encrypt from the same byte on")
    func joined() throws {
        var client = RTSPClientConnection()
        var server = RTSPServerConnection(style: .complete, at: Self.start)
        let exchanges = try RecordedSession.exchanges()
        for (index, exchange) in exchanges.enumerated() {
            let isLastOfPairing = index == 2
            let id = try client.send(exchange.request, timeout: .seconds(2), at: Self.start)
            for case .send(let bytes) in client.drain() {
                for case .request(let request, let received) in server.receive(bytes, at: Self.start) {
                    #expect(received.body == exchange.request.body)
                    var response = RTSPResponse(exchange.response.status, body: exchange.response.body)
                    response.headers["Server"] = "AirTunes/366.0"
                    server.respond(
                        to: request, with: response, thenEncryptWith: isLastOfPairing ? CountingCipher() : nil
                    )
                }
            }
            var events: [RTSPClientConnection.Event] = []
            for case .send(let bytes) in server.drain() { events += client.receive(bytes, at: Self.start) }
            guard case .response(id, let response)? = events.first, events.count == 1 else {
                Issue.record("no answer to \(exchange.request.method)")
                return
            }
            #expect(response.body == exchange.response.body)
            #expect(response.headers.cSeq == index + 1)
            if isLastOfPairing { _ = client.startEncryption(CountingCipher(), at: Self.start) }
        }
        #expect(client.isEncrypted && server.isEncrypted)
    }
}
