/// A reason why a file or address cannot be played, with a message for the user.
package enum MediaError: Error, Equatable, Sendable {
    /// The path does not exist.
    case notFound(name: String)
    /// The file exists and this process may not read it.
    case permissionDenied(name: String)
    /// The path is a folder.
    case isDirectory(name: String)
    /// The path is a pipe, socket or device; opening it could block forever.
    case notAFile(name: String)
    /// The file or response has no bytes.
    case empty(name: String)
    /// The format is unknown, or has no audio stream.
    case notAudio(name: String)
    /// The format is known and has no pictures.
    case noPictures(name: String)
    /// The file has no subtitles of a known format.
    case noSubtitles(name: String)
    /// The format is known and its contents are incomplete: usually a truncated download.
    case damaged(name: String)
    /// The format is known, but no sound came within a limit; `reason` names the limit.
    case noSound(name: String, reason: String)
    /// The decoder failed in mid-stream.
    case undecodable(name: String, reason: String)
    /// This build of FFmpeg has no decoder for the codec.
    case noDecoder(name: String, codec: String)
    /// The server does not accept connections.
    case unreachable(name: String, reason: String)
    /// The server's name does not resolve, or there is no network.
    case unknownHost(name: String, host: String)
    /// The server's certificate could not be verified.
    case notTrusted(name: String, reason: String)
    /// The server answered with an error status, e.g. 404.
    case httpStatus(name: String, status: Int, reason: String)
    /// The server redirects again and again.
    case redirectLoop(name: String, reason: String)
    /// The server sent a response that Tutti cannot use, e.g. an endless header.
    case refused(name: String, reason: String)
    /// The program's own resource loader failed, or broke its promises; carries the error's domain and code.
    case programFailed(name: String, reason: String, domain: String, code: Int)
    /// The connection was lost and all retries failed.
    case connectionLost(name: String, reason: String)
    /// The address delivers a web page instead of audio.
    case webPage(name: String)
    /// The source is a list of other files or addresses; see ``PlaylistFile``.
    case playlist(name: String)
    /// No data arrived within the time limit.
    case timedOut(name: String)
    /// Data kept arriving, but far too slowly.
    case tooSlow(name: String, reason: String)
    /// ``MediaInterrupt/cancel()`` was called.
    case cancelled
    /// The source is a stream that cannot be read backwards.
    case notSeekable(name: String)
    /// Reading failed in mid-stream; carries FFmpeg's code and text.
    case readFailed(name: String, code: Int32, reason: String)
}

extension MediaError {
    /// Returns the name that errors use for a path or an address: its last part, without credentials.
    package static func name(of location: String) -> String { SourceName(location).displayName }

    /// Whether the network or a server failed, so that a later attempt may succeed.
    package var mayPass: Bool {
        switch self {
        case .unreachable, .unknownHost, .connectionLost, .timedOut, .tooSlow, .readFailed: true
        case .httpStatus(_, let status, _): status == 429 || status >= 500
        default: false
        }
    }
}

extension MediaError: CustomStringConvertible {
    /// The message for the user.
    package var description: String {
        switch self {
        case .notFound(let name): "\(name) does not exist"
        case .permissionDenied(let name): "\(name) cannot be read: permission denied"
        case .isDirectory(let name): "\(name) is a folder"
        case .notAFile(let name): "\(name) is not a regular file"
        case .empty(let name): "\(name) is empty"
        case .notAudio(let name): "\(name) is not audio"
        case .noPictures(let name): "\(name) has no pictures"
        case .noSubtitles(let name): "\(name) has no subtitles that can be read"
        case .damaged(let name): "\(name) is damaged or incomplete"
        case .noSound(let name, let reason): "\(name) is damaged: \(reason)"
        case .undecodable(let name, let reason): "\(name) cannot be decoded: \(reason)"
        case .noDecoder(let name, let codec): "\(name) is \(codec), which this build of FFmpeg cannot decode"
        case .unreachable(let name, let reason): "\(name) cannot be reached: \(reason)"
        case .unknownHost(let name, let host):
            "\(name) cannot be reached: the host name \(host) does not resolve; check its spelling and the network"
        case .notTrusted(let name, let reason): "\(name) was not read: \(reason)"
        case .httpStatus(let name, _, let reason), .refused(let name, let reason),
            .redirectLoop(let name, let reason):
            "\(name) was not delivered by the server: \(reason)"
        case .programFailed(let name, let reason, _, _): "\(name) was not provided by the program: \(reason)"
        case .connectionLost(let name, let reason): "\(name) was interrupted: \(reason)"
        case .webPage(let name):
            "\(name) is a web page, not audio; open it in a browser and copy the address of the audio"
        case .playlist(let name): "\(name) is a playlist"
        case .timedOut(let name): "\(name) does not answer"
        case .tooSlow(let name, let reason): "\(name) arrives too slowly: \(reason)"
        case .cancelled: "cancelled"
        case .notSeekable(let name): "\(name) is a stream that cannot seek back"
        case .readFailed(let name, _, let reason): "\(name) could not be read: \(reason)"
        }
    }
}

/// A defect of a source that still plays.
package enum MediaWarning: Hashable, Sendable, CustomStringConvertible {
    /// The sound ends before the length that the file declares.
    case endsEarly(frame: Int64, expected: Int64)
    /// Reading ended with an error instead of the end of the file; carries FFmpeg's text.
    case stopped(frame: Int64, reason: String)
    /// A server repeatedly sent fewer bytes than it had promised.
    case shorterThanPromised(byteCount: Int64, promised: Int64)
    /// A live stream was interrupted; later sound continues directly after this frame.
    case interrupted(frame: Int64)

    /// The message for the user.
    package var description: String {
        switch self {
        case .endsEarly(let frame, let expected):
            "the file is incomplete: it has \(frame) of \(expected) frames"
        case .stopped(let frame, let reason):
            "the file is incomplete: it ends after \(frame) frames: \(reason)"
        case .shorterThanPromised(let count, let promised):
            "the server promised \(promised) bytes and sent \(count)"
        case .interrupted: "the connection was lost and restored; part of the stream is missing"
        }
    }
}
