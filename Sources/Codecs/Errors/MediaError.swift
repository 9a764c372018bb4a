/// Why a file or address cannot be played, in words for the one who named it.
public enum MediaError: Error, Equatable, Sendable {
    case notFound(name: String)
    case permissionDenied(name: String)
    case isDirectory(name: String)
    /// A pipe, socket or device; opening one could wait for ever.
    case notAFile(name: String)
    case empty(name: String)
    /// No format that we know, or one without sound.
    case notAudio(name: String)
    /// The format is known, its contents are not whole: usually a download cut short.
    case damaged(name: String)
    /// The format is known, and no sound is found in it within our limits; which one.
    case noSound(name: String, reason: String)
    /// A decoder gave it up on the way.
    case undecodable(name: String, reason: String)
    /// This build of FFmpeg has no decoder for it.
    case noDecoder(name: String, codec: String)
    /// A server that takes no connection.
    case unreachable(name: String, reason: String)
    /// The name of the server does not resolve, or there is no network.
    case unknownHost(name: String, host: String)
    /// The server cannot prove who it is.
    case notTrusted(name: String, reason: String)
    /// The server answered with an error, e.g. 404.
    case httpStatus(name: String, status: Int, reason: String)
    /// One redirect after the other.
    case redirectLoop(name: String, reason: String)
    /// The server answers with something that cannot be used, e.g. a head without end.
    case refused(name: String, reason: String)
    /// The program that provides the bytes failed, or broke its own word; its error's domain and code.
    case programFailed(name: String, reason: String, domain: String, code: Int)
    /// The connection was lost on the way, and all attempts to go on failed.
    case connectionLost(name: String, reason: String)
    /// A page for people instead of sound.
    case webPage(name: String)
    /// A list of other files or addresses; see ``PlaylistFile``.
    case playlist(name: String)
    /// Nothing came for the time limit.
    case timedOut(name: String)
    /// Something came all the time, and far too little of it.
    case tooSlow(name: String, reason: String)
    /// ``MediaInterrupt/cancel()`` was called.
    case cancelled
    /// The source is a stream that can only be read onward.
    case notSeekable(name: String)
    /// Reading failed on the way; the library's code and words.
    case readFailed(name: String, code: Int32, reason: String)
}

extension MediaError {
    /// Returns the name that errors use for a path or an address: its last part, without credentials.
    package static func name(of location: String) -> String { SourceName(location).displayName }
}

extension MediaError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound(let name): "\(name) does not exist"
        case .permissionDenied(let name): "\(name) may not be read: permission denied"
        case .isDirectory(let name): "\(name) is a folder"
        case .notAFile(let name): "\(name) is not a regular file"
        case .empty(let name): "\(name) is empty"
        case .notAudio(let name): "\(name) is not audio"
        case .damaged(let name): "\(name) is damaged or incomplete"
        case .noSound(let name, let reason): "\(name) is damaged: \(reason)"
        case .undecodable(let name, let reason): "\(name) cannot be decoded: \(reason)"
        case .noDecoder(let name, let codec): "\(name) is \(codec), for which there is no decoder"
        case .unreachable(let name, let reason): "\(name) cannot be reached: \(reason)"
        case .unknownHost(let name, let host):
            "\(name) cannot be reached: the name \(host) is not known; check its spelling and the network"
        case .notTrusted(let name, let reason): "\(name) is not safe to read: \(reason)"
        case .httpStatus(let name, _, let reason), .refused(let name, let reason),
            .redirectLoop(let name, let reason):
            "\(name) is not given out by the server: \(reason)"
        case .programFailed(let name, let reason, _, _): "\(name) is not provided: \(reason)"
        case .connectionLost(let name, let reason): "\(name) stopped coming: \(reason)"
        case .webPage(let name):
            "\(name) is a web page and not audio; open it in a browser and take the address of the sound"
        case .playlist(let name): "\(name) is a playlist"
        case .timedOut(let name): "\(name) does not answer"
        case .tooSlow(let name, let reason): "\(name) comes too slowly: \(reason)"
        case .cancelled: "cancelled"
        case .notSeekable(let name): "\(name) is a stream in which there is no going back"
        case .readFailed(let name, _, let reason): "\(name) could not be read: \(reason)"
        }
    }
}

/// Something wrong with a source that still plays.
public enum MediaWarning: Hashable, Sendable, CustomStringConvertible {
    /// The sound stops before the length that the file promises.
    case endsEarly(frame: Int64, expected: Int64)
    /// Reading ended with an error instead of an end; the library's words.
    case stopped(frame: Int64, reason: String)
    /// A server gave fewer bytes than it had promised, as often as it was asked.
    case shorterThanPromised(byteCount: Int64, promised: Int64)
    /// A live stream was interrupted; after this frame it goes on with what came later.
    case interrupted(frame: Int64)

    public var description: String {
        switch self {
        case .endsEarly(let frame, let expected):
            "the file ends in the middle: \(frame) of \(expected) frames"
        case .stopped(let frame, let reason): "the file ends in the middle, after \(frame) frames: \(reason)"
        case .shorterThanPromised(let count, let promised):
            "the server promised \(promised) bytes and gave \(count)"
        case .interrupted: "the connection was lost and is back; some of the stream is missing"
        }
    }
}
