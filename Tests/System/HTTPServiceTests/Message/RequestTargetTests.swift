import Testing

@testable import TuttiHTTPService

@Suite("The target of a request")
struct RequestTargetTests {
    @Test(
        "a path splits into decoded segments",
        arguments: [
            ("/", []), ("/a/b", ["a", "b"]), ("/a/b/", ["a", "b"]), ("/a//b", ["a", "", "b"]),
            ("/K%C3%BCche%20oben", ["Küche oben"]), ("/a%2Fb/c", ["a/b", "c"]), ("/a+b", ["a+b"]),
            ("/...", ["..."]), ("/a?b=c", ["a"]), ("/a#b", ["a"]),
        ] as [(String, [String])])
    func segments(text: String, segments: [String]) throws {
        #expect(try RequestTarget(text).segments == segments)
    }

    @Test("a query has decoded names and values in order")
    func query() throws {
        let target = try RequestTarget("/s?q=a+b%26c&limit=3&flag&&x=1=2")
        #expect(target.query.map(\.name) == ["q", "limit", "flag", "x"])
        #expect(target.query.map(\.value) == ["a b&c", "3", "", "1=2"])
        #expect(target.value("limit") == "3" && target.value("none") == nil)
    }

    @Test(
        "a wrong target is refused with its reason",
        arguments: [
            ("", .noPath), ("a", .noPath), ("*", .noPath), ("http://x/", .noPath), ("/%", .badEncoding),
            ("/%2", .badEncoding), ("/%zz", .badEncoding), ("/%FF", .badEncoding), ("/?a=%FF", .badEncoding),
            ("/..", .forbiddenSegment), ("/a/../b", .forbiddenSegment), ("/%2e%2E/b", .forbiddenSegment),
            ("/./b", .forbiddenSegment), ("/a%2F..%2Fb", .forbiddenSegment), ("/..%5Cb", .forbiddenSegment),
            ("/a%00", .forbiddenSegment), ("/a%0D%0Ab", .forbiddenSegment),
        ] as [(String, RequestTarget.Failure)])
    func refused(text: String, failure: RequestTarget.Failure) {
        #expect(throws: failure) { try RequestTarget(text) }
    }

    @Test("too many segments or query items are refused")
    func parts() throws {
        let many = RequestTarget.partLimit
        _ = try RequestTarget(String(repeating: "/a", count: many))
        #expect(throws: RequestTarget.Failure.tooManyParts) {
            try RequestTarget(String(repeating: "/a", count: many + 1))
        }
        #expect(throws: RequestTarget.Failure.tooManyParts) {
            try RequestTarget("/?" + String(repeating: "a&", count: many + 1))
        }
    }
}
