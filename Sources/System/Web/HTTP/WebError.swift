/// A reason why the bytes of an address are unavailable; the description says what to do.
package enum WebError: Error, Hashable, Sendable {
    /// The address does not begin with `http://` or `https://`, or is malformed.
    case invalidAddress
    /// The server's name does not resolve, or the network is down.
    case unknownHost(String)
    /// The server does not accept connections; carries the system's text.
    case noConnection(host: String, reason: String)
    /// The server's certificate could not be verified, or the server does not speak TLS; carries libcurl's
    /// text.
    case notTrusted(host: String, reason: String)
    /// The server answered with an error status.
    case status(Int)
    /// The server redirects again and again.
    case redirectLoop(limit: Int)
    /// A redirect leads to something other than a web address.
    case redirectElsewhere
    /// The head of the response did not end within the limits.
    case endlessHead
    /// The response is not HTTP, or does not match the request.
    case badAnswer(String)
    /// No byte arrived for this time while the reader waited.
    case timedOut(Duration)
    /// Too few bytes arrived in this time while the reader waited for more.
    case tooSlow(bytes: Int, Duration)
    /// The connection was lost and all retries failed; carries the last cause.
    case lost(String)
    /// The resource changed on the server while it was read.
    case changed
    /// The server does not support range requests, and the wanted offset is too far from the beginning.
    case noRanges
    /// A text that is read as a whole exceeds the limit.
    case tooLong(limit: Int)
    /// A playlist led to more addresses than the limit before any sound arrived.
    case tooManyRequests(limit: Int)
    /// Playlists name each other deeper than the limit.
    case playlistsInPlaylists(limit: Int)
    /// The program's own resource loader failed, or broke its promises; carries the error's domain and code.
    case program(reason: String, domain: String, code: Int)
    /// The source was cancelled.
    case cancelled
}

extension WebError: CustomStringConvertible {
    /// The message for the user.
    package var description: String {
        switch self {
        case .invalidAddress:
            "the address is not a web address; it must begin with http:// or https:// and a host"
        case .unknownHost(let host):
            "the host name \(host) does not resolve; check its spelling and the network connection"
        case .noConnection(let host, let reason):
            "\(host) accepts no connection (\(reason)); check that the server is running and the port is right"
        case .notTrusted(let host, let reason):
            "\(host) cannot prove its identity (\(reason)); check the clock of this machine and the "
                + "server's certificate"
        case .status(let status): Self.words(of: status)
        case .redirectLoop(let limit):
            "more than \(limit) consecutive redirects; the server redirects in a circle"
        case .redirectElsewhere: "the server redirects to an address that is not http or https"
        case .endlessHead: "the header of the server's response does not end; this is not a media server"
        case .badAnswer(let reason): "the server's response is invalid: \(reason)"
        case .timedOut(let limit): "no data arrived for \(Int(limit.components.seconds)) s; try again later"
        case .tooSlow(let bytes, let time):
            "only \(bytes) bytes arrived in \(Int(time.components.seconds)) s; the server or the network is too slow"
        case .lost(let reason): "the connection was lost and could not be restored: \(reason)"
        case .changed: "it changed on the server while it was read; open it again"
        case .noRanges: "the server does not support range requests, which a seek this far needs"
        case .tooLong(let limit): "it is longer than \(limit / 1024) KiB"
        case .tooManyRequests(let limit):
            "it led to \(limit) other addresses without any audio"
        case .playlistsInPlaylists(let limit):
            "its playlists are nested more than \(limit) deep; the server refers in a circle"
        case .program(let reason, _, _): reason
        case .cancelled: "cancelled"
        }
    }

    private static func words(of status: Int) -> String {
        switch status {
        case 401: "401 Unauthorized: it requires a user name and a password (https://NAME:PASSWORD@host/…)"
        case 402: "402 Payment Required"
        case 403: "403 Forbidden: the server denies access"
        case 404: "404 Not Found: nothing is at this address; check its spelling"
        case 407: "407: the proxy requires a user name and a password"
        case 410: "410 Gone: it no longer exists"
        case 416: "416: the server does not have the requested range"
        case 429: "429: too many requests; try again later"
        case 451: "451: it is unavailable for legal reasons"
        case 503: "503 Service Unavailable: the server is overloaded; try again later"
        case 500..<600: "\(status): the server failed; try again later"
        default: "the server answered \(status)"
        }
    }
}

/// A defect of the received data, which Tutti uses nevertheless.
package enum WebWarning: Hashable, Sendable {
    /// The source repeatedly ended, at this byte, before the length that the server had declared.
    case shorter(at: Int64, promised: Int64)
    /// A live stream was interrupted at this byte of the delivered data; later data follows directly.
    case interrupted(at: Int64)
}
