import Testing
import TuttiSystemIO

@testable import TuttiHTTPService

@Suite("Parts of messages")
struct MessageTests {
    @Test("header names compare without regard to case, and setting replaces all of a name")
    func headers() {
        var headers: HTTPHeaders = ["Accept": "a", "accept": "b", "Host": "h"]
        #expect(headers["ACCEPT"] == "a" && headers.all("Accept") == ["a", "b"] && headers["x"] == nil)
        headers["aCCept"] = "c"
        #expect(headers.all("Accept") == ["c"])
        headers["Host"] = nil
        #expect(headers.fields.map(\.name) == ["aCCept"])
    }

    @Test(
        "an entity tag matches its own name, weak or not, and the star",
        arguments: [
            (#""ab""#, true), (#"W/"ab""#, true), (#""x", "ab""#, true), ("*", true), (#""abc""#, false),
            ("ab", false), ("", false), (#""x""#, false),
        ])
    func entityTag(field: String, isMatch: Bool) {
        #expect(EntityTag("ab").matches(ifNoneMatch: field) == isMatch)
    }

    @Test("a client that has the version gets status 304 without the body")
    func notModified() throws {
        let tag = EntityTag(of: [1, 2, 3])
        let peer = SocketAddress(.loopbackV4, port: 1)
        var request = HTTPRequest(method: .get, target: try RequestTarget("/"), peer: peer)
        #expect(HTTPResponse(body: [1, 2, 3]).tagged(tag, for: request).status == 200)
        request.headers["If-None-Match"] = tag.description
        let response = HTTPResponse(body: [1, 2, 3]).tagged(tag, for: request)
        #expect(response.status == 304 && response.headers["ETag"] == tag.description)
    }

    @Test("the lines of an event's data are kept apart, and its name stays one line")
    func event() {
        let event = ServerSentEvent(name: "a\nb", id: "1\r\n2", data: Array("x\r\ny".utf8))
        #expect(String(decoding: event.bytes, as: UTF8.self) == "id: 12\nevent: ab\ndata: x\ndata: y\n\n")
    }

    @Test("a peer is local at the loopback addresses, also when mapped into IPv6")
    func local() throws {
        for (text, isLocal) in [
            ("127.0.0.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("192.0.2.1", false),
        ] {
            let peer = SocketAddress(try #require(IPAddress(text)), port: 1)
            #expect(HTTPRequest(method: .get, target: try RequestTarget("/"), peer: peer).isLocal == isLocal)
        }
    }

    @Test("a problem is a JSON document with a sentence and a word")
    func problem() {
        let response = Problem(status: 404, code: "notFound", detail: "There is no zone 7.").response
        guard case .bytes(let bytes) = response.body else { return }
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"code":"notFound","detail":"There is no zone 7.","status":404,"title":"Not found","type":"about:blank"}"#
        )
    }
}
