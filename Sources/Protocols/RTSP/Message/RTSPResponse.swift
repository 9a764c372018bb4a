/// The status code of a response, 100 ... 999.
public struct RTSPStatus: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    public let rawValue: Int

    /// Creates a status from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Whether the status is 200 ... 299. AirPlay receivers also answer 200 to requests they ignored: check
    /// the body.
    public var isSuccess: Bool { (200...299).contains(rawValue) }
    /// Whether the status is 100 ... 199: another response follows.
    public var isInterim: Bool { (100...199).contains(rawValue) }

    /// The request succeeded.
    public static let ok = RTSPStatus(rawValue: 200)
    /// The request is malformed, or the receiver's clock is not ready for the anchor.
    public static let badRequest = RTSPStatus(rawValue: 400)
    /// A digest password is required.
    public static let unauthorized = RTSPStatus(rawValue: 401)
    /// Pairing or `/auth-setup` is missing, or this kind of pairing is refused.
    public static let forbidden = RTSPStatus(rawValue: 403)
    /// The resource does not exist.
    public static let notFound = RTSPStatus(rawValue: 404)
    /// The receiver cannot take what the sender offers, such as an encrypted stream of AirPlay 1.
    public static let notAcceptable = RTSPStatus(rawValue: 406)
    /// A condition of the request does not hold.
    public static let preconditionFailed = RTSPStatus(rawValue: 412)
    /// The receiver does not play this format.
    public static let unsupportedMediaType = RTSPStatus(rawValue: 415)
    /// A parameter is unknown or invalid.
    public static let badParameters = RTSPStatus(rawValue: 451)
    /// The receiver is busy with another session.
    public static let notEnoughBandwidth = RTSPStatus(rawValue: 453)
    /// The request is not allowed in this state.
    public static let methodNotValidInThisState = RTSPStatus(rawValue: 455)
    /// The receiver takes no packets in this way.
    public static let unsupportedTransport = RTSPStatus(rawValue: 461)
    /// PIN or HomeKit pairing is required.
    public static let connectionAuthorizationRequired = RTSPStatus(rawValue: 470)
    /// The receiver failed.
    public static let internalServerError = RTSPStatus(rawValue: 500)
    /// The receiver does not know the method.
    public static let notImplemented = RTSPStatus(rawValue: 501)
    /// The receiver is temporarily overloaded.
    public static let serviceUnavailable = RTSPStatus(rawValue: 503)

    /// The number in decimal.
    public var description: String { String(rawValue) }

    /// The usual phrase for a known status, else an empty string.
    public var reason: String {
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
public struct RTSPResponse: Hashable, Sendable {
    /// The status code.
    public var status: RTSPStatus
    /// The phrase after the status; informational.
    public var reason: String
    /// The protocol and version of the status line.
    public var version: RTSPVersion
    /// The headers, without `CSeq` and `Content-Length`, which sending adds.
    public var headers: RTSPHeaders
    /// The body.
    public var body: [UInt8]

    /// - Parameter reason: The phrase; `nil` for the usual one of the status.
    public init(
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
    public init(_ status: RTSPStatus = .ok, headers: RTSPHeaders = [:], contentType: String, body: [UInt8]) {
        self.init(status, headers: headers, body: body)
        self.headers["Content-Type"] = contentType
    }

    /// The bytes to send. Sets `Content-Length` from the body. For an empty body, writes `Content-Length: 0`
    /// only if the header is set: a HomePod goes silent if a response on the event channel has it
    /// (*observed*).
    public var encoded: [UInt8] {
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
