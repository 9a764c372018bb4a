/// The status code of a response, 100 ... 999.
package struct RTSPStatus: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    package let rawValue: Int

    /// Creates a status from its number.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Whether the status is 200 ... 299. AirPlay receivers also answer 200 to requests they ignored: check
    /// the body.
    package var isSuccess: Bool { (200...299).contains(rawValue) }
    /// Whether the status is 100 ... 199: another response follows.
    package var isInterim: Bool { (100...199).contains(rawValue) }

    /// The request succeeded.
    package static let ok = RTSPStatus(rawValue: 200)
    /// The request is malformed, or the receiver's clock is not ready for the anchor.
    package static let badRequest = RTSPStatus(rawValue: 400)
    /// A digest password is required.
    package static let unauthorized = RTSPStatus(rawValue: 401)
    /// Pairing or `/auth-setup` is missing, or this kind of pairing is refused.
    package static let forbidden = RTSPStatus(rawValue: 403)
    /// The resource does not exist.
    package static let notFound = RTSPStatus(rawValue: 404)
    /// The receiver cannot take what the sender offers, such as an encrypted stream of AirPlay 1.
    package static let notAcceptable = RTSPStatus(rawValue: 406)
    /// A condition of the request does not hold.
    package static let preconditionFailed = RTSPStatus(rawValue: 412)
    /// The receiver does not play this format.
    package static let unsupportedMediaType = RTSPStatus(rawValue: 415)
    /// A parameter is unknown or invalid.
    package static let badParameters = RTSPStatus(rawValue: 451)
    /// The receiver is busy with another session.
    package static let notEnoughBandwidth = RTSPStatus(rawValue: 453)
    /// The request is not allowed in this state.
    package static let methodNotValidInThisState = RTSPStatus(rawValue: 455)
    /// The receiver takes no packets in this way.
    package static let unsupportedTransport = RTSPStatus(rawValue: 461)
    /// PIN or HomeKit pairing is required.
    package static let connectionAuthorizationRequired = RTSPStatus(rawValue: 470)
    /// The receiver failed.
    package static let internalServerError = RTSPStatus(rawValue: 500)
    /// The receiver does not know the method.
    package static let notImplemented = RTSPStatus(rawValue: 501)
    /// The receiver is temporarily overloaded.
    package static let serviceUnavailable = RTSPStatus(rawValue: 503)

    /// The number in decimal.
    package var description: String { String(rawValue) }

    /// The usual phrase for a known status, else an empty string.
    package var reason: String {
        switch rawValue {
        case 200: "OK"
        case 204: "No Content"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 406: "Not Acceptable"
        case 412: "Precondition Failed"
        case 415: "Unsupported Media Type"
        case 451: "Invalid Parameter"
        case 453: "Not Enough Bandwidth"
        case 455: "Method Not Valid in This State"
        case 461: "Unsupported Transport"
        case 470: "Connection Authorization Required"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        default: ""
        }
    }
}

/// One response: status line, headers and body.
///
/// Source: RFC 2326, 7, as AirPlay uses it.
package struct RTSPResponse: Hashable, Sendable {
    /// The status code.
    package var status: RTSPStatus
    /// The phrase after the status; informational.
    package var reason: String
    /// The protocol and version of the status line.
    package var version: RTSPVersion
    /// The headers, without `CSeq` and `Content-Length`, which sending adds.
    package var headers: RTSPHeaders
    /// The body.
    package var body: [UInt8]

    /// - Parameter reason: The phrase; `nil` for the usual one of the status.
    package init(
        _ status: RTSPStatus = .ok, reason: String? = nil, version: RTSPVersion = .rtsp,
        headers: RTSPHeaders = [:], body: [UInt8] = []
    ) {
        self.status = status
        self.reason = reason ?? status.reason
        self.version = version
        self.headers = headers
        self.body = body
    }

    /// Creates a response with a body and its media type.
    package init(_ status: RTSPStatus = .ok, headers: RTSPHeaders = [:], contentType: String, body: [UInt8]) {
        self.init(status, headers: headers, body: body)
        self.headers["Content-Type"] = contentType
    }

    /// The bytes to send. Sets `Content-Length` from the body. For an empty body, writes `Content-Length: 0`
    /// only if the header is set: a HomePod goes silent if a response on the event channel has it
    /// (*observed*).
    package var encoded: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(256 + body.count)
        output += "\(version.rawValue) \(status.rawValue) \(reason.oneLine)\r\n".utf8
        var headers = headers
        if !body.isEmpty {
            headers["Content-Length"] = String(body.count)
        } else if headers["Content-Length"] != nil {
            headers["Content-Length"] = "0"
        }
        headers.write(to: &output)
        output += "\r\n".utf8
        output += body
        return output
    }
}
