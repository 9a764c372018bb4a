/// The answer to a request.
package struct HTTPResponse: Sendable {
    /// The body of an answer.
    package enum Body: Sendable {
        /// These bytes.
        case bytes([UInt8])
        /// Server-sent events, until one side ends the stream.
        case events(EventStream)
    }

    /// The status code, 200 ... 599.
    package var status: Int
    /// The header fields. The server adds those of the connection, the length and the date.
    package var headers: HTTPHeaders
    /// The body. An answer to `HEAD` has the same headers, and the server leaves the body out.
    package var body: Body

    /// Makes an answer.
    package init(status: Int = 200, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, .bytes(body))
    }

    /// Makes an answer with a body of this media type.
    package init(status: Int = 200, type: String, body: [UInt8]) {
        self.init(status: status, headers: ["Content-Type": type], body: body)
    }

    /// Makes an answer that stays open and sends events.
    package init(events: EventStream) {
        status = 200
        headers = ["Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store"]
        body = .events(events)
    }
}
