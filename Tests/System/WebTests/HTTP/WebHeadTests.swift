import Testing

@testable import TuttiWeb

@Suite("Heads of HTTP responses")
struct WebHeadTests {
    static let ranges: [(String, ContentRangeWords?)] = [
        ("bytes 0-499/1234", .init(0, 499, 1234)), ("bytes 5-5/*", .init(5, 5, nil)),
        ("bytes */1234", .init(nil, nil, 1234)), ("BYTES 1-2/3", .init(1, 2, 3)),
        ("bytes 5-4/10", nil), ("bytes -5-4/10", nil), ("bytes a-b/c", nil), ("items 0-1/2", nil), ("", nil),
        ("bytes 0-1", nil), ("bytes 0-1/99999999999999999999", nil), ("bytes 0-1/-3", nil),
    ]

    struct ContentRangeWords: Sendable {
        var (first, last, total): (Int64?, Int64?, Int64?)
        init(_ first: Int64?, _ last: Int64?, _ total: Int64?) {
            (self.first, self.last, self.total) = (first, last, total)
        }
    }

    @Test("ranges are parsed", arguments: ranges)
    func range(text: String, words: ContentRangeWords?) {
        let range = ContentRange(text)
        #expect((range == nil) == (words == nil))
        #expect(range?.first == words?.first && range?.last == words?.last && range?.total == words?.total)
    }

    private func parse(_ lines: [String]) throws(WebError) -> WebHead? {
        var parser = WebHeadParser()
        var head: WebHead?
        for line in lines {
            let bytes = Array((line + "\r\n").utf8)
            var result: Result<WebHead?, WebError> = .success(nil)
            bytes.withUnsafeBytes { bytes in
                do throws(WebError) {
                    result = .success(try parser.take(bytes))
                } catch {
                    result = .failure(error)
                }
            }
            head = try result.get() ?? head
        }
        return head
    }

    @Test("heads are assembled from lines")
    func lines() throws {
        let head = try #require(
            try parse(["HTTP/1.1 206 Partial Content", "Content-Length:  12 ", "ETag: \"a:b\"", "odd", ""]))
        #expect(head.status == 206 && head.contentLength == 12 && head.validator == "\"a:b\"")
        #expect(try parse(["ICY 200 OK", "icy-name: x", ""])?.isRadio == true)
        #expect(try parse(["HTTP/1.1 301 Moved", "Location: /b", "", "HTTP/1.1 200 OK", ""])?.status == 200)
        #expect(try parse(["HTTP/1.1 200 OK", "ETag: W/\"x\"", ""])?.validator == nil)
    }

    @Test("endless and malformed heads are refused")
    func bad() {
        let header = "X: " + String(repeating: "y", count: 1000)
        #expect(throws: WebError.endlessHead) {
            _ = try parse(["HTTP/1.1 200 OK"] + [String](repeating: header, count: 70))
        }
        #expect(throws: WebError.endlessHead) {
            _ = try parse(["HTTP/1.1 200 OK"] + [String](repeating: "X: y", count: 300))
        }
        #expect(throws: WebError.endlessHead) {
            _ = try parse([String](repeating: "HTTP/1.1 100 Continue", count: 30))
        }
        for line in ["HTTP/1.1", "HTTP/1.1 abc", "HTTP/1.1 99999 X", "hello"] {
            #expect(throws: WebError.self) { _ = try parse([line, ""]) }
        }
    }

    @Test("addresses are shown without credentials")
    func credentials() throws {
        #expect(WebAddress.withoutCredentials("http://u:p@host/a@b") == "http://host/a@b")
        #expect(WebAddress.withoutCredentials("https://host:1/a?x=@") == "https://host:1/a?x=@")
        #expect(try WebAddress("https://u:p@[::1]:80/x").host == "::1")
    }
}
