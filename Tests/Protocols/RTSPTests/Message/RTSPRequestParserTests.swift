import Testing
import TuttiRTSP
import TuttiTestSupport

@Suite("Parsing requests from a byte stream")
struct RTSPRequestParserTests {
    static let requests = [
        RTSPRequest(.get, "/info", headers: ["CSeq": "1", "User-Agent": "AirPlay/665.13.1"]),
        RTSPRequest(
            .post, "/pair-setup", headers: ["CSeq": "2", "X-Apple-HKP": "4"],
            contentType: "application/octet-stream", body: [6, 1, 1, 0, 1, 0, 0x13, 1, 0x10]),
        RTSPRequest(
            .post, "/command", version: .http, headers: [:],
            body: Array("\r\n\r\nGET /x RTSP/1.0\r\n\r\n".utf8)),
        RTSPRequest(
            RTSPMethod(rawValue: "NEWVERB"), "rtsp://10.0.0.1/1", headers: ["Empty": "", "A": "b: c"]),
    ]
    static let stream = requests.flatMap(\.encoded)

    static func parse(_ pieces: [[UInt8]], limits: RTSPLimits = .standard) -> ([RTSPRequest], RTSPError?) {
        var parser = RTSPRequestParser(limits: limits)
        var parsed: [RTSPRequest] = []
        do {
            for piece in pieces {
                parser.append(piece)
                while let request = try parser.nextRequest() { parsed.append(request) }
            }
            return (parsed, nil)
        } catch {
            return (parsed, error)
        }
    }

    /// The parsed request with the `Content-Length` that encoding added.
    static func asParsed(_ request: RTSPRequest) -> RTSPRequest {
        var request = request
        if !request.body.isEmpty { request.headers["Content-Length"] = String(request.body.count) }
        return request
    }

    @Test("all requests are parsed at once")
    func whole() {
        let (parsed, error) = Self.parse([Self.stream])
        #expect(error == nil)
        #expect(parsed == Self.requests.map(Self.asParsed))
    }

    @Test("requests do not depend on where the stream is split", arguments: 1...stream.count)
    func anyCut(step: Int) {
        let pieces = stride(from: 0, to: Self.stream.count, by: step).map {
            Array(Self.stream[$0..<min($0 + step, Self.stream.count)])
        }
        let (parsed, error) = Self.parse(pieces)
        #expect(error == nil)
        #expect(parsed == Self.requests.map(Self.asParsed))
    }

    @Test("every truncation yields the complete requests and waits", arguments: 0..<stream.count)
    func truncated(count: Int) {
        var ends: [Int] = []
        for request in Self.requests { ends.append((ends.last ?? 0) + request.encoded.count) }
        let (parsed, error) = Self.parse([Array(Self.stream[..<count])])
        #expect(error == nil)
        #expect(parsed.count == ends.count { $0 <= count })
    }

    @Test("bare line feeds, leading blank lines and spaces around a value are accepted")
    func tolerant() {
        let text = "\r\n\n\r\nGET /info RTSP/1.0\nCSeq:7 \n  \t\r\n".replacing(
            "  \t\r\n", with: "X:\t y \n\n")
        let (parsed, error) = Self.parse([Array(text.utf8)])
        #expect(error == nil)
        #expect(parsed == [RTSPRequest(.get, "/info", headers: ["CSeq": "7", "X": "y"])])
    }

    /// A combining accent after a space makes one character of the two, but does not belong to the space.
    @Test(
        "trimming a value stops at its own bytes",
        arguments: [
            ("\u{0}\u{10} b\u{7F}", "b"), ("\u{301}x", "\u{301}x"), (" \t\u{301}x \u{B}", "\u{301}x"),
            ("a\u{1}b", "a b"), ("\u{1}", ""),
        ])
    func valueEnds(text: String, value: String) {
        let (parsed, error) = Self.parse([Array("GET \u{301}/ RTSP/1.0\r\nA:\(text)\r\n\r\n".utf8)])
        #expect(error == nil)
        #expect(parsed.first?.target == "\u{301}/")
        #expect(parsed.first?.headers["A"] == value)
        #expect(Self.parse(parsed.map(\.encoded)).0 == parsed)
    }

