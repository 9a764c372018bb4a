import Testing
import TuttiRTSP

@Suite("Parsing answers from a byte stream")
struct RTSPResponseParserTests {
    static let responses = [
        RTSPResponse(headers: ["CSeq": "1", "Server": "AirTunes/366.0"]),
        RTSPResponse(
            headers: ["CSeq": "2", "Content-Length": "22"], body: Array("\r\nvolume: -15.000000\r\n".utf8)),
        RTSPResponse(.badRequest, version: .http),
        RTSPResponse(RTSPStatus(rawValue: 299), reason: "", headers: ["Content-Length": "0"]),
    ]
    static let stream = responses.flatMap(\.encoded)

    static func parse(_ pieces: [[UInt8]]) throws(RTSPError) -> [RTSPResponse] {
        var parser = RTSPResponseParser()
        var parsed: [RTSPResponse] = []
        for piece in pieces {
            parser.append(piece)
            while let response = try parser.nextResponse() { parsed.append(response) }
        }
        return parsed
    }

    @Test("answers do not depend on where the stream is split", arguments: 1...stream.count)
    func anyCut(step: Int) throws {
        let pieces = stride(from: 0, to: Self.stream.count, by: step).map {
            Array(Self.stream[$0..<min($0 + step, Self.stream.count)])
        }
        #expect(try Self.parse(pieces) == Self.responses)
    }

    @Test("every truncation waits", arguments: 0..<stream.count)
    func truncated(count: Int) throws {
        let parsed = try Self.parse([Array(Self.stream[..<count])])
        #expect(parsed.count < Self.responses.count)
        #expect(parsed == Array(Self.responses.prefix(parsed.count)))
    }

    @Test("a status line may lack its reason phrase")
    func noReason() throws {
        let parsed = try Self.parse([Array("RTSP/1.0 404\r\n\r\nRTSP/1.0 470 Not Quite So\r\n\r\n".utf8)])
        #expect(parsed.map(\.status) == [.notFound, .connectionAuthorizationRequired])
        #expect(parsed.map(\.reason) == ["", "Not Quite So"])
        let accented = try Self.parse([Array("RTSP/1.0 200 \u{301}OK\r\n\r\n".utf8)])
        #expect(accented.map(\.reason) == ["\u{301}OK"])
    }

    @Test(
        "malformed status lines are rejected",
        arguments: [
            "RTSP/1.0", "RTSP/1.0 20 OK", "RTSP/1.0 2000 OK", "RTSP/1.0 099 x", "RTSP/1.0 +20 x",
            "ICY 200 OK", "x",
        ])
    func rejects(line: String) {
        #expect(throws: RTSPError.malformedStartLine) { try Self.parse([Array("\(line)\r\n\r\n".utf8)]) }
    }

    @Test("an empty body is written without a length unless the headers require it")
    func emptyBody() {
        #expect(
            RTSPResponse(headers: ["CSeq": "3"]).encoded == Array("RTSP/1.0 200 OK\r\nCSeq: 3\r\n\r\n".utf8))
        #expect(
            RTSPResponse(headers: ["Content-Length": "9"]).encoded
                == Array("RTSP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
    }
}
