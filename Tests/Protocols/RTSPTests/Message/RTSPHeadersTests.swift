import Testing
import TuttiRTSP

@Suite("RTSP headers")
struct RTSPHeadersTests {
    @Test("names are case-insensitive, order is kept")
    func lookup() {
        var headers: RTSPHeaders = ["CSeq": "4", "X-One": "a", "x-one": "b"]
        #expect(headers["cseq"] == "4")
        #expect(headers.cSeq == 4)
        #expect(headers.values(of: "X-ONE") == ["a", "b"])
        headers["X-ONE"] = "c"
        #expect(headers.fields.map(\.name) == ["CSeq", "X-ONE"])
        headers["x-one"] = nil
        #expect(headers["X-One"] == nil)
        #expect(headers.count == 1)
    }

    @Test("a value cannot start a new line")
    func noSmuggling() {
        var request = RTSPRequest(.get, "/in fo\r\nX: 1", headers: ["Name": "a\r\nEvil: b"])
        request.headers["Other"] = "c\u{0}d"
        #expect(
            String(decoding: request.encoded, as: UTF8.self)
                == "GET /infoX:1 RTSP/1.0\r\nName: a  Evil: b\r\nOther: c d\r\n\r\n")
    }

    @Test(
        "the media type has no parameters",
        arguments: [
            ("text/parameters", "text/parameters"), ("Image/PNG ; q=1", "image/png"), ("", nil),
        ] as [(String, String?)])
    func contentType(value: String, expected: String?) {
        #expect(RTSPHeaders(["Content-Type": value]).contentType == expected)
    }

    @Test(
        "a target has a path",
        arguments: [
            ("/info", "/info"), ("/info?txtAirPlay&txtRAOP", "/info"), ("rtsp://10.0.0.1/171543", "/171543"),
            ("rtsp://[fe80::1]:7000/feedback?a", "/feedback"), ("rtsp://host", "/"), ("*", "*"),
        ])
    func path(target: String, expected: String) {
        #expect(RTSPRequest(.get, target).path == expected)
    }
}