    static let malformed: [(String, String, RTSPError)] = [
        ("two words", "GET /info\r\n\r\n", .malformedStartLine),
        ("four words", "GET /a b RTSP/1.0\r\n\r\n", .malformedStartLine),
        ("other protocol", "GET /info RTSP/2.0\r\n\r\n", .malformedStartLine),
        ("no target", "GET  RTSP/1.0\r\n\r\n", .malformedStartLine),
        ("a control character as target", "GET \u{1} RTSP/1.0\r\n\r\n", .malformedStartLine),
        ("a control character in a target", "GET /a\u{7F} RTSP/1.0\r\n\r\n", .malformedStartLine),
        ("no colon", "GET / RTSP/1.0\r\nA: b\r\nCSeq 1\r\n\r\n", .malformedHeader(line: 2)),
        ("no name", "GET / RTSP/1.0\r\n: b\r\n\r\n", .malformedHeader(line: 1)),
        ("folded line", "GET / RTSP/1.0\r\nA: b\r\n c: d\r\n\r\n", .malformedHeader(line: 2)),
        ("no number", "GET / RTSP/1.0\r\nContent-Length: x\r\n\r\n", .malformedContentLength),
        ("a sign", "GET / RTSP/1.0\r\nContent-Length: +1\r\n\r\n", .malformedContentLength),
        ("negative", "GET / RTSP/1.0\r\nContent-Length: -1\r\n\r\n", .malformedContentLength),
        ("empty", "GET / RTSP/1.0\r\nContent-Length:\r\n\r\n", .malformedContentLength),
        (
            "two lengths", "GET / RTSP/1.0\r\nContent-Length: 1\r\ncontent-length: 2\r\n\r\n",
            .malformedContentLength
        ),
        ("too long", "GET / RTSP/1.0\r\nContent-Length: 4194305\r\n\r\n", .bodyTooLong(limit: 4_194_304)),
        (
            "longer than 64 bit", "GET / RTSP/1.0\r\nContent-Length: 99999999999999999999999\r\n\r\n",
            .bodyTooLong(limit: 4_194_304)
        ),
    ]

    @Test("a malformed request is an error after the good ones, at every split", arguments: malformed)
    func rejects(name: String, text: String, error: RTSPError) {
        let bytes = Self.requests[0].encoded + Array(text.utf8)
        for pieces in [[bytes], bytes.map { [$0] }] {
            let (parsed, thrown) = Self.parse(pieces)
            #expect(parsed == [Self.requests[0]])
            #expect(thrown == error)
        }
    }

    @Test("an error is permanent")
    func sticky() {
        var parser = RTSPRequestParser()
        parser.append(Array("no request\r\n\r\n".utf8))
        for _ in 0..<3 {
            #expect(throws: RTSPError.malformedStartLine) { try parser.nextRequest() }
            parser.append(Self.stream)
        }
        #expect(parser.pendingByteCount == 0)
    }

    @Test("a head may have exactly the limit", arguments: [0, 1])
    func headLimit(excess: Int) {
        let limits = RTSPLimits(headByteCount: 100)
        let fixed = "GET / RTSP/1.0\r\nA: \r\n\r\n".utf8.count
        let text = "GET / RTSP/1.0\r\nA: \(String(repeating: "x", count: 100 - fixed + excess))\r\n\r\n"
        for pieces in [[Array(text.utf8)], text.utf8.map { [$0] }] {
            let (parsed, error) = Self.parse(pieces, limits: limits)
            #expect(parsed.count == 1 - excess)
            #expect(error == (excess == 0 ? nil : .headTooLong(limit: 100)))
        }
    }

    @Test("a head without an end is refused at the limit, not before")
    func endlessHead() {
        var parser = RTSPRequestParser()
        parser.append(repeatElement(UInt8(ascii: "A"), count: (16 << 10) - 1))
        #expect(throws: Never.self) { try parser.nextRequest() }
        parser.append(CollectionOfOne(UInt8(ascii: "A")))
        #expect(throws: RTSPError.headTooLong(limit: 16 << 10)) { try parser.nextRequest() }
    }

    @Test("endless blank lines are not buffered")
    func blankLines() throws {
        var parser = RTSPRequestParser()
        for _ in 0..<100 {
            parser.append(repeatElement(UInt8(ascii: "\n"), count: 1000))
            #expect(try parser.nextRequest() == nil)
            #expect(parser.pendingByteCount == 0)
        }
    }

    @Test("the number of headers is limited", arguments: [64, 65])
    func headerLimit(count: Int) {
        let text = "GET / RTSP/1.0\r\n" + (0..<count).map { "H\($0): v\r\n" }.joined() + "\r\n"
        let (parsed, error) = Self.parse([Array(text.utf8)])
        #expect(parsed.first?.headers.count == (count == 64 ? 64 : nil))
        #expect(error == (count == 64 ? nil : .tooManyHeaders(limit: 64)))
    }

    @Test("random bytes never trap")
    func noise() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            var bytes = Self.stream
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let (parsed, _) = Self.parse([bytes])
            let (again, _) = Self.parse(bytes.map { [$0] })
            #expect(parsed == again)
        }
    }
}
