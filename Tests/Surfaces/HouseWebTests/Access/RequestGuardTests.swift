import Testing
import TuttiHTTPService

@testable import TuttiHouseWeb

@Suite("The guard of requests")
struct RequestGuardTests {
    private let requestGuard = RequestGuard(hostName: "Hall.example.org", others: ["Music.Example.com"])

    private func status(_ method: HTTPMethod, _ fields: [(String, String)]) throws -> Int {
        let peer = WebSurface.Configuration(hostName: "", version: "").addresses[0]
        var request = HTTPRequest(method: method, target: try RequestTarget("/"), peer: peer)
        for (name, value) in fields { request.headers.append(name, value) }
        return requestGuard.refusal(of: request)?.status ?? 200
    }

    @Test(
        "a host must be an address, this machine or a configured name",
        arguments: [
            ("127.0.0.1:8321", 200), ("192.0.2.7", 200), ("[::1]:8321", 200), ("[fe80::1]", 200),
            ("localhost:8321", 200), ("LOCALHOST.", 200), ("hall", 200), ("hall.example.org:80", 200),
            ("hall.local:8321", 200), ("music.example.com", 200), ("evil.example", 421),
            ("hall.evil.example", 421), ("localhost.evil.example", 421), ("1.2.3.4.evil.example", 421),
            ("", 400), (":80", 400), ("[::1", 400), ("hall:port", 400), ("hall:99999", 400),
            ("hall:8:9", 400),
            ("[::1]x", 400), (".local", 421),
        ])
    func hosts(host: String, expected: Int) throws {
        #expect(try status(.get, [("Host", host)]) == expected)
    }

    @Test("a request without a host is refused")
    func noHost() throws {
        #expect(try status(.get, []) == 400)
    }

    @Test(
        "the origin of a request that changes something must be the host that it asks for",
        arguments: [
            (HTTPMethod.post, "http://hall:8321", 200), (.put, "https://hall:8321", 200),
            (.delete, "HTTP://HALL:8321", 200), (.post, "http://hall", 403),
            (.patch, "http://hall:8322", 403),
            (.post, "http://evil.example", 403), (.put, "null", 403), (.post, "", 403),
            (.post, "ftp://hall:8321", 403), (.get, "http://evil.example", 200),
            (.options, "http://evil.example", 200),
        ])
    func origins(method: HTTPMethod, origin: String, expected: Int) throws {
        #expect(try status(method, [("Host", "hall:8321"), ("Origin", origin)]) == expected)
    }

    @Test("two origins are refused, and none is allowed, as programs send none")
    func count() throws {
        let fields = [("Host", "hall"), ("Origin", "http://hall"), ("Origin", "http://hall")]
        #expect(try status(.post, fields) == 403)
        #expect(try status(.post, [("Host", "hall")]) == 200)
    }
}
