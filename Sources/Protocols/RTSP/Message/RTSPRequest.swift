/// One request: start line, headers and body.
///
/// Source: RFC 2326, 6, as AirPlay uses it.
package struct RTSPRequest: Hashable, Sendable {
    /// The method.
    package var method: RTSPMethod
    /// A path such as `/info`, or the URL of the session. Encoding drops spaces and control characters.
    package var target: String
    /// The protocol and version of the start line.
    package var version: RTSPVersion
    /// The headers, without `CSeq` and `Content-Length`, which sending adds.
    package var headers: RTSPHeaders
    /// The body.
    package var body: [UInt8]

    /// Creates a request.
    package init(
        _ method: RTSPMethod, _ target: String, version: RTSPVersion = .rtsp, headers: RTSPHeaders = [:],
        body: [UInt8] = []
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
        self.body = body
    }

    /// Creates a request with a body and its media type.
    package init(
        _ method: RTSPMethod, _ target: String, headers: RTSPHeaders = [:], contentType: String, body: [UInt8]
    ) {
        self.init(method, target, headers: headers, body: body)
        self.headers["Content-Type"] = contentType
    }

    /// The path of the target without a query: `/info` for `/info?txtAirPlay`; also for a full URL.
    package var path: String {
        var rest = target[...]
        if let scheme = rest.firstRange(of: "://") {
            rest = rest[scheme.upperBound...]
            rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
        }
        return String(rest.prefix { $0 != "?" })
    }

    /// The bytes to send. Sets `Content-Length` from the body, and omits it for an empty body.
    package var encoded: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(512 + body.count)
        output += method.rawValue.utf8.filter { $0 > 0x20 && $0 != 0x7F }
        output.append(0x20)
        output += target.utf8.filter { $0 > 0x20 && $0 != 0x7F }
        output.append(0x20)
        output += version.rawValue.utf8
        output += "\r\n".utf8
        var headers = headers
        headers["Content-Length"] = body.isEmpty ? nil : String(body.count)
        headers.write(to: &output)
        output += "\r\n".utf8
        output += body
        return output
    }
}
