import Testing

@testable import TuttiWeb

@Suite("The target of a planner's requests")
struct FetchTargetTests {
    private static let limits = WebLimits()

    private static func head(_ status: Int, _ headers: (String, String)...) -> WebHead {
        WebHead(status: status, headers: headers.map { (name: $0.0, value: $0.1) })
    }

    private static func opened(by head: WebHead, last: Int64? = nil) throws -> FetchTarget {
        var target = FetchTarget(address: "http://a/b", first: 0, last: last)
        _ = try target.learn(head, from: "http://c/d", asked: 0, wanted: 0, limits)
        return target
    }

    static let part = head(206, ("content-range", "bytes 0-999/1000"), ("etag", "\"1\""))
    static let whole = head(200, ("content-length", "1000"))
    static let radio = head(200, ("icy-name", "x"))

    /// The first response, the second one to a request from byte 500, and the bytes that it repeats.
    static let second: [(String, WebHead, WebHead, Result<Int64, WebError>)] = [
        ("the rest", part, head(206, ("content-range", "bytes 500-999/1000")), .success(0)),
        ("an earlier start", part, head(206, ("content-range", "bytes 400-999/1000")), .success(100)),
        (
            "a later start", part, head(206, ("content-range", "bytes 501-999/1000")),
            .failure(.badAnswer("it is not the requested range"))
        ),
        ("everything", part, head(200), .success(500)),
        ("another version", part, head(206, ("etag", "\"2\"")), .failure(.changed)),
        ("a station goes on", radio, head(200), .success(0)),
    ]

    @Test("a later response repeats bytes, or is of no use", arguments: second)
    func secondResponse(name: String, first: WebHead, second: WebHead, result: Result<Int64, WebError>) throws
    {
        var target = try Self.opened(by: first)
        let learnt = Result { () throws(WebError) in
            try target.learn(second, from: "http://c/d", asked: 500, wanted: 500, Self.limits)
        }
        #expect(learnt == result)
    }

    @Test("a response that repeats more than the limit is refused")
    func noRanges() throws {
        var target = try Self.opened(by: Self.whole)
        let far = Int64(Self.limits.skippedBytes) + 1
        #expect(target.isReachable(far - 1, Self.limits) && !target.isReachable(far, Self.limits))
        #expect(throws: WebError.noRanges) {
            try target.learn(Self.whole, from: "http://c/d", asked: 0, wanted: far, Self.limits)
        }
    }

    /// The first response, and whether a request from byte 500 names a range, a version and a last byte.
    static let asks: [(String, WebHead?, Int64, isRanged: Bool, validator: String?, last: Int64?)] = [
        ("before any response", nil, 500, true, nil, 899),
        ("a server with ranges", part, 500, true, "\"1\"", 899),
        ("a server without", whole, 0, false, nil, nil),
        ("a station", radio, 0, false, nil, nil),
    ]

    @Test("a request names a range if the server gives ranges", arguments: asks)
    func ask(name: String, head: WebHead?, offset: Int64, isRanged: Bool, validator: String?, last: Int64?)
        throws
    {
        let target =
            try head.map { try Self.opened(by: $0, last: 899) }
            ?? FetchTarget(address: "http://a/b", first: 0, last: 899)
        let ask = target.ask(3, from: 500, .jump)
        #expect(ask.offset == offset && ask.isRanged == isRanged)
        #expect(ask.validator == validator && ask.last == last)
        #expect(ask.address == (head == nil ? "http://a/b" : "http://c/d"))
    }

    @Test("a status may pass, or a redirect target may have expired", arguments: [404, 408, 429, 500, 503])
    func recovery(status: Int) throws {
        var target = try Self.opened(by: Self.part)
        let first = target.mayRecover(from: status)
        #expect(first && target.resource.address == "http://a/b")
        let again = target.mayRecover(from: status)
        #expect(again == (status != 404))
        var unopened = FetchTarget(address: "http://a/b", first: 0, last: nil)
        let early = unopened.mayRecover(from: status)
        #expect(!early)
    }
}
