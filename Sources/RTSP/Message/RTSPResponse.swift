/// The three digits of an answer, 100 ... 999.
public struct RTSPStatus: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// 200 ... 299. AirPlay receivers also answer 200 to what they ignored: look at the body.
    public var isSuccess: Bool { (200...299).contains(rawValue) }
    /// 100 ... 199: an answer that another one follows.
    public var isInterim: Bool { (100...199).contains(rawValue) }

    public static let ok = RTSPStatus(rawValue: 200)
    /// Malformed, or an anchor that the receiver's clock is not ready for.
    public static let badRequest = RTSPStatus(rawValue: 400)
    /// A digest password is needed.
    public static let unauthorized = RTSPStatus(rawValue: 401)
    /// Pairing or `/auth-setup` is missing, or this kind of pairing is refused.
    public static let forbidden = RTSPStatus(rawValue: 403)
    public static let notFound = RTSPStatus(rawValue: 404)
    /// A condition of the request does not hold, or no longer.
    public static let preconditionFailed = RTSPStatus(rawValue: 412)
    public static let badParameters = RTSPStatus(rawValue: 451)
    /// The receiver is busy with another session.
    public static let notEnoughBandwidth = RTSPStatus(rawValue: 453)
    public static let methodNotValidInThisState = RTSPStatus(rawValue: 455)
    /// PIN or HomeKit pairing is needed.
    public static let connectionAuthorizationRequired = RTSPStatus(rawValue: 470)
    public static let internalServerError = RTSPStatus(rawValue: 500)
    public static let notImplemented = RTSPStatus(rawValue: 501)
    /// Not now: too many were asked for.
    public static let serviceUnavailable = RTSPStatus(rawValue: 503)

    public var description: String { String(rawValue) }

    /// The usual words for a known status, else an empty string.
    public var reason: String {
        switch rawValue {
        case 200: "OK"
        case 204: "No Content"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 412: "Precondition Failed"
        case 451: "Invalid Parameter"
        case 453: "Not Enough Bandwidth"
        case 455: "Method Not Valid in This State"
        case 470: "Connection Authorization Required"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        default: ""
        }
    }
}

/// One answer: status line, headers and body.
///
/// Source: RFC 2326, 7, as AirPlay uses it.
public struct RTSPResponse: Hashable, Sendable {
    public var status: RTSPStatus
    /// Words behind the status; nothing depends on them.
    public var reason: String
    /// The protocol word of the status line.
    public var version: RTSPVersion
    /// Without what sending adds: `CSeq` and `Content-Length`.
    public var headers: RTSPHeaders
    public var body: [UInt8]

    /// - Parameter reason: `nil` for the usual words of the status.
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

    /// An answer with a body and its media type.
    public init(_ status: RTSPStatus = .ok, headers: RTSPHeaders = [:], contentType: String, body: [UInt8]) {
        self.init(status, headers: headers, body: body)
        self.headers["Content-Type"] = contentType
    }

    /// The bytes to send. `Content-Length` is set from the body; with an empty body it stays what
    /// the headers say: *observed* on a HomePod, which goes silent when an answer on the event
    /// channel has `Content-Length: 0`.
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
