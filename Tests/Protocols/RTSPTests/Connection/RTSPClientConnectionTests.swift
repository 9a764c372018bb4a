import Testing
import TuttiMediaTime
import TuttiRTSP
import TuttiTestSupport

extension RTSPClientConnection {
    /// Returns everything that is to be sent and done now.
    mutating func drain() -> [Output] {
        var outputs: [Output] = []
        while let output = nextOutput() { outputs.append(output) }
        return outputs
    }
}

@Suite("RTSP client connection")
struct RTSPClientConnectionTests {
    static let start = HostTime(nanoseconds: 1_000)
    static let feedback = RTSPRequest(.post, "/feedback")
    static let record = RTSPRequest(.record, "rtsp://10.0.0.1/1")

    static func answer(_ cSeq: Int, _ status: RTSPStatus = .ok) -> RTSPResponse {
        RTSPResponse(status, headers: ["CSeq": String(cSeq)])
    }

    static func seconds(_ count: Int) -> HostTime { start.advanced(by: .seconds(count)) }

    @Test("a request is sent with the next CSeq in front")
    func send() throws {
        var connection = RTSPClientConnection()
        let id = try connection.send(Self.feedback, timeout: .seconds(2), at: Self.start)
        #expect(
            connection.drain() == [
                .send(Array("POST /feedback RTSP/1.0\r\nCSeq: 1\r\n\r\n".utf8)), .wake(at: Self.seconds(2)),
            ])
        #expect(
            connection.receive(Self.answer(1).encoded, at: Self.seconds(1)) == [.response(id, Self.answer(1))]
        )
        #expect(connection.drain() == [])
        #expect(connection.pendingCount == 0)
    }

    @Test("at most one request is pending")
    func noPipelining() throws {
        var connection = RTSPClientConnection()
        let first = try connection.send(Self.record, timeout: .seconds(10), at: Self.start)
        let second = try connection.send(Self.feedback, timeout: .seconds(12), at: Self.start)
        #expect(connection.drain().count == 2)
        #expect(connection.pendingCount == 2)
        let both = Self.answer(1).encoded + Self.answer(2).encoded
        #expect(
            connection.receive(both, at: Self.start) == [
                .response(first, Self.answer(1)), .response(second, Self.answer(2)),
            ])
        #expect(
            connection.drain() == [
                .send(Array("POST /feedback RTSP/1.0\r\nCSeq: 2\r\n\r\n".utf8))
            ])
    }

    @Test("the second request is sent when the first is answered")
    func queue() throws {
        var connection = RTSPClientConnection()
        try connection.send(Self.record, timeout: .seconds(10), at: Self.start)
        try connection.send(Self.feedback, timeout: .seconds(12), at: Self.start)
        _ = connection.drain()
        _ = connection.receive(Self.answer(1).encoded, at: Self.start)
        #expect(
            connection.drain() == [
                .send(Array("POST /feedback RTSP/1.0\r\nCSeq: 2\r\n\r\n".utf8)), .wake(at: Self.seconds(12)),
            ])
    }

    @Test("the queue is bounded")
    func bounded() throws {
        var connection = RTSPClientConnection()
        for _ in 0...RTSPClientConnection.queueLimit {
            try connection.send(Self.feedback, timeout: .seconds(2), at: Self.start)
        }
        #expect(throws: RTSPError.queueFull(limit: 32)) {
            try connection.send(Self.feedback, timeout: .seconds(2), at: Self.start)
        }
    }

    @Test("a fatal timeout closes at its time and not before")
    func fatalTimeout() throws {
        var connection = RTSPClientConnection()
        try connection.send(Self.record, timeout: .seconds(10), at: Self.start)
        _ = connection.drain()
        let before = HostTime(nanoseconds: Self.seconds(10).nanoseconds - 1)
        #expect(connection.handleTimeout(at: before) == [])
        #expect(connection.handleTimeout(at: Self.seconds(10)) == [.closed(.requestTimedOut(.record))])
        #expect(connection.drain() == [.close])
        #expect(connection.handleTimeout(at: Self.seconds(11)) == [])
        #expect(connection.receive(Self.answer(1).encoded, at: Self.seconds(11)) == [])
        #expect(throws: RTSPError.closedByUs) {
            try connection.send(Self.record, timeout: .seconds(1), at: Self.seconds(12))
        }
    }

    @Test("a reported timeout keeps the connection, holds the queue, and accepts the late answer")
    func reportedTimeout() throws {
        var connection = RTSPClientConnection()
        let first = try connection.send(Self.feedback, timeout: .seconds(2), rule: .reported, at: Self.start)
        #expect(connection.handleTimeout(at: Self.seconds(2)) == [.unanswered(first)])
        #expect(connection.handleTimeout(at: Self.seconds(3)) == [])

        // A second /feedback is not sent while an answer is missing.
        let second = try connection.send(
            Self.feedback, timeout: .seconds(2), rule: .reported, at: Self.seconds(4))
        #expect(connection.handleTimeout(at: Self.seconds(6)) == [.unsent(second)])
        let third = try connection.send(
            Self.feedback, timeout: .seconds(2), rule: .reported, at: Self.seconds(20))
        #expect(connection.drain().filter { if case .send = $0 { true } else { false } }.count == 1)

        #expect(
            connection.receive(Self.answer(1).encoded, at: Self.seconds(21)) == [.late(first, Self.answer(1))]
        )
        #expect(connection.drain().first == .send(Array("POST /feedback RTSP/1.0\r\nCSeq: 2\r\n\r\n".utf8)))
        #expect(
            connection.receive(Self.answer(2).encoded, at: Self.seconds(21)) == [
                .response(third, Self.answer(2))
            ])
    }

    @Test("a fatal request that cannot be sent in time closes the connection")
    func fatalInQueue() throws {
        var connection = RTSPClientConnection()
        let first = try connection.send(Self.feedback, timeout: .seconds(2), rule: .reported, at: Self.start)
        let second = try connection.send(Self.record, timeout: .seconds(5), at: Self.start)
        #expect(connection.handleTimeout(at: Self.seconds(2)) == [.unanswered(first)])
        #expect(connection.drain().last == .wake(at: Self.seconds(5)))
        #expect(
            connection.handleTimeout(at: Self.seconds(5)) == [
                .unsent(second), .closed(.requestTimedOut(.record)),
            ])
    }

    @Test("a wrong CSeq is reported and the answer accepted")
    func wrongCSeq() throws {
        var connection = RTSPClientConnection()
        let id = try connection.send(Self.record, timeout: .seconds(10), at: Self.start)
        #expect(
            connection.receive(Self.answer(9).encoded, at: Self.start) == [
                .wrongCSeq(id, expected: 1, received: 9), .response(id, Self.answer(9)),
            ])
    }

    @Test("interim answers are skipped, unsolicited ones reported")
    func interim() throws {
        var connection = RTSPClientConnection()
        let id = try connection.send(Self.record, timeout: .seconds(10), at: Self.start)
        let interim = RTSPResponse(RTSPStatus(rawValue: 100))
        #expect(
            connection.receive(
                interim.encoded + Self.answer(1).encoded + Self.answer(1).encoded, at: Self.start) == [
                    .response(id, Self.answer(1)), .unsolicited(Self.answer(1)),
                ])
    }

    @Test("answers before a malformed one are delivered")
    func malformed() throws {
        var connection = RTSPClientConnection()
        let id = try connection.send(Self.record, timeout: .seconds(10), at: Self.start)
        #expect(
            connection.receive(Self.answer(1).encoded + Array("what?\r\n\r\n".utf8), at: Self.start) == [
                .response(id, Self.answer(1)), .closed(.malformedStartLine),
            ])
        #expect(connection.drain().last == .close)
    }

    @Test("either end may close the socket, once")
    func closing() {
        var connection = RTSPClientConnection()
        var other = connection
        #expect(connection.receiveEnd() == [.closed(.closedByPeer)])
        #expect(connection.close() == [])
        #expect(other.close() == [.closed(.closedByUs)])
        #expect(other.drain() == [.close])
    }

    @Test("a last request follows those that are not answered, instead of those that wait")
    func lastRequest() throws {
        var connection = RTSPClientConnection()
        try connection.send(Self.feedback, timeout: .seconds(2), at: Self.start)
        try connection.send(Self.feedback, timeout: .seconds(2), at: Self.start)
        _ = connection.drain()
        connection.close(after: Self.record)
        connection.close(after: Self.record)
        #expect(
            connection.drain() == [.send(Array("RECORD rtsp://10.0.0.1/1 RTSP/1.0\r\nCSeq: 2\r\n\r\n".utf8))])
        #expect(connection.receive(Self.answer(1).encoded, at: Self.start) == [])
        #expect(connection.handleTimeout(at: Self.seconds(10)) == [])
        #expect(throws: RTSPError.closedByUs) {
            try connection.send(Self.feedback, timeout: .seconds(2), at: Self.start)
        }
    }

    @Test("a frame that fails authentication closes the connection")
    func badFrame() throws {
        var connection = RTSPClientConnection()
        #expect(connection.startEncryption(CountingCipher(), at: Self.start) == [])
        #expect(
            connection.receive([1, 7, 0], at: Self.start) == [
                .closed(.decryptionFailed(reason: "WrongCount()"))
            ])
    }

    @Test("the recorded session works, wherever the answers are split", arguments: [1, 7, 1000, 100_000])
    func recorded(step: Int) throws {
        var connection = RTSPClientConnection()
        var far = CountingCipher()
        for (index, exchange) in try RecordedSession.exchanges().enumerated() {
            if index == 3 { _ = connection.startEncryption(CountingCipher(), at: Self.start) }
            let id = try connection.send(exchange.request, timeout: .seconds(2), at: Self.start)
            guard case .send(var sent)? = connection.drain().first else {
                Issue.record("nothing sent")
                return
            }
            if index >= 3 { sent = try far.open(sent) }
            var parser = RTSPRequestParser()
            parser.append(sent)
            let request = try parser.nextRequest()
            #expect(request?.method == exchange.request.method)
            #expect(request?.body == exchange.request.body)
            #expect(request?.headers.cSeq == exchange.cSeq)
            let bytes = index >= 3 ? far.seal(exchange.response.encoded) : exchange.response.encoded
            var events: [RTSPClientConnection.Event] = []
            for start in stride(from: 0, to: bytes.count, by: step) {
                events += connection.receive(
                    Array(bytes[start..<min(start + step, bytes.count)]), at: Self.start)
            }
            #expect(events == [.response(id, exchange.response)])
        }
    }
}
