/// Why the bytes of an address cannot be had, each case with what to do about it in its description.
public enum WebError: Error, Hashable, Sendable {
    /// Not an address that begins with `http://` or `https://`, or one that no server can have.
    case invalidAddress
    /// The server's name is not known, or the network is down.
    case unknownHost(String)
    /// Nobody takes the connection; the system's words.
    case noConnection(host: String, reason: String)
    /// The server cannot prove who it is, or speaks no TLS; the library's words.
    case notTrusted(host: String, reason: String)
    /// The server answered with an error.
    case status(Int)
    /// One redirect after the other.
    case redirectLoop(limit: Int)
    /// A redirect to something that is no web address.
    case redirectElsewhere
    /// The head of the answer did not end within our limits.
    case endlessHead
    /// The answer is not HTTP, or does not fit the question.
    case badAnswer(String)
    /// Not a byte for so long while somebody waited.
    case timedOut(Duration)
    /// So few bytes came in so long while somebody waited for more.
    case tooSlow(bytes: Int, Duration)
    /// The connection was lost, and all attempts to go on failed; the last cause.
    case lost(String)
    /// What the address gives is not what it gave before, in the middle of reading.
    case changed
    /// The server gives only the whole from its beginning, and the wanted place is too far in it.
    case noRanges
    /// More than the limit, for texts that are read as a whole.
    case tooLong(limit: Int)
    /// A playlist led to more addresses than the limit before any sound came.
    case tooManyRequests(limit: Int)
    /// Playlists that name playlists that name playlists, more of them than the limit.
    case playlistsInPlaylists(limit: Int)
    /// The program that provides the bytes failed, or broke its own word; its error's domain and code.
    case program(reason: String, domain: String, code: Int)
    case cancelled
}

extension WebError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidAddress:
            "the address is not one of the web; it begins with http:// or https:// and a host"
        case .unknownHost(let host):
            "the name \(host) is not known; check its spelling and the network connection"
        case .noConnection(let host, let reason):
            "\(host) takes no connection (\(reason)); check that the server runs and the port is right"
        case .notTrusted(let host, let reason):
            "\(host) cannot prove that it is \(host) (\(reason)); check the clock of this machine and the "
                + "server's certificate"
        case .status(let status): Self.words(of: status)
        case .redirectLoop(let limit):
            "more than \(limit) redirects, one after the other; the server is set up in a circle"
        case .redirectElsewhere: "the server redirects to something that is not on the web"
        case .endlessHead: "the head of the server's answer has no end; this is no media server"
        case .badAnswer(let reason): "the server's answer makes no sense: \(reason)"
        case .timedOut(let limit): "nothing came for \(Int(limit.components.seconds)) s; try again later"
        case .tooSlow(let bytes, let time):
            "only \(bytes) bytes came in \(Int(time.components.seconds)) s; the server or the network is too slow"
        case .lost(let reason): "the connection was lost and did not come back: \(reason)"
        case .changed: "it was changed on the server while it was read; open it again"
        case .noRanges: "the server gives it only from the beginning, so there is no jumping this far"
        case .tooLong(let limit): "it is longer than \(limit / 1024) KiB"
        case .tooManyRequests(let limit):
            "it led to \(limit) other addresses and no sound came"
        case .playlistsInPlaylists(let limit):
            "its playlists name one another, more than \(limit) deep; the server is set up in a circle"
        case .program(let reason, _, _): reason
        case .cancelled: "cancelled"
        }
    }

    private static func words(of status: Int) -> String {
        switch status {
        case 401: "401 Unauthorized: it wants a user name and a password (https://NAME:PASSWORD@host/…)"
        case 402: "402 Payment Required"
        case 403: "403 Forbidden: the server does not give it to us"
        case 404: "404 Not Found: there is nothing at this address; check its spelling"
        case 407: "407: the proxy wants a user name and a password"
        case 410: "410 Gone: it is not there any more"
        case 416: "416: the server does not have the part that was asked for"
        case 429: "429: the server was asked too often; try again later"
        case 451: "451: it may not be given out for legal reasons"
        case 503: "503 Service Unavailable: the server is too busy; try again later"
        case 500..<600: "\(status): the server has an error of its own; try again later"
        default: "the server answers \(status)"
        }
    }
}

/// Something odd about what came, which is used all the same.
public enum WebWarning: Hashable, Sendable {
    /// The end came before the length that the server had promised, in bytes, as often as it was asked.
    case shorter(at: Int64, promised: Int64)
    /// A live stream was interrupted here, in bytes of what was given, and goes on with what came later.
    case interrupted(at: Int64)
}
